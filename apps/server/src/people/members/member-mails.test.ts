// @module-tag empty-installation
import { expect, test, vi } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { RecipientRefused } from '../../mail/mailer.ts';
import { inviteMember } from './invitations.ts';
import { useOnboarding } from './test-support/onboarding.ts';

test('a mail that cannot be sent is retried, with another token', async () => {
  const { call, members, owner, mailer, runJobs, pool, status } = await useOnboarding();
  mailer.refuse = new Error('The mail server is down');
  await call(owner.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  await runJobs();
  const first = await pool.query('select token_hash from invitations');
  expect(first.rows[0].token_hash).toHaveLength(32);
  // The queue stores the result after the job has ended.
  await vi.waitFor(async () => {
    const jobs = await pool.query('select task_identifier, attempts, last_error from graphile_worker.jobs');
    expect(jobs.rows).toEqual([{ task_identifier: 'send_invitation', attempts: 1, last_error: 'The mail server is down' }]);
  }, 10_000);

  mailer.refuse = undefined;
  await runJobs();
  const second = await pool.query('select token_hash from invitations');
  expect(second.rows[0].token_hash).not.toEqual(first.rows[0].token_hash);
  expect((await status(mailer.tokenFor('luis@example.com'))).status).toBe(200);
  await vi.waitFor(async () => expect((await pool.query('select from graphile_worker.jobs')).rows).toHaveLength(0), 10_000);
});

test('the log says whom a mail is for that could not be sent, without its link', async () => {
  const { call, members, owner, mailer, runJobs, brandId, log } = await useOnboarding();
  const { body } = await call(owner.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  const reasons = ['The mail server is down', '550 no such user'] as const;
  mailer.refuse = new Error(reasons[0]);
  await runJobs();
  mailer.refuse = new RecipientRefused(reasons[1]);
  await runJobs();
  const ids = { brand_id: brandId, user_id: body.id, to: 'luis@example.com' };
  expect(log.lines()).toMatchObject([
    { level: 40, ...ids, reason: reasons[0], msg: 'A mail could not be sent and is tried again later' },
    { level: 40, ...ids, reason: reasons[1], msg: 'The mail server refused the recipient of a mail' },
  ]);
  expect(log.text()).not.toContain('token');
});

test('a recipient whom the mail server refuses permanently is not retried', async () => {
  const { call, members, owner, mailer, runJobs, pool } = await useOnboarding();
  mailer.refuse = new RecipientRefused('550 no such user');
  await call(owner.headers, 'POST', members, { email: 'nobody@example.com', role: 'viewer' });
  await runJobs();
  expect((await pool.query('select from graphile_worker.jobs')).rows).toHaveLength(0);
});

test('an invitation that is withdrawn before its mail is sent sends none', async () => {
  const { call, members, owner, mailer, runJobs } = await useOnboarding();
  const { body } = await call(owner.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  await call(owner.headers, 'DELETE', `${members}${body.id}/`);
  await runJobs();
  expect(mailer.mails).toHaveLength(0);
});

test('an invitation whose brand is deleted before its mail is sent sends none, and is not retried', async () => {
  const { call, members, owner, mailer, runJobs, pool } = await useOnboarding();
  await call(owner.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  await pool.query('update brands set deleted_at = now()');
  await runJobs();
  expect(mailer.mails).toHaveLength(0);
  expect((await pool.query('select from graphile_worker.jobs')).rows).toHaveLength(0);
});

test('an invitation and its mail are committed together or not at all', async () => {
  const { db, pool } = await useOnboarding();
  const brandId = await createTestBrand(db);
  const work = db.transaction().execute(async (db) => {
    await inviteMember(db, null, brandId, { email: 'luis@example.com', role: 'viewer' });
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect((await pool.query('select from graphile_worker.jobs')).rows).toHaveLength(0);
  expect((await pool.query("select from users where email = 'luis@example.com'")).rows).toHaveLength(0);
});

test('a token is nowhere in the database, neither in a table nor in a job', async () => {
  const { call, members, owner, invite, mailer, runJobs, pool } = await useOnboarding();
  const { member, token } = await invite('luis@example.com');
  // Includes a job that waits for a retry.
  await call(owner.headers, 'POST', `${members}${member.id}/resend/`);
  mailer.refuse = new Error('The mail server is down');
  await runJobs();
  mailer.refuse = undefined;
  await vi.waitFor(async () => {
    await runJobs();
    expect(mailer.tokenFor('luis@example.com')).not.toBe(token);
  }, 10_000);
  const newToken = mailer.tokenFor('luis@example.com');
  await call(owner.headers, 'POST', `${members}${member.id}/resend/`);

  const { rows: tables } = await pool.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')",
  );
  const all = await Promise.all(
    tables.map(async ({ name }) => JSON.stringify((await pool.query(`select t::text as row from ${name} t`)).rows)),
  );
  const everything = all.join('\n');
  expect(everything).toContain('luis@example.com');
  expect(everything).toContain('send_invitation');
  for (const secret of [token, newToken]) {
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(Buffer.from(secret).toString('hex'));
    expect(everything).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  }
});
