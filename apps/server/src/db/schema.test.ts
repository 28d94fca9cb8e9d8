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
