import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A server without a heartbeat for this long counts as crashed. */
const DEAD_AFTER = sql`interval '60 seconds'`;

export async function sendHeartbeat(db: Db, poolId: string): Promise<void> {
  await sql`
    insert into job_pools (id, seen_at) values (${poolId}, now())
    on conflict (id) do update set seen_at = excluded.seen_at
  `.execute(db);
}

export async function deletePool(db: Db, poolId: string): Promise<void> {
  await db.deleteFrom('job_pools').where('id', '=', poolId).execute();
}

/** Unlocks the jobs of crashed workers, so that others can run them. Returns how many. */
export async function releaseDeadWorkersJobs(db: Db): Promise<number> {
  await sql`delete from job_pools where seen_at < now() - ${DEAD_AFTER}`.execute(db);
  const { rows } = await sql<{ jobs: number }>`
    with abandoned as (
      select id, locked_by from graphile_worker.jobs
      where locked_at < now() - ${DEAD_AFTER} and locked_by not in (select id from job_pools)
    ), unlocked as (
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from abandoned having count(*) > 0
    )
    select (select count(*) from abandoned) as jobs from (select count(*) from unlocked) once
  `.execute(db);
  return rows[0]?.jobs ?? 0;
}
