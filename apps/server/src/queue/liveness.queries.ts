import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition, Value } from '../db/fragments.ts';

/** A server without a heartbeat for this long counts as crashed. */
const DEAD_AFTER: Value<string> = sql`interval '8 seconds'`;

/** Just after a restart of the database, no server has been able to send one. */
const COULD_BE_SENT: Condition = sql`pg_postmaster_start_time() < now() - ${DEAD_AFTER}`;

export async function sendHeartbeat(db: Db, poolId: string): Promise<void> {
  await sql`
    insert into job_pools (id, seen_at) values (${poolId}, now())
    on conflict (id) do update set seen_at = excluded.seen_at
  `.execute(db);
}

/** Call it when a worker has ended. Jobs that it could not release, because the database was away, can then run elsewhere. */
export async function deletePool(db: Db, poolId: string): Promise<void> {
  await db.deleteFrom('job_pools').where('id', '=', poolId).execute();
  await sql`select graphile_worker.force_unlock_workers(array[${poolId}])`.execute(db);
}

/**
 * Unlocks the jobs of crashed workers, so that others can run them. Returns how many. Also unlocks queues without a running job: a worker that
 * was only slow deletes a job that another one runs by then, whose queue would stay locked.
 */
export async function releaseDeadWorkersJobs(db: Db): Promise<number> {
  await sql`delete from job_pools where seen_at < now() - ${DEAD_AFTER} and ${COULD_BE_SENT}`.execute(db);
  const { rows } = await sql<{ jobs: number }>`
    with abandoned as (
      select id, locked_by from graphile_worker.jobs
      where locked_at < now() - ${DEAD_AFTER} and ${COULD_BE_SENT} and locked_by not in (select id from job_pools)
    ), unlocked as (
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from abandoned having count(*) > 0
    )
    select (select count(*) from abandoned) as jobs from (select count(*) from unlocked) once
  `.execute(db);
  await sql`
    update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
    where locked_at < now() - ${DEAD_AFTER} and not exists (
      select from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.locked_at is not null
    )
  `.execute(db);
  return rows[0]?.jobs ?? 0;
}
