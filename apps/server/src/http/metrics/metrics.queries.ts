import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

interface Counts {
  readonly jobs: readonly { task: string; state: string; count: number }[];
  readonly deliveries: readonly { state: string; count: number }[];
  readonly deliveryDelaySeconds: number;
  readonly imports: { readonly count: number; readonly imported: number; readonly rejected: number };
}

/** What the whole installation has to do and has done. Every server sees the same figures: they are in the database. */
export async function readCounts(db: Db): Promise<Counts> {
  const [jobs, deliveries, delay, imports] = await Promise.all([
    countJobs(db),
    countDeliveries(db),
    readDeliveryDelay(db),
    countImports(db),
  ]);
  return { jobs, deliveries, deliveryDelaySeconds: delay, imports };
}

async function countJobs(db: Db): Promise<Counts['jobs']> {
  const { rows } = await sql<Counts['jobs'][number]>`
    select task_identifier as task,
      case when locked_at is not null then 'running'
           when attempts >= max_attempts then 'failed'
           when attempts > 0 then 'retrying'
           when run_at > now() then 'scheduled'
           else 'waiting' end as state,
      count(*) as count
    from graphile_worker.jobs group by 1, 2
  `.execute(db);
  return rows;
}

/** Reads the whole table: 0.35 s for a million rows on two busy cores, hence at most once a minute. */
async function countDeliveries(db: Db): Promise<Counts['deliveries']> {
  const { rows } = await sql<Counts['deliveries'][number]>`
    select state, count(*) as count from channel_deliveries group by state
  `.execute(db);
  return rows;
}

async function readDeliveryDelay(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(greatest(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 as seconds
    from channel_deliveries where channel = 'google'
  `.execute(db);
  return rows[0]?.seconds ?? 0;
}

async function countImports(db: Db): Promise<Counts['imports']> {
  const { rows } = await sql<Counts['imports']>`
    select count(*) as count, coalesce(sum(imported), 0)::bigint as imported, coalesce(sum(rejected), 0)::bigint as rejected
    from imports
  `.execute(db);
  return rows[0] ?? { count: 0, imported: 0, rejected: 0 };
}
