import { pipeline } from 'node:stream/promises';
import { CompiledQuery, sql } from 'kysely';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from './database.ts';
import type { Ids, Value } from './fragments.ts';
import { NOTICE_CHANNEL } from './notices.ts';

/** Runs a statement given as text, with values for `$1`, `$2`, … */
export async function runText<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

interface PreparedStatement {
  /** Must be unique per text: a connection plans it once and reuses it by name. */
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement that each connection parses and plans only once. The query builder cannot name a statement, but passes the query object
 * to `pg`, which accepts a name. Use it for a bounded number of texts only: they stay as long as the connection.
 */
export async function runPrepared<Row>(db: Db, { name, text }: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...values]);
  const { rows } = await db.executeQuery<Row>({ ...query, sql: { name, text } as unknown as string });
  return rows;
}

/**
 * Reads ids, for `id = any (${await readIds(…)})`. A list that is a value is looked up by hash. In `array(…)` each row may be compared with
 * each id: an import of a million rows and an undo of 200,000 did not end, because the statistics had been taken during them and did not
 * have the new rows yet.
 */
export async function readIds(db: Db, ids: Ids): Promise<Value<number[]>> {
  const { rows } = await sql<{ ids: string }>`
    select coalesce(array_agg(distinct id), '{}')::text as ids from (${ids}) chosen (id)
  `.execute(db);
  return sql`${rows[0]?.ids}::bigint[]`;
}

/** Settings for the current transaction; on a cluster also on the nodes that it uses. The values must be trusted: they are not escaped. */
export async function setForTransaction(db: Db, settings: Readonly<Record<string, string>>): Promise<void> {
  // Without Citus, PostgreSQL accepts the first one as an unknown custom setting.
  const all = Object.entries({ 'citus.propagate_set_commands': 'local', ...settings });
  await sql.raw(all.map(([name, value]) => `set local ${name} = '${value}'`).join('; ')).execute(db);
}

/** The same for the statements of `work` alone. If it fails, the transaction ends, and its settings with it. Not inside itself. */
export async function withSettings<T>(db: Db, settings: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  await setForTransaction(db, settings);
  const result = await work();
  const names = Object.keys(settings);
  await sql.raw(names.map((name) => `set local ${name} to default`).join('; ')).execute(db);
  return result;
}

/**
 * Streams lines of COPY's text format into a table, with backpressure. Only inside a transaction, where `db` is one connection. Kysely has
 * no COPY, but passes the query object to `pg`, which accepts a stream.
 */
export async function copyLines(db: Db, target: string, lines: AsyncIterable<string | Buffer>): Promise<void> {
  const copy = copyFrom(`copy ${target} from stdin`);
  await db.executeQuery({ ...CompiledQuery.raw(''), sql: copy as unknown as string });
  await pipeline(lines, copy);
}

/** Tells all servers that something has changed, when the transaction commits. They may miss it, so they also look from time to time. */
export async function notify(db: Db, notice: string): Promise<void> {
  await sql`select pg_notify(${NOTICE_CHANNEL}, ${notice})`.execute(db);
}
