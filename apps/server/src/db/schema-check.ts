import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** What schema.txt has a line for: columns as `table.column`, and indexes, those of keys included. */
function readNames(schemaText: string): string[] {
  let table = '';
  return schemaText.split('\n').flatMap((line) => {
    const opens = /^(?:unlogged )?table (\S+)$/.exec(line);
    if (opens) table = opens[1] ?? '';
    const [, first = '', second = ''] = /^ {2}(\S+) (\S+)/.exec(line) ?? [];
    if (first === '' || ['CHECK', 'FOREIGN'].includes(second)) return [];
    if (first === 'CREATE') return [/INDEX (\S+)/.exec(line)?.[1] ?? ''];
    return ['PRIMARY', 'UNIQUE'].includes(second) ? [first] : [`${table}.${first}`];
  });
}

/** The columns and indexes that the code was written for and the database does not have. Only names are compared. */
export async function listMissing(db: Db, schemaFile: string, schema: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(c.relname || '.' || a.attname, c.relname) as name
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and c.relkind = 'r' and a.attnum > 0
    where c.relnamespace = to_regnamespace(coalesce(${schema ?? null}::text, current_schema())) and c.relkind in ('r', 'i')
  `.execute(db);
  const existing = new Set(rows.map(({ name }) => name));
  return readNames(await readFile(schemaFile, 'utf8')).filter((name) => !existing.has(name));
}
