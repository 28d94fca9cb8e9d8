// @module-tag empty-installation
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { databaseUrl, dropDatabases, joinNodes } from '../../test/databases.ts';
import { createTestBrand } from '../../test/people.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { StartupError } from '../lib/errors.ts';
import { type Db, openDatabase } from './database.ts';
import { BRAND_TABLES, distribute, isDistributed, REFERENCE_TABLES } from './distribute.ts';
import { migrate } from './migrate.ts';

/** These have a brand_id, but are read across brands. */
const LOCAL_TABLES = ['api_keys', 'channel_feeds', 'brand_members', 'invitations', 'due_work'];
const [coordinator = '', ...workers] = inject('postgresUrls');

async function listNames(db: Db, query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> {
  return (await query.execute(db)).rows.map(({ name }) => name);
}

const tablesWithBrand = sql<{ name: string }>`
  select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema in ('public', 'embedded') and column_name = 'brand_id' and table_type = 'BASE TABLE' order by 1`;
const distributedTables = sql<{ name: string }>`
  select relname as name from pg_dist_partition join pg_class on oid = logicalrelid order by 1`;

test('every table with a brand_id is distributed by it, or listed as read across brands', async () => {
  const { db } = await useTestDatabase();
  expect(await listNames(db, tablesWithBrand)).toEqual([...BRAND_TABLES, ...LOCAL_TABLES].sort());
});

test('foreign keys of distributed tables refer to distributed or reference tables only', async () => {
  const { db } = await useTestDatabase();
  const referred = await listNames(
    db,
    sql`select distinct f.relname as name from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where contype = 'f' and t.relname = any (${[...BRAND_TABLES, ...REFERENCE_TABLES]}) order by 1`,
  );
  expect(referred.length).toBeGreaterThan(0);
  expect([...BRAND_TABLES, ...REFERENCE_TABLES]).toEqual(expect.arrayContaining(referred));
});

test.skipIf(workers.length > 0)('a PostgreSQL without Citus is refused in one sentence', async () => {
  const { db } = await useTestDatabase();
  expect(await isDistributed(db)).toBe(false);
  const failure = await distribute(db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect((failure as Error).message).toMatch(/^The database is not part of a Citus cluster: [^.]*\(docs\/OPERATIONS\.md\)\.$/);
});

/** Creates a database on every node, which takes seconds. */
describe.skipIf(workers.length === 0)('on a cluster', { timeout: 120_000 }, () => {
  async function useCluster(): Promise<Db> {
    const name = `${inject('namePrefix')}distribute_${Math.random().toString(36).slice(2)}`;
    await joinNodes(coordinator, workers, name);
    const { db, close } = openDatabase(`${databaseUrl(coordinator, name)}?options=-c%20citus.shard_count%3D4`, () => {});
    onTestFinished(async () => {
      await close();
      for (const node of [coordinator, ...workers]) await dropDatabases(node, [name]);
    });
    await migrate(db);
    return db;
  }

  test('existing rows are distributed too, and a second run changes nothing', async () => {
    const db = await useCluster();
    const brands = [await createTestBrand(db, 'Here'), await createTestBrand(db, 'There')];
    for (const brandId of brands) {
      await sql`insert into variants (brand_id, gtin, gtin14, name, name_key)
        values (${brandId}, '4006381333931', '04006381333931', 'Olive oil', 'olive oil')`.execute(db);
      await sql`insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
        values (${brandId}, 5, 'FSC-C000001', 'FSC-C000001', 'fsc-c000001', 'fsc-c000001')`.execute(db);
      await sql`insert into variant_certificates select v.brand_id, v.id, c.id from variants v join certificates c using (brand_id)
        where brand_id = ${brandId}`.execute(db);
    }
    expect(await distribute(db)).toEqual([...REFERENCE_TABLES, ...BRAND_TABLES]);
    expect(await distribute(db)).toEqual([]);
    expect(await isDistributed(db)).toBe(true);
    const linked = sql<{ name: string }>`
      select v.name || ' ' || n.name as name from variant_certificates l join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
      join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id join certifications n on n.id = c.certification_id`;
    expect(await listNames(db, linked)).toEqual(['Olive oil FSC', 'Olive oil FSC']);
    // The foreign keys still apply.
    await expect(sql`delete from variants where brand_id = ${brands[0]}`.execute(db)).rejects.toThrow(/foreign key/);
  });

  test('a brand can be moved during writes: its tables are logged and have a primary key', async () => {
    const { db } = await useTestDatabase();
    const stuck = sql<{ name: string }>`
      select relname as name from pg_class where relname = any (${BRAND_TABLES}) and (relpersistence <> 'p' or not exists (
        select from pg_index where indrelid = pg_class.oid and indisprimary))`;
    expect(await listNames(db, stuck)).toEqual([]);
  });

  test('a table that a later version adds is distributed when that version starts', async () => {
    const db = await useCluster();
    await distribute(db);
    await sql`create table copied as table import_links`.execute(db);
    await sql`drop table import_links`.execute(db);
    await sql`alter table copied rename to import_links`.execute(db);
    expect(await listNames(db, distributedTables)).not.toContain('import_links');
    await migrate(db);
    expect(await listNames(db, distributedTables)).toEqual([...BRAND_TABLES, ...REFERENCE_TABLES].sort());
  });
});
