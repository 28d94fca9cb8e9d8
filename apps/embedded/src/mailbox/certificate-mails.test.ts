// @module-tag empty-installation

import { createTestCertificates, loadTestRegistry } from '@brand-portal/server/catalog/certificates/test-support/certificates.ts';
import { validateCertificates } from '@brand-portal/server/catalog/certificates/validation.ts';
import { createTasks } from '@brand-portal/server/entry/tasks.ts';
import { createMailer } from '@brand-portal/server/mail/mailer.ts';
import { rememberLanguage } from '@brand-portal/server/people/identity/users.ts';
import { updateNotifications } from '@brand-portal/server/people/members/members.ts';
import { queueJob } from '@brand-portal/server/queue/queue.ts';
import { migrateJobs } from '@brand-portal/server/queue/worker.ts';
import { createTestBrand, createTestMember } from '@brand-portal/server/test/people.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { Logger, runOnce } from 'graphile-worker';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedMailbox } from './mailbox.ts';

const logger = pino({ level: 'silent' });
const publicUrl = 'http://localhost:3000';
const DAY_MS = 86_400_000;
/** The expiry date. In the far future, because the database's clock, which schedules the work, cannot be changed. */
const LAST_DAY = '2927-05-01';

/** A brand, the jobs of its certificates, and the mailbox that gets their mails over SMTP. */
async function useMailedBrand() {
  const { db, pool } = await useTestDatabase();
  await migrateJobs(pool, logger);
  const mailbox = await startEmbeddedMailbox({ db, publicUrl, logger });
  onTestFinished(mailbox.stop);
  const mailer = createMailer({ smtpUrl: mailbox.smtpUrl, from: 'Brand Portal <no-reply@portal.example>' });
  const taskList = createTasks({ db, mailer, publicUrl, logger });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const brandId = await createTestBrand(db, 'Casa Verde');
  /** Sets the clock, runs jobs like the schedule does, and returns the mails. */
  const runAt = async (time: string, ...jobs: ('expire_certificates' | 'mail_certificates')[]) => {
    vi.setSystemTime(time);
    for (const job of jobs) await queueJob(db, job, {});
    await runOnce({ pgPool: pool, taskList, noHandleSignals: true, logger: new Logger(() => () => {}) });
    const { rows } = await pool.query<{ recipients: string; subject: string; text_body: string }>(
      'delete from embedded.mailbox_messages returning recipients, subject, text_body',
    );
    return rows;
  };
  /** Replaces the content of the GOTS registry. */
  const list = async (...externalIds: string[]) => {
    const entries = externalIds.map((externalId) => ({
      externalId,
      expiresOn: externalId === 'CU-1' ? LAST_DAY : null,
    }));
    await loadTestRegistry(db, 'GOTS', entries, { replace: true });
    await validateCertificates(db, brandId);
  };
  return { db, brandId, runAt, list };
}

const dayBefore = (days: number) => new Date(Date.parse(LAST_DAY) - days * DAY_MS).toISOString().slice(0, 10);

test('from 61 days before a certificate ends to the day after, the mailbox gets one mail per person at 60, 30, 7 and 0 days and when one turned invalid', async () => {
  const { db, brandId, runAt, list } = await useMailedBrand();
  const owner = await createTestMember(db, brandId, 'owner');
  const admin = await createTestMember(db, brandId, 'admin');
  const silent = await createTestMember(db, brandId, 'admin');
  await createTestMember(db, brandId, 'editor');
  await rememberLanguage(db, admin.id, 'es');
  await updateNotifications(db, brandId, silent.id, { certificate_mails: false });
  vi.setSystemTime(`${dayBefore(62)}T12:00:00Z`);
  await createTestCertificates(db, brandId, 'GOTS', ['CU-1', 'CU-2', 'CU-3']);
  await list('CU-1', 'CU-2', 'CU-3');

  const mails: { days: number; to: string; subject: string; lines: string[] }[] = [];
  for (let days = 61; days >= -1; days--) {
    const day = dayBefore(days);
    vi.setSystemTime(`${day}T00:00:00Z`);
    // On the day of a threshold both are in one mail; on any other day it has its own mail.
    if (days === 30) await list('CU-1', 'CU-2');
    if (days === 20) await list('CU-1');
    const arrived = [
      ...(await runAt(`${day}T00:10:00Z`, 'expire_certificates')),
      ...(await runAt(`${day}T06:05:00Z`, 'mail_certificates')),
      // The catch-up run of another server, and once more in the evening.
      ...(await runAt(`${day}T06:06:00Z`, 'mail_certificates')),
      ...(await runAt(`${day}T18:00:00Z`, 'expire_certificates', 'mail_certificates')),
    ];
    for (const { recipients, subject, text_body } of arrived) {
      const lines = text_body.split(/\r?\n/).filter((line) => line.startsWith('- '));
      mails.push({ days, to: recipients, subject, lines: lines.map((line) => line.slice(2).replace(/ · .*/, '')) });
    }
  }
  const mailsTo = (email: string) => mails.filter(({ to }) => to === email).map(({ days, subject, lines }) => [days, subject, ...lines]);
  const one = '“Casa Verde”: 1 certificate needs you';
  expect(mailsTo(owner.email)).toEqual([
    [60, one, 'CU-1 (GOTS) ends in 60 days, on May 1, 2927'],
    [
      30,
      '“Casa Verde”: 2 certificates need you',
      'CU-3 (GOTS) is invalid: the registry does not list it',
      'CU-1 (GOTS) ends in 30 days, on May 1, 2927',
    ],
    [20, one, 'CU-2 (GOTS) is invalid: the registry does not list it'],
    [7, one, 'CU-1 (GOTS) ends in 7 days, on May 1, 2927'],
    [0, one, 'CU-1 (GOTS) ends today, May 1, 2927'],
  ]);
  const uno = '«Casa Verde»: 1 certificado necesita tu atención';
  expect(mailsTo(admin.email)).toEqual([
    [60, uno, 'CU-1 (GOTS) vence en 60 días, el 1 de mayo de 2927'],
    [
      30,
      '«Casa Verde»: 2 certificados necesitan tu atención',
      'CU-3 (GOTS) no es válido: el registro no lo incluye',
      'CU-1 (GOTS) vence en 30 días, el 1 de mayo de 2927',
    ],
    [20, uno, 'CU-2 (GOTS) no es válido: el registro no lo incluye'],
    [7, uno, 'CU-1 (GOTS) vence en 7 días, el 1 de mayo de 2927'],
    [0, uno, 'CU-1 (GOTS) vence hoy, 1 de mayo de 2927'],
  ]);
  // No other recipients: not the editor, not the admin who turned the mails off.
  expect(mails).toHaveLength(10);
});

test('a member who turns the mails off gets none, and after turning them on again gets the next one', async () => {
  const { db, brandId, runAt, list } = await useMailedBrand();
  const owner = await createTestMember(db, brandId, 'owner');
  vi.setSystemTime(`${dayBefore(62)}T12:00:00Z`);
  await createTestCertificates(db, brandId, 'GOTS', ['CU-1']);
  await list('CU-1');
  const counts: number[] = [];
  for (const [days, certificate_mails] of [
    [60, true],
    [30, false],
    [7, true],
  ] as const) {
    await updateNotifications(db, brandId, owner.id, { certificate_mails });
    counts.push((await runAt(`${dayBefore(days)}T06:05:00Z`, 'mail_certificates')).length);
  }
  expect(counts).toEqual([1, 0, 1]);
});
