import { pipeline } from 'node:stream/promises';
import { CompiledQuery } from 'kysely';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from './database.ts';

/**
 * Streams lines of COPY's text format into a table, as fast as the database takes them. Inside of a transaction only, where `db` is one
 * connection: the query builder knows no COPY, but hands what it gets to `pg`, and that takes a stream.
 */
export async function copyLines(db: Db, target: string, lines: AsyncIterable<string>): Promise<void> {
  const copy = copyFrom(`copy ${target} from stdin`);
  await db.executeQuery({ ...CompiledQuery.raw(''), sql: copy as unknown as string });
  await pipeline(lines, copy);
}

/** One line of COPY's text format; `undefined` is NULL. */
export function copyLine(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map((value) => (value === undefined ? '\\N' : escapeCell(String(value)))).join('\t')}\n`;
}

function escapeCell(value: string): string {
  return /[\\\t\n\r]/.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : value;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
