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

test('a job key keeps one job waiting, not one per turn', async () => {
  const { look, turn, jobs } = await useClock([{ ...DAILY, jobKey: 'tidy-by-clock' }]);
  await look();
  for (let time = 0; time < 3; time++) {
    await turn(-1);
    await look();
  }
  expect(await jobs()).toHaveLength(1);
});
