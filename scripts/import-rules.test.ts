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
      [`${WEB}/app/leak.tsx`]:
        "import type { db } from '../../../server/src/db/database.ts';\nexport const A = () => <b>{0 as db}</b>;",
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

  'server-main-is-the-top': [
    { [`${SERVER}/cli/a.ts`]: "import '../main.ts';" },
    { [`${EMBEDDED}/a.ts`]: "import './main.ts';" },
  ],
  'server-app-only-from-start': [
    { [`${SERVER}/cli/a.ts`]: "import '../app.ts';" },
    { [`${EMBEDDED}/a.ts`]: "import '@brand-portal/server/app.ts';" },
  ],
  'server-routes-only-from-app': [{ [`${SERVER}/cli/a.ts`]: "import '../modules/brands/brands.routes.ts';" }],
  'server-queries-not-to-logic': [
    { [`${SERVER}/modules/brands/list.queries.ts`]: "import '../variants/variants.ts';" },
    { [`${SERVER}/modules/brands/list.queries.ts`]: "import '../../http/route.ts';" },
  ],
  'server-queries-of-their-module': [
    { [`${SERVER}/modules/variants/cheat.ts`]: "import '../brands/brands.queries.ts';" },
  ],
  'server-queries-not-from-elsewhere': [
    { [`${SERVER}/http/cheat.ts`]: "import '../modules/brands/brands.queries.ts';" },
    { [`${SERVER}/cli/cheat.ts`]: "export const a = () => import('../modules/brands/brands.queries.ts');" },
    { [`${EMBEDDED}/cheat.ts`]: "import '@brand-portal/server/modules/brands/brands.queries.ts';" },
  ],
  'server-db-imports-no-module': [{ [`${SERVER}/db/cheat.ts`]: "import '../modules/variants/variants.ts';" }],
  'server-http-imports-no-module': [{ [`${SERVER}/http/cheat.ts`]: "import '../modules/variants/variants.ts';" }],
  'server-not-to-embedded': [
    { [`${SERVER}/start.ts`]: "import '../../embedded/src/postgres.ts';\nexport const run = () => {};" },
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

/** The server modules that each module imports, read from the sources. Tests may import across modules. */
function readModuleImports(folder: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  const files = globSync('*/**/*.ts', { cwd: folder }).filter((file) => !/\.test\.ts$|\/test-support\//.test(file));
  for (const file of files) {
    const [module = ''] = file.split(sep);
    const known = imports.get(module) ?? new Set();
    imports.set(module, known);
    for (const [, path = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const [other = ''] = relative(folder, join(folder, dirname(file), path)).split(sep);
      if (other !== module && other !== '..') known.add(other);
    }
  }
  return imports;
}

it('no two modules of the server import each other', () => {
  const imports = readModuleImports(join(import.meta.dirname, '../apps/server/src/modules'));
  const pairs = [...imports].flatMap(([module, others]) =>
    [...others]
      .filter((other) => module < other && imports.get(other)?.has(module))
      .map((other) => `${module} and ${other}`),
  );
  expect(imports.size).toBeGreaterThan(8);
  expect(pairs).toEqual([]);
});
