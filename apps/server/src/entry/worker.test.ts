// @module-tag empty-installation
import { setTimeout as sleep } from 'node:timers/promises';
import { type Runner, run, type TaskList } from 'graphile-worker';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addCertificate, addVariants, WAITING_VARIANTS } from '../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { type TestDatabase, useTestDatabase } from '../../test/test-database.ts';
import { inviteMember } from '../people/members/invitations.ts';
import { releaseDeadWorkersJobs } from '../queue/liveness.queries.ts';
import { deleteReplacedJobs, queueJob } from '../queue/queue.ts';
import { migrateJobs, startWorker } from '../queue/worker.ts';
import { CRONTAB, createTasks } from './tasks.ts';

const logger = pino({ level: 'silent' });

async function useJobs() {
  const database = await useTestDatabase();
  await migrateJobs(database.pool, logger);
  const add = (task: string) => database.pool.query('select graphile_worker.add_job($1)', [task]);
  return { database, add };
}

async function useWorker(database: TestDatabase, tasks: TaskList, runJobs?: typeof run) {
  // Its jobs would come into tests that run at a full minute.
  const worker = await startWorker({ database, tasks, crontab: '', logger, run: runJobs });
  onTestFinished(worker.stop);
  return worker;
}

test('jobs run as they are queued, and a failed one is retried later', async () => {
  const { database, add } = await useJobs();
  const done = vi.fn();
  await useWorker(database, {
    good: async () => done(),
    bad: async () => {
      throw new Error('not today');
    },
  });
  await add('bad');
  await add('good');
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce(), 5_000);
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query('select task_identifier, last_error, locked_at from graphile_worker.jobs');
    expect(rows).toEqual([{ task_identifier: 'bad', last_error: 'not today', locked_at: null }]);
  }, 5_000);
});

test('mails wait untouched for as long as there is no mail server, and are sent once there is one', async () => {
  const { database } = await useJobs();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  const owner = await createTestMember(db, brandId, 'owner');
  await queueJob(db, 'send_added_notice', { brand_id: brandId, user_id: owner.id, language: 'en', added_by: null });
  const waiting = async () => (await pool.query('select task_identifier, attempts from graphile_worker.jobs')).rows;

  const deps = { db, publicUrl: 'http://localhost:3000', logger };
  const done = vi.fn();
  const { stop } = await useWorker(database, { ...createTasks(deps), later: async () => done() });
  await pool.query(`select graphile_worker.add_job('later')`);
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce(), 5_000);
  await stop();
  expect(await waiting()).toEqual([{ task_identifier: 'send_added_notice', attempts: 0 }]);

  const send = vi.fn(async () => {});
  await useWorker(database, createTasks({ ...deps, mailer: { send } }));
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), 5_000);
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), 5_000);
});

test('an invitation is sent while the locks of four brands are held, whose work is done once they are released', async () => {
  const { database } = await useJobs();
  const { db, pool } = database;
  const brands: number[] = [];
  for (let n = 0; n < 4; n++) {
    const brandId = await createTestBrand(db, `Busy ${n}`);
    await addVariants(db, brandId, [{ gtin: '61414100' }]);
    await addCertificate(db, brandId, { code: 'FSC-C000001' });
    brands.push(brandId);
  }
  const holder = await pool.connect();
  await holder.query('begin; select from brands for no key update');
  const invitedTo = await createTestBrand(db, 'Other');
  const owner = await createTestMember(db, invitedTo, 'owner');
  await inviteMember(db, owner.id, invitedTo, { email: 'new@example.com', role: 'viewer' });
  for (const task of ['index_variants', 'expire_certificates', 'purge', 'mail_certificates'] as const) await queueJob(db, task, {});

  const send = vi.fn(async () => {});
  await useWorker(database, createTasks({ db, publicUrl: 'http://localhost:3000', logger, mailer: { send } }));
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce(), 10_000);
  // No job waits for a brand: each is done, or will run later.
  const running = () => pool.query('select from graphile_worker.jobs where run_at <= now()');
  await vi.waitFor(async () => expect((await running()).rowCount).toBe(0), 10_000);
  expect((await pool.query(WAITING_VARIANTS)).rowCount).toBe(4);

  await holder.query('commit');
  holder.release();
  await vi.waitFor(async () => {
    expect((await pool.query(WAITING_VARIANTS)).rowCount).toBe(0);
    const { rows } = await pool.query('select distinct reason from certificates');
    expect(rows).toEqual([{ reason: expect.stringMatching(/^no_registry/) }]);
  }, 15_000);
}, 40_000);

