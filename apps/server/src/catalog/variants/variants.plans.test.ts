import type { VariantListQuery } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeDerivedData } from '../../../test/catalogue.ts';
import { createTestBrand } from '../../../test/people.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { inTransaction, PLAN_ONCE } from '../../db/database.ts';
import { getVariantDetail } from './variant-detail.ts';
import { listVariantIds, listVariants } from './variants.ts';

const ROWS = 25_000;
const ORDINARY_ROWS = 3_000;
const TENANT_TABLES = [
  'variants',
  'variant_search',
  'variant_counts',
  'certificates',
  'variant_certificates',
  'variant_search_waiting',
  'deliveries',
];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

let database: TestDatabase;
let brandId: number;
let ordinaryId: number;

/**
 * Adds as many variants of another brand in between, which a plan that reads beyond the brand would touch. Also adds many small brands,
 * because a table of one page is read as a whole, with or without an index.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  brandId = await createTestBrand(database.db, 'Big');
  const otherId = await createTestBrand(database.db, 'Other');
  ordinaryId = await createTestBrand(database.db, 'Ordinary');
  await database.pool.query(`insert into brands (name) select 'Small ' || n from generate_series(1, 2000) n`);
  await database.pool.query(
    `insert into variants (brand_id, gtin, gtin14, name, name_key)
     select id, '61414100', '00000061414100', 'Only one', 'only one' from brands`,
  );
  await database.pool.query(
    `insert into variants (brand_id, gtin, name, published, created_at, gtin14, name_key)
     select r.*, lpad(r.gtin, 14, '0'), search_key(r.name) from (
       select case when n <= $5 then $4::bigint when n % 2 = 0 then $1::bigint else $2::bigint end, (4000000000000 + n * 13)::text,
       (array['Olive Oil', 'Crème', 'Jalapeño', 'Green Tea'])[1 + n / 2 % 4] || ' ' || n % 997 || ' ' || substr(md5(n::text), 1, 4),
       n / 2 % 10 < 3, timestamptz '2025-01-01' + n * interval '1 minute'
     from generate_series(1, $3 * 2 + $5) n) r (brand_id, gtin, name, published, created_at)`,
    [brandId, otherId, ROWS, ordinaryId, ORDINARY_ROWS],
  );
  await database.pool.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
     select b.id, 1 + n % 34, 'C-' || n, 'C-' || n, 'c-' || n, id_sort_key('C-' || n) from brands b, generate_series(1, case when b.id in ($1, $2) then 50 else 1 end) n`,
    [brandId, otherId],
  );
  await database.pool.query(
    `insert into variant_certificates
     select v.brand_id, v.id, c.id from variants v join certificates c using (brand_id) where v.id % 7 = 0 and c.id % 50 = v.id % 50`,
  );
  await database.pool.query(
    `insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
     select brand_id, id, created_at, name_key, gtin14 from variants`,
  );
  await writeDerivedData(database.pool);
  await database.pool.query('vacuum analyze');
});

afterAll(() => database.drop());

function explainList(query: VariantListQuery, id = brandId): Promise<Plan[]> {
  return explainStatements(() => listVariants(database.lists, id, query));
}

/** The plans of all reads, each with the settings it ran with. */
async function explainStatements(run: () => Promise<unknown>): Promise<Plan[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await run();
  const statements = spy.mock.calls.map(([statement, values]) => {
    const config = typeof statement === 'string' ? { text: statement } : statement;
    const { text, name } = config as unknown as { text: string; name?: string };
    return { text, name, values: (values ?? []) as unknown as unknown[] };
  });
  spy.mockRestore();
  const client = await database.pool.connect();
  const plans: Plan[] = [];
  const explain = async (text: string, values: unknown[] = []) =>
    plans.push((await client.query(`explain (analyze, buffers, format json) ${text}`, values)).rows[0]['QUERY PLAN'][0].Plan);
  try {
    await client.query('begin');
    await client.query(PLAN_ONCE.replaceAll('set ', 'set local '));
    for (const { text, name, values } of statements.filter(({ text }) => /^\s*(select|with)/.test(text))) {
      if (text.includes('set_config')) await client.query(text, values);
      else if (name) {
        await client.query(`prepare explained as ${text}`);
        const literals = values.map((value) => {
          if (value === null) return 'null';
          if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
          return `array[${value.map((item) => pg.escapeLiteral(String(item))).join(', ')}]::text[]`;
        });
        await explain(`execute explained (${literals.join(', ')})`);
        await client.query('deallocate explained');
      } else await explain(text, values);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
  return plans;
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The condition of a scan. A bitmap scan has it one or two levels further down. */
function conditionsOf(plan: Plan): string[] {
  if (plan['Index Cond']) return [plan['Index Cond']];
  return (plan.Plans ?? []).flatMap(conditionsOf);
}

const ORDERINGS = ['-created_at', 'created_at', 'name', '-name'] as const;
const FILTERS = [{}, { published: true }, { published: false }, { has_certs: true }, { has_certs: false }];
const PLACES = { first: 1, second: 2, middle: 150, last: 2500, 'beyond the last': 9999 };

const cases: [string, VariantListQuery][] = [
  ...ORDERINGS.flatMap((ordering) =>
    FILTERS.flatMap((filter) =>
      Object.entries(PLACES).map(([place, page]): [string, VariantListQuery] => [
        `${place} page by ${ordering} of ${JSON.stringify(filter)}`,
        { ...filter, ordering, page },
      ]),
    ),
  ),
  ...['o', 'zq', 'q', 'olive', 'tea 12', 'nothing like it', '4000000', '4000-0001', '%'].flatMap((search) =>
    FILTERS.map((filter): [string, VariantListQuery] => [
      `search for ${search} in ${JSON.stringify(filter)}`,
      { ...filter, search, ordering: 'name' },
    ]),
  ),
];

describe('no plan reads rows of another brand:', () => {
  test.each(cases)('%s', async (_name, query) => {
    for (const id of [brandId, ordinaryId]) {
      const nodes = (await explainList(query, id)).flatMap(nodesOf);
      // Nodes that were not executed read nothing.
      const scans = nodes.filter((node) => TENANT_TABLES.includes(node['Relation Name'] ?? '') && node['Actual Loops'] > 0);
      expect(scans.length).toBeGreaterThan(0);
      for (const scan of scans) {
        const conditions = conditionsOf(scan);
        expect(scan['Node Type']).toMatch(/^(Index|Index Only|Bitmap Heap) Scan$/);
        expect(conditions).not.toEqual([]);
        for (const condition of conditions) {
          expect(condition).toMatch(new RegExp(`brand_id = '?${id}'?|@@ '''${id.toString(16)}:|brand_id = \\$1`));
        }
      }
    }
  });
});

test.each(ORDERINGS.flatMap((ordering) => FILTERS.map((filter) => [ordering, filter] as const)))(
  'the first and the last page ordered by %s with %j read little more than their rows',
  async (ordering, filter) => {
    const { count } = await listVariants(database.db, brandId, filter);
    for (const page of [1, Math.ceil(count / 10)]) {
      for (const node of (await explainList({ ...filter, ordering, page })).flatMap(nodesOf)) {
        if (node['Relation Name'] === 'variants') expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThan(60);
      }
    }
  },
);

describe('a search of a large brand that finds nothing', () => {
  async function variantScans(filter: VariantListQuery = {}): Promise<Plan[]> {
    const plans = await explainList({ ...filter, search: 'zq', ordering: 'name' });
    return plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'variants');
  }

  test.each(FILTERS)('reads no variants, with %j', async (filter) => {
    for (const scan of await variantScans(filter)) {
      expect(scan['Shared Hit Blocks'] + scan['Shared Read Blocks']).toBeLessThan(20);
    }
  });

  test('reads only the renamed variants that are not indexed again yet', async () => {
    await database.pool.query(
      `insert into variant_search_waiting (brand_id, variant_id)
       select brand_id, id from variants where brand_id = $1 order by id limit 1000`,
      [brandId],
    );
    await database.pool.query('vacuum analyze variant_search_waiting');
    const read = (await variantScans()).map((scan) => scan['Rows Removed by Filter'] ?? 0);
    await database.pool.query('delete from variant_search_waiting');
    expect(Math.max(...read)).toBe(1000);
  });
});

test('one variant is opened without reading the whole brand', async () => {
  const { rows } = await database.pool.query('select max(id) as id from variants where brand_id = $1', [brandId]);
  const place = { brandId, variantId: rows[0].id, userId: 1, language: 'en' as const };
  const plans = await explainStatements(() => getVariantDetail(database.db, place));
  const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'variants');
  const read = Math.max(...scans.map((scan) => scan['Actual Rows'] * scan['Actual Loops']));
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThanOrEqual(1_000);
});

test('all but 10,000 variants are listed without comparing each with each', async () => {
  const excepted = Array.from({ length: 10_000 }, (_, index) => index + 1);
  const ids = await inTransaction(database.lists, async (db) => {
    await sql`set local statement_timeout = '1s'`.execute(db);
    return listVariantIds(db, brandId, {}, excepted);
  });
  expect(ids.length).toBeGreaterThan(15_000);
  expect(Math.min(...ids)).toBeGreaterThan(10_000);
});
