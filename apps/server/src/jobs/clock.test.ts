import { pino } from 'pino';
import { expect, test } from 'vitest';
import { useTestDatabase } from '../../test/test-database.ts';
import { type ClockItem, queueTurns } from './clock.queries.ts';
import { migrateJobs } from './worker.ts';

const DAY = 86_400;
const DAILY: ClockItem = { task: 'tidy', everySeconds: DAY, afterSeconds: 60, maxAttempts: 5, queueName: 'tidying' };

async function useClock(items: readonly ClockItem[] = [DAILY]) {
  const { db, pool } = await useTestDatabase();
  await migrateJobs(pool, pino({ level: 'silent' }));
  const look = () => queueTurns(db, items);
  const turn = (by: number) => pool.query('update job_clock set turn = turn + $1', [by]);
  const jobs = async () =>
    (
      await pool.query(
        'select task_identifier, queue_name, max_attempts, run_at <= now() as due from graphile_worker.jobs',
      )
    ).rows;
  return { look, turn, jobs, pool };
}

test('a task waits for its next turn, and is queued once in it, however many servers look', async () => {
  const { look, turn, jobs, pool } = await useClock();
  await look();
  expect(await jobs()).toEqual([]);
  const { rows } = await pool.query(
    `select turn::int, floor((extract(epoch from now()) - 60) / ${DAY})::int as today from job_clock`,
  );
  expect(rows).toEqual([{ turn: rows[0].today, today: rows[0].today }]);

  await turn(-1);
  await Promise.all([look(), look(), look()]);
  await look();
  expect(await jobs()).toEqual([{ task_identifier: 'tidy', queue_name: 'tidying', max_attempts: 5, due: true }]);
});

test('turns that passed while no server ran are made up for by one', async () => {
  const { look, turn, jobs } = await useClock();
  await look();
  await turn(-30);
  await look();
  await look();
  expect(await jobs()).toHaveLength(1);
});

test('a clock that was set back does not silence the task until it has caught up', async () => {
  const { look, turn, jobs } = await useClock();
  await look();
  await turn(2);
  await look();
  expect(await jobs()).toHaveLength(1);
});

test('one job waits, not one per turn', async () => {
  const { look, turn, jobs } = await useClock();
  await look();
  for (let time = 0; time < 3; time++) {
    await turn(-1);
    await look();
  }
  expect(await jobs()).toHaveLength(1);
});

test('a job that was given up is done away with at the next turn, and no other is', async () => {
  const { look, turn, jobs, pool } = await useClock();
  await look();
  await turn(-1);
  await look();
  await pool.query(`select graphile_worker.add_job('tidy', job_key => 'by hand')`);
  await pool.query(`select graphile_worker.add_job('other')`);
  await pool.query('update graphile_worker._private_jobs set attempts = max_attempts');
  await look();
  expect(await jobs()).toHaveLength(3);
  await turn(-1);
  await look();
  const { rows } = await pool.query(
    'select task_identifier, attempts < max_attempts as alive from graphile_worker.jobs order by id',
  );
  expect(rows).toEqual([
    { task_identifier: 'other', alive: false },
    { task_identifier: 'tidy', alive: true },
  ]);
});

test('the job of a server that was killed is left alone until it is known to be dead, and is then no failure for ever', async () => {
  const { look, turn, jobs, pool } = await useClock();
  await look();
  await turn(-1);
  await look();
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now(), attempts = 1`);
  await turn(-1);
  await look();
  expect(await jobs()).toHaveLength(2);
  await pool.query(`select graphile_worker.force_unlock_workers('{dead}')`);
  await turn(-1);
  await look();
  expect((await pool.query('select attempts from graphile_worker.jobs')).rows).toEqual([{ attempts: 0 }]);
});
