import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Path in the repository → source text. */
export type Sources = Record<string, string>;

/** A small repository with this one's layout that follows every rule: one file per kind, with each allowed import. */
export const CLEAN_REPO: Sources = {
  'node_modules/typebox/package.json': '{ "name": "typebox", "main": "typebox.js" }',
  'node_modules/typebox/typebox.js': 'export const Type = {};',
  'node_modules/kysely/package.json': '{ "name": "kysely", "main": "kysely.js" }',
  'node_modules/kysely/kysely.js': 'export const sql = 1;',
  'packages/contract/package.json': '{ "name": "@brand-portal/contract", "exports": { "./*": "./src/*.ts" } }',
  'packages/contract/src/brands.ts': "import { Type } from 'typebox';\nexport const brand = Type;",

  'apps/web/src/main.tsx': "import { App } from './app/app.tsx';\nApp();",
  'apps/web/src/app/app.tsx': "import { Brands } from '../features/brands/brands-screen.tsx';\nexport const App = () => <Brands />;",
  'apps/web/src/features/brands/brands-screen.tsx': [
    "import { Button } from '../../ui/button.tsx';",
    "import { brands } from './brands-queries.ts';",
    "import { Badge } from '../variants/variant-badge.exported.tsx';",
    "import { session } from '../auth/auth-store.ts';",
    'export const Brands = () => <Button><Badge>{[brands, session]}</Badge></Button>;',
  ].join('\n'),
  'apps/web/src/features/brands/brands-queries.ts': "import { brand } from '@brand-portal/contract/brands';\nexport const brands = brand;",
  'apps/web/src/features/variants/variants-queries.ts':
    "import { brands } from '../brands/brands-queries.ts';\nexport const variants = brands;",
  'apps/web/src/features/variants/variant-badge.exported.tsx': 'export const Badge = () => <i />;',
  'apps/web/src/features/variants/variant-row.tsx': 'export const Row = () => <tr />;',
  'apps/web/src/features/auth/auth-store.ts': 'export const session = 1;',
  'apps/web/src/ui/button.tsx': "import { translate } from '../lib/i18n.ts';\nexport const Button = () => <b>{translate}</b>;",
  'apps/web/src/lib/i18n.ts': "import english from '../locales/en/portal.json';\nexport const translate = english;",
  'apps/web/src/locales/en/portal.json': '{}',

  'apps/server/package.json': '{ "name": "@brand-portal/server", "exports": { "./*": "./src/*" } }',
  'apps/server/src/entry/main.ts': "import { run } from './start.ts';\nrun();",
  'apps/server/src/entry/start.ts': "import { buildApp } from './app.ts';\nexport const run = buildApp;",
  'apps/server/src/entry/app.ts': "import { routes } from '../people/brands/brands.routes.ts';\nexport const buildApp = () => routes;",
  'apps/server/src/lib/config.ts': 'export const config = process.env.PORT;',
  'apps/server/src/http/route.ts': "import { brand } from '@brand-portal/contract/brands';\nexport const route = brand;",
  'apps/server/src/db/database.ts': "import { sql } from 'kysely';\nexport const db = sql;",
  'apps/server/src/entry/tasks.ts': "import { findBrand } from '../people/brands/brands.queries.ts';\nexport const work = findBrand;",
  'apps/server/src/files/csv.ts': 'export const csv = 1;',
  'apps/server/src/queue/queue.ts': "import { db } from '../db/database.ts';\nexport const queue = db;",
  'apps/server/src/audit/audit.ts': "import { db } from '../db/database.ts';\nexport const audit = db;",
  'apps/server/src/writes/variants.ts': "import { queue } from '../queue/queue.ts';\nexport const write = queue;",
  'apps/server/src/mail/mailer.ts': 'export const mail = 1;',
  'apps/server/src/imports/import.ts': "import { listVariants } from '../catalog/variants/variants.ts';\nexport const load = listVariants;",
  'apps/server/src/channel/delivery.ts': "import { write } from '../writes/variants.ts';\nexport const send = write;",
  'apps/server/src/operations/history.ts': "import { send } from '../channel/delivery.ts';\nexport const history = send;",
  'apps/server/src/people/brands/brands.routes.ts':
    "import { route } from '../../http/route.ts';\nimport { getBrand } from './brands.ts';\nexport const routes = [route, getBrand];",
  'apps/server/src/people/brands/brands.ts': "import { findBrand } from './brands.queries.ts';\nexport const getBrand = findBrand;",
  'apps/server/src/people/brands/brands.queries.ts':
    "import { sql } from 'kysely';\nimport { db } from '../../db/database.ts';\nexport const findBrand = () => [sql, db.selectFrom('brands')];",
  'apps/server/src/catalog/variants/variants.ts':
    "import { getBrand } from '../../people/brands/brands.ts';\nexport const listVariants = getBrand;",
  'apps/server/src/catalog/variants/variants.test.ts':
    "import { buildApp } from '../../entry/app.ts';\nimport '../../../../embedded/src/postgres.ts';\nbuildApp();",
  'apps/server/test-support/database.ts': 'export const testDatabase = 1;',

  'apps/embedded/src/main.ts':
    "import { run } from '@brand-portal/server/entry/start.ts';\nimport { postgres } from './postgres.ts';\nrun(postgres);",
  'apps/embedded/src/postgres.ts':
    "import { getBrand } from '@brand-portal/server/people/brands/brands.ts';\nexport const postgres = getBrand;",

  'e2e/support/server.ts': "import { brand } from '@brand-portal/contract/brands';\nexport const serve = brand;",
  'e2e/journeys/brands.spec.ts': "import { serve } from '../support/server.ts';\nserve;",
  'bench/list.ts': "import { brand } from '@brand-portal/contract/brands';\nbrand;",
  'scripts/build.ts': 'export const build = 1;',
};

/** Writes a repo into a temporary folder; the caller removes it. */
export function buildRepo(sources: Sources): { root: string; remove: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'brand-portal-repo-')));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'node_modules/@brand-portal'), { recursive: true });
  symlinkSync(join(root, 'packages/contract'), join(root, 'node_modules/@brand-portal/contract'), 'junction');
  symlinkSync(join(root, 'apps/server'), join(root, 'node_modules/@brand-portal/server'), 'junction');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