test('mails are sent while all other slots are taken', async () => {
  const { database, add } = await useJobs();
  const started = vi.fn();
  const sent = vi.fn();
  await useWorker(database, {
    long: async () => {
      started();
      await sleep(60_000, undefined, { ref: false });
    },
    send_something: async () => sent(),
  });
  for (let job = 0; job < 10; job++) await add('long');
  await vi.waitFor(() => expect(started).toHaveBeenCalledTimes(4), 5_000);
  await add('send_something');
  await vi.waitFor(() => expect(sent).toHaveBeenCalledOnce(), 5_000);
  expect(started).toHaveBeenCalledTimes(4);
});

test('two servers on one database do each job once', async () => {
  const { database, add } = await useJobs();
  const done = vi.fn();
  const tasks = { count: async () => done() };
  await useWorker(database, tasks);
  await useWorker(database, tasks);
  for (let i = 0; i < 20; i++) await add('count');
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(20), 5_000);
  await sleep(100);
  expect(done).toHaveBeenCalledTimes(20);
});

test('stopping waits for jobs that are nearly done', async () => {
  const { database, add } = await useJobs();
  const started = vi.fn();
  const done = vi.fn();
  const { stop } = await useWorker(database, {
    short: async () => {
      started();
      await sleep(400);
      done();
    },
  });
  await add('short');
  await vi.waitFor(() => expect(started).toHaveBeenCalled(), 5_000);
  await stop();
  expect(done).toHaveBeenCalled();
  expect((await database.pool.query('select from graphile_worker.jobs')).rows).toHaveLength(0);
  expect((await database.pool.query('select from job_pools')).rows).toHaveLength(0);
});

test('stopping releases jobs that would take too long, within two seconds', async () => {
  const { database, add } = await useJobs();
  const started = vi.fn();
  const { stop } = await useWorker(database, {
    long: async () => {
      started();
      await sleep(60_000, undefined, { ref: false });
    },
  });
  await add('long');
  await vi.waitFor(() => expect(started).toHaveBeenCalled(), 5_000);
  const begin = performance.now();
  await stop();
  expect(performance.now() - begin).toBeLessThan(2_300);
  const { rows } = await database.pool.query('select attempts, locked_at from graphile_worker.jobs');
  expect(rows).toEqual([{ attempts: 1, locked_at: null }]);
});

test.each([
  ['', false],
  [', even if it was queued again while it ran', true],
])('a job that a stop cut off runs again at the next start, and leaves no failed job%s', async (_name, isReplaced) => {
  const { database } = await useJobs();
  const { db, pool } = database;
  const queue = () => queueJob(db, 'purge', {}, { key: 'purge' });
  const started = vi.fn();
  const { stop } = await useWorker(database, {
    purge: async () => {
      started();
      await sleep(60_000, undefined, { ref: false });
    },
  });
  await queue();
  await vi.waitFor(() => expect(started).toHaveBeenCalled(), 5_000);
  if (isReplaced) await queue();
  await stop();
  await useWorker(database, { purge: async () => {} });
  const left = async () => (await pool.query('select from graphile_worker.jobs')).rowCount;
  await vi.waitFor(async () => expect(await left()).toBe(0), 10_000);
});

test('of jobs without further attempts, those that were replaced while they ran are deleted, the others are kept', async () => {
  const { database } = await useJobs();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  const ids = { brand_id: brandId, user_id: 1 };
  await queueJob(db, 'validate_certificates', { brand_id: brandId }, { key: 'a' });
  await queueJob(db, 'send_invitation', ids, { key: 'b' });
  await queueJob(db, 'send_added_notice', { ...ids, language: 'en', added_by: null });
  await pool.query(`update graphile_worker._private_jobs set attempts = max_attempts, key = case when key = 'a' then null else key end`);
  await deleteReplacedJobs(db);
  const { rows } = await pool.query('select task_identifier as task from graphile_worker.jobs order by id');
  expect(rows).toEqual([{ task: 'send_invitation' }, { task: 'send_added_notice' }]);
});

test('no signal handlers are left behind', async () => {
  const { database } = await useJobs();
  const before = process.listenerCount('SIGTERM');
  const { stop } = await useWorker(database, { nothing: async () => {} });
  expect(process.listenerCount('SIGTERM')).toBe(before);
  await stop();
});

