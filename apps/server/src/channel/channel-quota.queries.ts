import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface Quota {
  readonly calls: number;
  readonly perMs: number;
}

/** Token bucket: up to a twentieth may be used at once, and the rest refills over the period. So no period exceeds the quota. */
const BURST_SHARE = 0.05;

interface QuotaAllowance {
  /** How many calls may be made now. */
  readonly calls: number;
  /** No calls may be made now. */
  readonly isPaused: boolean;
}

/** Refills the quota and locks it. Then call `spendQuota` for the calls to be made, in the same short transaction. */
export async function lockQuota(db: Db, { calls, perMs }: Quota): Promise<QuotaAllowance> {
  const { rows } = await sql<QuotaAllowance>`
    update channel_quota
    set refilled_at = clock_timestamp(),
      calls = least(${calls * BURST_SHARE}, calls + greatest(0, extract(epoch from clock_timestamp() - refilled_at)) * 1000
        * ${(calls * (1 - BURST_SHARE)) / perMs}::double precision)
    returning floor(calls) as calls, paused_until > clock_timestamp() as "isPaused"
  `.execute(db);
  return rows[0] ?? { calls: 0, isPaused: false };
}

export async function isQuotaPaused(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from channel_quota where paused_until > clock_timestamp()`.execute(db);
  return rows.length > 0;
}

export async function spendQuota(db: Db, calls: number): Promise<void> {
  await sql`update channel_quota set calls = calls - ${calls}`.execute(db);
}

/** Blocks all calls for this long. */
export async function pauseQuota(db: Db, ms: number): Promise<void> {
  await sql`
    update channel_quota set paused_until = greatest(paused_until, clock_timestamp() + ${ms} * interval '1 millisecond')
  `.execute(db);
}
