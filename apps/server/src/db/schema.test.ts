// @module-tag empty-installation
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readColumns, readDump, readTypes } from '../../test/schema.ts';
import { useTestDatabase } from '../../test/test-database.ts';

test('the schema is the one that is written down in schema.txt, without a trigger', async () => {
  const { pool } = await useTestDatabase();
  const dump = await readDump(pool, 'public');
  expect(dump).not.toContain('trigger');
  await expect(dump).toMatchFileSnapshot('schema.txt');
});

test('the TypeScript table types match the database', async () => {
  const { pool } = await useTestDatabase();
  const types = readTypes(join(import.meta.dirname, 'schema.ts'), 'Schema');
  expect(types).toEqual(await readColumns(pool, 'public', Object.keys(types)));
});

test('a primary key is the newest index of its table, where others lead with the same column', async () => {
  const { pool } = await useTestDatabase();
  // Of indexes that seem equal, PostgreSQL takes the newest (docs/decisions/0010-one-brand-per-statement.md).
  const { rows } = await pool.query(
    `select p.indrelid::regclass::text as table from pg_index p
     where p.indisprimary and p.indrelid::regclass::text = any ($1) and exists (
       select from pg_index i where i.indrelid = p.indrelid and i.indkey[0] = p.indkey[0] and i.indexrelid > p.indexrelid)`,
    [['variants', 'certificates', 'certificate_notices', 'variant_certificates', 'deliveries']],
  );
  expect(rows).toEqual([]);
});
