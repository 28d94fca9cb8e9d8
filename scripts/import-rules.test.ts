import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { describe, expect, it } from 'vitest';
import { buildRepo, CLEAN_REPO, type Sources } from './synthetic-repo.ts';

const CONFIG = join(import.meta.dirname, '../.dependency-cruiser.mjs');

/** The names of the rules that these sources violate. */
async function brokenRules(sources: Sources): Promise<string[]> {
  const repo = buildRepo(sources);
  try {
    const options = { ...(await extractOptions(CONFIG)), baseDir: repo.root, validate: true };
    const { output } = await cruise(['apps', 'packages', 'e2e', 'bench', 'scripts'], options);
    const { violations } = (output as ICruiseResult).summary;
    return [...new Set(violations.map(({ rule }) => rule.name))].sort();
  } finally {
    repo.remove();
  }
}

const SERVER = 'apps/server/src';
const EMBEDDED = 'apps/embedded/src';
const WEB = 'apps/web/src';

/** One violation per rule, or several if it has several cases: files to add to, or replace in, the clean repo. */
const BREACHES: Record<string, Sources[]> = {
  'no-cycles': [
    { 'scripts/a.ts': "import './b.ts';", 'scripts/b.ts': "import './a.ts';" },
    {
      'scripts/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
      'scripts/b.ts': "import type { A } from './a.ts';\nexport type B = A;",
    },
  ],
  'no-unresolved': [{ 'scripts/a.ts': "import './missing.ts';" }],
  'no-barrel-files': [
    { [`${WEB}/ui/all.ts`]: "export * from './button.tsx';" },
    { [`${WEB}/ui/all.ts`]: "export { Button } from './button.tsx';" },
  ],
  'no-index-files': [{ 'scripts/tools/index.ts': 'export const a = 1;', 'scripts/a.ts': "import './tools/index.ts';" }],
  'contract-stands-alone': [
    { 'packages/contract/src/ids.ts': "import 'kysely';" },
    { 'packages/contract/src/ids.ts': "import { readFileSync } from 'node:fs';\nreadFileSync;" },
  ],
  'web-not-to-server': [
    {
      [`${WEB}/app/leak.tsx`]: "import type { db } from '../../../server/src/db/database.ts';\nexport const A = () => <b>{0 as db}</b>;",
    },
  ],
  'server-not-to-web': [
    { [`${SERVER}/http/page.ts`]: "import '../../../web/src/lib/i18n.ts';" },
    { [`${EMBEDDED}/page.ts`]: "import '../../web/src/lib/i18n.ts';" },
  ],
  'outside-not-into-apps': [
    { 'e2e/support/cheat.ts': "import '../../apps/server/src/db/database.ts';" },
    { 'bench/cheat.ts': "import '../apps/embedded/src/postgres.ts';" },
    { 'scripts/cheat.ts': "import '../apps/server/test-support/database.ts';" },
  ],
  'apps-not-to-outside': [{ [`${SERVER}/http/page.ts`]: "import '../../../../scripts/build.ts';" }],

  'web-lib-is-the-bottom': [
    { [`${WEB}/lib/a.ts`]: "import '../ui/button.tsx';" },
    { [`${WEB}/lib/a.ts`]: "import '../features/auth/auth-store.ts';" },
  ],
  'web-ui-only-to-lib': [{ [`${WEB}/ui/a.tsx`]: "import '../features/auth/auth-store.ts';" }],
  'web-features-not-to-app': [{ [`${WEB}/features/auth/a.ts`]: "import '../../app/app.tsx';" }],
  'web-feature-by-its-surface': [{ [`${WEB}/features/auth/a.ts`]: "import '../variants/variant-row.tsx';" }],

  'server-main-is-the-top': [{ [`${SERVER}/entry/cli/a.ts`]: "import '../main.ts';" }, { [`${EMBEDDED}/a.ts`]: "import './main.ts';" }],
  'server-app-only-from-start': [
    { [`${SERVER}/entry/cli/a.ts`]: "import '../app.ts';" },
    { [`${EMBEDDED}/a.ts`]: "import '@brand-portal/server/entry/app.ts';" },
  ],
  'server-routes-only-from-app': [{ [`${SERVER}/entry/cli/a.ts`]: "import '../../people/brands/brands.routes.ts';" }],
  'server-queries-not-to-logic': [
    { [`${SERVER}/people/brands/list.queries.ts`]: "import './brands.ts';" },
    { [`${SERVER}/people/brands/list.queries.ts`]: "import '../../http/route.ts';" },
  ],
  'server-queries-of-their-module': [
    { [`${SERVER}/catalog/variants/cheat.ts`]: "import '../../people/brands/brands.queries.ts';" },
    { [`${SERVER}/people/members/cheat.ts`]: "import '../brands/brands.queries.ts';" },
  ],
  'server-queries-not-from-elsewhere': [
    { [`${SERVER}/http/cheat.ts`]: "import '../people/brands/brands.queries.ts';" },
    { [`${SERVER}/entry/cli/cheat.ts`]: "export const a = () => import('../../people/brands/brands.queries.ts');" },
    { [`${EMBEDDED}/cheat.ts`]: "import '@brand-portal/server/people/brands/brands.queries.ts';" },
  ],
  'server-floor-of-lib': [{ [`${SERVER}/lib/cheat.ts`]: "import '../db/database.ts';" }],
  'server-floor-of-db': [
    { [`${SERVER}/db/cheat.ts`]: "import '../files/csv.ts';" },
    { [`${SERVER}/db/cheat.ts`]: "import '../entry/tasks.ts';" },
  ],
  'server-floor-of-files': [{ [`${SERVER}/files/cheat.ts`]: "import '../http/route.ts';" }],
  'server-floor-of-queue': [{ [`${SERVER}/queue/cheat.ts`]: "import '../writes/variants.ts';" }],
  'server-floor-of-http': [{ [`${SERVER}/http/cheat.ts`]: "import '../catalog/variants/variants.ts';" }],
  'server-floor-of-audit': [{ [`${SERVER}/audit/cheat.ts`]: "import '../people/brands/brands.ts';" }],
  'server-floor-of-writes': [{ [`${SERVER}/writes/cheat.ts`]: "import '../mail/mailer.ts';" }],
  'server-floor-of-mail': [{ [`${SERVER}/mail/cheat.ts`]: "import '../people/brands/brands.ts';" }],
  'server-floor-of-people': [{ [`${SERVER}/people/cheat.ts`]: "import '../catalog/variants/variants.ts';" }],
  'server-floor-of-catalog': [{ [`${SERVER}/catalog/cheat.ts`]: "import '../imports/import.ts';" }],
  'server-floor-of-imports': [{ [`${SERVER}/imports/cheat.ts`]: "import '../channel/delivery.ts';" }],
  'server-floor-of-channel': [{ [`${SERVER}/channel/cheat.ts`]: "import '../operations/history.ts';" }],
  'server-floor-of-operations': [{ [`${SERVER}/operations/cheat.ts`]: "import '../entry/tasks.ts';" }],
  'server-not-to-embedded': [
    { [`${SERVER}/entry/start.ts`]: "import '../../../embedded/src/postgres.ts';\nexport const run = () => {};" },
    { [`${SERVER}/http/cheat.ts`]: "export const a = () => import('../../../embedded/src/postgres.ts');" },
  ],
  'server-not-to-test-support': [{ [`${SERVER}/http/cheat.ts`]: "import '../../test-support/database.ts';" }],
};

