import { sql } from 'kysely';
import type { Db } from './database.ts';

type JobState = 'waiting' | 'scheduled' | 'running' | 'retrying' | 'failed';

/** `failed`: all attempts are used up. */
export async function countJobs(db: Db): Promise<{ task: string; state: JobState; count: number }[]> {
  const { rows } = await sql<{ task: string; state: JobState; count: number }>`
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