test('jobs of a killed server are taken over by another one, jobs of a running server are not', async () => {
  const { database, add } = await useJobs();
  const { db, pool } = database;
  for (const id of ['dead', 'silent', 'alive', 'fresh']) await add(id);
  const lock = (task: string, poolId: string, ago: string) =>
    pool.query(
      `update graphile_worker._private_jobs j set locked_by = $1, locked_at = now() - $2::interval
       from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = $3`,
      [poolId, ago, task],
    );
  await pool.query("insert into job_pools (id, seen_at) values ('p-silent', now() - interval '2 minutes'), ('p-alive', now())");
  await lock('dead', 'p-dead', '2 minutes');
  await lock('silent', 'p-silent', '2 minutes');
  await lock('alive', 'p-alive', '2 minutes');
  await lock('fresh', 'p-unknown', '5 seconds');
  expect(await releaseDeadWorkersJobs(db)).toBe(2);
  expect(await releaseDeadWorkersJobs(db)).toBe(0);
  const { rows } = await pool.query('select task_identifier from graphile_worker.jobs where locked_at is not null order by 1');
  expect(rows.map((row) => row.task_identifier)).toEqual(['alive', 'fresh']);
});

test('stopping during a restart of the worker stops the new worker too', async () => {
  const { database } = await useJobs();
  const runners = vi.fn(run);
  const { stop } = await useWorker(database, { nothing: async () => {} }, runners);
  const [first] = await Promise.all(runners.mock.results.map(({ value }) => value as Promise<Runner>));
  const { promise: mayStart, resolve: start } = Promise.withResolvers<void>();
  runners.mockImplementation(async (options) => {
    await mayStart;
    return run(options);
  });
  await first?.stop();
  await vi.waitFor(() => expect(runners).toHaveBeenCalledTimes(2), 8_000);
  const stopped = stop();
  start();
  await stopped;
  const second: Runner = await runners.mock.results[1]?.value;
  await second.promise;
  expect((await database.pool.query('select from job_pools')).rows).toEqual([]);
}, 20_000);

test('the worker survives a lost connection to the database', async () => {
  const { database, add } = await useJobs();
  const done = vi.fn();
  database.pool.on('connect', (client) => client.on('error', () => {}));
  await useWorker(database, { good: async () => done() });
  await add('good');
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce(), 5_000);
  await database.pool
    .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    .catch(() => undefined);
  await add('good');
  await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(2), 10_000);
});

test('the purge deletes expired data, including that of the identity provider', async () => {
  const { database } = await useJobs();
  const { db, pool } = database;
  await pool.query("insert into users (email) values ('a@example.com'), ('b@example.com')");
  await pool.query("insert into brands (name) values ('Acme')");
  await pool.query(`
    insert into sessions (user_id, refresh_hash, expires_at) select id, sha256('old'), now() - interval '1 day' from users limit 1;
    insert into sessions (user_id, refresh_hash, expires_at) select id, sha256('new'), now() + interval '1 day' from users limit 1;
    insert into brand_members (brand_id, user_id, role, status) select b.id, u.id, 'viewer', 'invited' from brands b, users u;
    insert into invitations (brand_id, user_id, language, expires_at)
      select b.id, u.id, 'en', now() - case when u.email like 'a%' then interval '31 days' else interval '1 day' end from brands b, users u;
    insert into audit_log (brand_id, action, created_at) values
      (0, 'user.signed_in', now() - interval '366 days'), (0, 'user.signed_in', now() - interval '364 days'),
      (0, 'user.sign_in_refused', now() - interval '366 days'), (0, 'user.staff_granted', now() - interval '366 days');
  `);
  const purgeIdentityProvider = vi.fn(async () => 3);
  const mailer = { send: async () => {} };
  const tasks = createTasks({ db, mailer, publicUrl: 'http://localhost:3000', logger, purgeIdentityProvider });
  await tasks.purge?.({}, {} as never);
  expect((await pool.query('select from sessions')).rows).toHaveLength(1);
  expect((await pool.query('select from invitations')).rows).toHaveLength(1);
  expect((await pool.query('select from brand_members')).rows).toHaveLength(2);
  const { rows: audit } = await pool.query('select action from audit_log order by action');
  expect(audit).toEqual([{ action: 'user.signed_in' }, { action: 'user.staff_granted' }]);
  expect(purgeIdentityProvider).toHaveBeenCalledOnce();
});

test('variants that were written in bulk are put into the search index on a schedule', async () => {
  const { db, pool } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  const gtins = Array.from({ length: 600 }, (_, n) => String(n + 1).padStart(13, '0'));
  await addVariants(
    db,
    brandId,
    gtins.map((gtin) => ({ gtin })),
  );
  const waiting = async () => (await pool.query(`select count(*)::int as n from (${WAITING_VARIANTS}) waiting`)).rows[0].n;
  expect(await waiting()).toBe(600);
  await createTasks({ db, mailer: { send: vi.fn() }, publicUrl: 'http://localhost:3000', logger }).index_variants?.({}, {} as never);
  expect(await waiting()).toBe(0);
  expect(CRONTAB).toMatch(/^\* \* \* \* \* index_variants /m);
});
