import { CompiledQuery, sql } from 'kysely';
import type { Db } from './database.ts';

/** Runs a statement put together as text, with its values as `$1`, `$2`, … */
export async function runText<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

interface PreparedStatement {
  /** One name, one text: a connection plans it once and knows it by its name from then on. */
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement that each connection parses and plans only once. The query builder has no way to name a statement, but
 * hands what it gets to `pg`, and that takes a name. Only for texts of a bounded number: they stay for the connection's life.
 */
export async function runPrepared<Row>(
  db: Db,
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...values]);
  const { rows } = await db.executeQuery<Row>({ ...query, sql: { name, text } as unknown as string });
  return rows;
}

/** Planner settings that end with the transaction. */
export async function setForTransaction(db: Db, settings: Readonly<Record<string, string>>): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  await sql`select ${sql.join(calls)}`.execute(db);
}
