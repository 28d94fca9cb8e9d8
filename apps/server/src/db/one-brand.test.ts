import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkStatement, LOCAL_TABLES } from '../../test/one-brand.ts';
import { BRAND_TABLES, REFERENCE_TABLES } from './distribute.ts';

test('every table is known as distributed, on every node, or local', () => {
  const schema = readFileSync(join(import.meta.dirname, 'schema.txt'), 'utf8');
  const tables = [...schema.matchAll(/^(?:unlogged )?table (\w+)/gm)].map(([, table]) => table);
  expect(tables.sort()).toEqual([...BRAND_TABLES, ...REFERENCE_TABLES, ...LOCAL_TABLES].sort());
});

test.each([
  ['select name from variants where brand_id = $1 and id = $2'],
  ['select v.name from variants v join imports i on i.brand_id = v.brand_id and i.id = $2 where v.brand_id = $1'],
  ['insert into variants (brand_id, name) select $1, x.name from unnest($2::text[]) x (name)'],
  ['insert into variants (brand_id, name) with n as materialized (select 1) select $1, $2 from n'],
  ["update deliveries d set sent_at = now(), reason = coalesce(r.reason, '') from (select 1) r where brand_id = $1"],
  ['select first_name from users where id = $1'],
])('a statement that a cluster accepts passes: %s', (statement) => {
  expect(() => checkStatement(statement)).not.toThrow();
});

test.each([
  ['select name from variants where id = $1', 'without naming the brand'],
  ['select 1 from variants v join imports i on i.id = v.id where v.brand_id = $1', 'without naming the brand'],
  ['insert into variants (name) values ($1)', 'without naming the brand'],
  ['with n as (select 1) insert into variants (brand_id, name) select $1, $2 from n', 'a CTE before an insert'],
  ['insert into variants (brand_id, name) select $1, l.name from unnest($2::text[]) x cross join lateral (select 1) l', 'a lateral join'],
  [
    'insert into variants (brand_id, name) select $1, $2 on conflict (brand_id, gtin14) do update set version = variants.version + $3',
    'a parameter in "on conflict',
  ],
  ['update deliveries d set sent_at = case when $2 then now() else d.sent_at end where brand_id = $1', 'not immutable in "case"'],
  [
    "update import_rejected_rows r set original = coalesce(r.original, jsonb_build_object('cells', r.cells)) where brand_id = $1",
    'not immutable in "case"',
  ],
  ['select 1 from imports i join users u on u.id = i.user_id where i.brand_id = $1', 'not distributed'],
])('a statement that a cluster would not accept fails: %s', (statement, problem) => {
  expect(() => checkStatement(statement)).toThrow(problem);
});