describe('import rules', () => {
  it('accept a repo without violations', async () => {
    expect(await brokenRules(CLEAN_REPO)).toEqual([]);
  });

  it('each have a deliberate violation here', async () => {
    const { forbidden = [] } = await extractConfig(CONFIG);
    expect(Object.keys(BREACHES).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });

  const cases = Object.entries(BREACHES).flatMap(([rule, repos]) => repos.map((repo) => ({ rule, repo })));
  it.each(cases)('$rule fails for $repo', async ({ rule, repo }) => {
    expect(await brokenRules({ ...CLEAN_REPO, ...repo })).toContain(rule);
  });
});

/** What each folder of a domain imports of the others, read from the sources. Tests may import across folders. */
function readFolderImports(domain: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  const files = globSync('*/**/*.ts', { cwd: domain }).filter((file) => !/\.test\.ts$|\/test-support\//.test(file));
  for (const file of files) {
    const [folder = ''] = file.split(sep);
    const known = imports.get(folder) ?? new Set();
    imports.set(folder, known);
    for (const [, path = ''] of readFileSync(join(domain, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const [other = ''] = relative(domain, join(domain, dirname(file), path)).split(sep);
      if (other !== folder && other !== '..') known.add(other);
    }
  }
  return imports;
}

it.each(['people', 'catalog', 'operations'])('no two folders of %s import each other', (domain) => {
  const imports = readFolderImports(join(import.meta.dirname, '../apps/server/src', domain));
  const pairs = [...imports].flatMap(([folder, others]) =>
    [...others].filter((other) => folder < other && imports.get(other)?.has(folder)).map((other) => `${folder} and ${other}`),
  );
  expect(imports.size).toBeGreaterThan(2);
  expect(pairs).toEqual([]);
});
