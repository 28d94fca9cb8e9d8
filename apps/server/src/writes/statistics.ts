import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { type Jobs, queueJob } from '../queue/queue.ts';

const MANY_ROWS = 10_000;

/**
 * Call it after inserting `rows` rows of a brand into a table. PostgreSQL plans by the number of rows that it has counted for a brand. With
 * a number from before a large import, searches with a filter took more than 10 s. Autovacuum counts again, but only up to a minute later.
 * In a job, because counting takes longer than the brand's lock should be held.
 */
export async function refreshStatisticsLater(db: Db, table: Jobs['refresh_statistics']['table'], rows: number | bigint = 0): Promise<void> {
  if (rows >= MANY_ROWS) await queueJob(db, 'refresh_statistics', { table }, { key: `refresh_statistics:${table}` });
}

/** Only the brands are counted, which takes a fifth of the time, and not while another process counts. */
export async function refreshStatistics(db: Db, table: Jobs['refresh_statistics']['table']): Promise<void> {
  await sql`analyze (skip_locked) ${sql.table(table)} (brand_id)`.execute(db);
}
