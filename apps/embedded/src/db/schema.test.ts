// @module-tag empty-installation
import { join } from 'node:path';
import { readColumns, readDump, readTypes } from '@brand-portal/server/test/schema.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { expect, test } from 'vitest';

test('the schema of the stand-ins is the one that is written down in schema.txt', async () => {
  const { pool } = await useTestDatabase();
  await expect(await readDump(pool, 'embedded')).toMatchFileSnapshot('schema.txt');
});

test('the TypeScript table types of the stand-ins match the database', async () => {
  const { pool } = await useTestDatabase();
  const types = readTypes(join(import.meta.dirname, 'schema.ts'), 'EmbeddedSchema');
  expect(Object.keys(types).length).toBeGreaterThan(10);
  expect(types).toEqual(await readColumns(pool, 'embedded', Object.keys(types)));
});
