import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A task that is queued once in every so many seconds, `afterSeconds` into each such time, counted in UTC. */
export interface ClockItem {
  readonly task: string;
  readonly everySeconds: number;
  readonly afterSeconds?: number;
  readonly maxAttempts: number;
  readonly queueName?: string;
}

/**
 * Queues the tasks whose turn it is, wherever several servers share a database only once. One that is new waits for its next
 * turn. Any turn but the last one counts, not only later ones: a clock that was set back does not silence it until then.
 *
 * One job of a kind waits, however many turns pass. Those of its task that were given up go: this turn makes up for them, and what the
 * queue shows as failed is what still needs somebody. Their key does not do that, because a job that is given up loses it.
 */
export async function queueTurns(db: Db, items: readonly ClockItem[]): Promise<void> {
  await sql`
    with items as (
      select *, floor((extract(epoch from now()) - coalesce("afterSeconds", 0)) / "everySeconds")::bigint as turn
      from json_to_recordset(${JSON.stringify(items)}) as item (task text, "everySeconds" integer, "afterSeconds" integer,
        "maxAttempts" integer, "queueName" text)
    ), noted as (
      insert into job_clock (task, turn) select task, turn from items on conflict do nothing
    ), due as (
      update job_clock set turn = items.turn from items
      where job_clock.task = items.task and job_clock.turn <> items.turn
      returning items.*
    )
    select graphile_worker.add_job(task, queue_name => "queueName", job_key => task || '-by-clock', max_attempts => "maxAttempts"),
      array(select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs where task_identifier = task and attempts >= max_attempts and locked_at is null)))
    from due
  `.execute(db);
}
