import { describe, expect, it } from 'vitest';
import { findViolations, SOURCE_RULES } from './source-rules.ts';
import { buildRepo, CLEAN_REPO, type Sources } from './synthetic-repo.ts';

function breachesOf(sources: Sources) {
  const repo = buildRepo(sources);
  try {
    return findViolations(repo.root);
  } finally {
    repo.remove();
  }
}

const HTTP = 'apps/server/src/http/cheat.ts';
const LOGIC = 'apps/server/src/people/brands/cheat.ts';
const QUERIES = 'apps/server/src/people/brands/cheat.queries.ts';

const BREACHES: Record<string, Sources[]> = {
  'environment-only-in-config': [
    { [HTTP]: 'export const port = process.env.PORT;' },
    { [HTTP]: "export const port = process.env['PORT'];" },
    { 'apps/embedded/src/cheat.ts': 'export const port = process.env.PORT;' },
    { [HTTP]: 'const { env } = process;\nexport const port = env.PORT;' },
    { [HTTP]: "import { env as settings } from 'node:process';\nexport const port = settings.PORT;" },
  ],
  'sql-only-in-queries': [
    { [LOGIC]: "import { sql } from 'kysely';\nexport const a = sql`select 1`;" },
    { [LOGIC]: "import { sql as text } from 'kysely';\nexport const a = text`select 1`;" },
    { [LOGIC]: "export const a = (db) => db.selectFrom('brands');" },
    { 'apps/embedded/src/identity.ts': "export const a = (db) => db.deleteFrom('clients');" },
  ],
  'brand-data-written-in-one-room': [
    { [QUERIES]: "import { sql } from 'kysely';\nexport const a = sql`update variants set published = true`;" },
    { [QUERIES]: "export const text = 'delete from variant_certificates where brand_id = $1';" },
    { [QUERIES]: "export const a = (db) => db.insertInto('certificates as c').values({});" },
    { [QUERIES]: "export const a = (db) => db.updateTable('deliveries').set({ state: 'live' });" },
  ],
  'no-raw-html': [
    { 'apps/web/src/ui/a.tsx': 'export const A = (p) => <b dangerouslySetInnerHTML={{ __html: p.text }} />;' },
    { 'apps/web/src/lib/a.ts': 'export const show = (element, text) => {\n  element.innerHTML = text;\n};' },
  ],
  'no-inline-type-imports': [
    { 'apps/web/src/lib/a.ts': "export type A = Promise<import('../ui/button.tsx').Button>;" },
    { 'apps/web/src/ui/a.tsx': "export const A = (props: { b: import('./button.tsx').B }) => <b>{props.b}</b>;" },
  ],
};

describe('source rules', () => {
  it('accept a repo without violations', () => {
    expect(breachesOf(CLEAN_REPO)).toEqual([]);
  });

  it('each have a deliberate violation here', () => {
    expect(Object.keys(BREACHES).sort()).toEqual(SOURCE_RULES.map(({ name }) => name).sort());
  });

  const cases = Object.entries(BREACHES).flatMap(([rule, repos]) => repos.map((repo) => ({ rule, repo })));
  it.each(cases)('$rule fails for $repo', ({ rule, repo }) => {
    const [path] = Object.keys(repo);
    expect(breachesOf({ ...CLEAN_REPO, ...repo })).toEqual([{ rule, path }]);
  });

  it('allow SQL in the queries of an embedded stand-in, and the environment in tests', () => {
    const allowed = {
      'apps/embedded/src/identity.queries.ts': "import { sql } from 'kysely';\nexport const a = sql`select 1`;",
      'apps/server/src/lib/config.test.ts': 'export const port = process.env.PORT;',
    };
    expect(breachesOf({ ...CLEAN_REPO, ...allowed })).toEqual([]);
  });
});
