// @module-tag empty-installation
import { Logger, runOnce } from 'graphile-worker';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { addCertificate, addVariants, connectTestBrand, expectDerivedData, withBrandLock } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, type TestUser } from '../../../test/people.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import { connectBrand } from '../../channel/connections.ts';
import { createTasks } from '../../entry/tasks.ts';
import type { Mail } from '../../mail/mailer.ts';
import { markBrandDeleted, restoreBrand } from '../../people/brands/brand-deletion.ts';
import { rememberLanguage } from '../../people/identity/users.ts';
import { updateMemberRole, updateNotifications } from '../../people/members/members.ts';
import { migrateJobs } from '../../queue/worker.ts';
import { scheduleNotices } from '../../writes/certificate-notices.ts';
import { previewCertificateMail, queueCertificateMails, sendCertificateMail } from './certificate-mails.ts';
import { removeCertificate } from './certificates.ts';
import { reviewCertificate } from './reviews.ts';
import { createTestCertificates, loadTestRegistry, readStatuses } from './test-support/certificates.ts';
import { expireCertificates, validateCertificates } from './validation.ts';

const logger = pino({ level: 'silent' });
const publicUrl = 'https://portal.example';
const DAY_MS = 86_400_000;

/** A brand with an owner, and a mocked clock. Its days are in 2926 and later, because work never becomes due before today. */
async function useMails() {
  const { db, pool } = await useTestDatabase();
  await migrateJobs(pool, logger);
  const brandId = await createTestBrand(db, 'Casa Verde');
  const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lindqvist');
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  /** The mails that were sent since the last call. */
  const sent = async () => {
    const taskList = createTasks({ db, mailer, publicUrl, logger });
    await runOnce({ pgPool: pool, taskList, noHandleSignals: true, logger: new Logger(() => () => {}) });
    return mails.splice(0);
  };
  const mailOn = async (day: string, time = '06:05') => {
    await queueCertificateMails(db, new Date(`${day}T${time}:00Z`));
    return sent();
  };
  const certify = async (code: string, expiresOn: string | null, variantIds: number[] = []) => {
    const id = await addCertificate(db, brandId, { code, status: 'validated', expiresOn }, variantIds);
    await withBrandLock(db, brandId, (db) => scheduleNotices(db, brandId));
    // Removes the queued validation, which would change the status.
    await pool.query('delete from graphile_worker._private_jobs');
    return id;
  };
  return { db, pool, brandId, owner, sent, mailOn, certify };
}

const to = (mails: readonly Mail[]) => mails.map((mail) => mail.to.address).sort();

test('each try of a mail has the same message id, so that a second copy can be dropped', async () => {
  const { brandId, owner, certify, mailOn, db } = await useMails();
  await certify('FSC-C000001', '2927-05-01');
  const [mail] = await mailOn('2927-04-24');
  const again: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void again.push(mail) };
  const job = { brand_id: brandId, user_id: owner.id, day: '2927-04-24' };
  await sendCertificateMail({ db, mailer, publicUrl, logger }, job);
  expect(mail?.messageId).toMatch(/^<[\w.@-]+>$/);
  expect(again).toEqual([mail]);
});

describe('reminders of the last day', () => {
  test('are sent 60, 30, 7 and 0 days before it, once each, and not after', async () => {
    const { db, mailOn, certify, brandId } = await useMails();
    await certify('FSC-C000001', '2927-05-01');
    const told: string[] = [];
    for (let at = Date.parse('2927-02-01'); at < Date.parse('2927-05-10'); at += DAY_MS) {
      const day = new Date(at).toISOString().slice(0, 10);
      await expireCertificates(db, new Date(`${day}T00:01:00Z`));
      for (const time of ['05:00', '06:05', '18:00']) {
        const mails = await mailOn(day, time);
        told.push(...mails.map(({ text }) => `${day} ${/\(FSC\) (.*) ·/.exec(text)?.[1]}`));
      }
    }
    expect(told).toEqual([
      '2927-03-02 ends in 60 days, on May 1, 2927',
      '2927-04-01 ends in 30 days, on May 1, 2927',
      '2927-04-24 ends in 7 days, on May 1, 2927',
      '2927-05-01 ends today, May 1, 2927',
    ]);
    expect(await readStatuses(db, brandId)).toEqual({ 'FSC-C000001': 'invalid expired:2927-05-01' });
  });

  test('are sent at once for a certificate added with 25 days left, and late if no server ran on its last day', async () => {
    const { db, mailOn, certify } = await useMails();
    await certify('FSC-C000001', '2927-03-26');
    expect((await mailOn('2927-03-01'))[0]?.text).toContain('ends in 25 days, on March 26, 2927');
    expect(await mailOn('2927-03-02')).toEqual([]);
    await expireCertificates(db, new Date('2927-04-02'));
    expect((await mailOn('2927-04-02'))[0]?.text).toContain('ended on March 26, 2927');
    expect(await mailOn('2927-04-03')).toEqual([]);
  });

  test('are sent again for a renewed certificate', async () => {
    const { pool, mailOn, certify, db, brandId } = await useMails();
    const id = await certify('FSC-C000001', '2927-03-08');
    expect(await mailOn('2927-03-01')).toHaveLength(1);
    await pool.query(`update certificates set expires_on = '2928-03-08' where id = $1`, [id]);
    await withBrandLock(db, brandId, (db) => scheduleNotices(db, brandId));
    expect(await mailOn('2927-03-08')).toEqual([]);
    expect((await mailOn('2928-03-01'))[0]?.text).toContain('ends in 7 days, on March 8, 2928');
  });

  test('are limited to one mail per brand and day: later ones are sent the next day', async () => {
    const { db, brandId, mailOn, certify } = await useMails();
    await certify('FSC-C000001', '2927-03-08');
    expect(await mailOn('2927-03-01')).toHaveLength(1);
    await certify('FSC-C000002', '2927-03-08');
    expect(await mailOn('2927-03-01', '12:00')).toEqual([]);
    const { mail } = await previewCertificateMail(db, brandId, {
      language: 'en',
      publicUrl,
      now: new Date('2927-03-01T13:00:00Z'),
    });
    expect(mail?.text).toContain('FSC-C000002');
    const next = await mailOn('2927-03-02');
    expect(next).toHaveLength(1);
    expect(next[0]?.text).toContain('FSC-C000002');
    expect(next[0]?.text).not.toContain('FSC-C000001');
  });
});

test('thousands that ended are mailed in time, although the database has no statistics of the brand', async () => {
  const { db, pool, brandId, mailOn } = await useMails();
  const add = (count: number, brands: string) =>
    pool.query(
      `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key, status, expires_on)
       select b.id, 1, n, n, n, n, 'validated', '2927-01-01' from brands b, generate_series(1, $1) n where ${brands}`,
      [count],
    );
  await pool.query(`insert into brands (name) select 'Small ' || n from generate_series(1, 3000) n`);
  await add(5, `b.name like 'Small %'`);
  await pool.query(`insert into certificate_notices select brand_id, id, '60:2927-01-01', '2926-12-01' from certificates`);
  await pool.query('analyze');
  await add(25_000, `b.name = 'Casa Verde'`);
  await withBrandLock(db, brandId, (db) => scheduleNotices(db, brandId));
  expect(await mailOn('2926-12-20')).toHaveLength(1);
  await expireCertificates(db, new Date('2927-02-01'));
  // A plan that reads all notices for each certificate takes longer than a test may.
  expect((await mailOn('2927-02-01'))[0]?.text).toContain('25000 certificates need');
});

describe('a certificate that became invalid', () => {
  const TODAY = '2926-06-30';

  test('is mailed once, with the reason, unless it was invalid from the start', async () => {
    const { db, brandId, mailOn } = await useMails();
    await createTestCertificates(db, brandId, 'GOTS', ['CU-1', 'CU-2']);
    await createTestCertificates(db, brandId, 'FSC', ['FSC-1']);
    await loadTestRegistry(db, 'GOTS', [{ externalId: 'CU-1' }]);
    await validateCertificates(db, brandId, TODAY);
    expect(await mailOn(TODAY)).toEqual([]);
    await loadTestRegistry(db, 'GOTS', [{ externalId: 'CU-9' }], { replace: true });
    await validateCertificates(db, brandId, TODAY);
    const [mail, ...others] = await mailOn('2926-07-01');
    expect(others).toEqual([]);
    expect(mail?.text).toContain('CU-1 (GOTS) is invalid: the registry does not list it');
    expect(mail?.text).not.toMatch(/CU-2|FSC-1/);
    await validateCertificates(db, brandId, TODAY);
    expect(await mailOn('2926-07-02')).toEqual([]);
  });

  test('is not mailed if it is valid again before the mail, and is mailed again if it becomes invalid once more', async () => {
    const { db, brandId, mailOn } = await useMails();
    const load = async (externalId: string) => {
      await loadTestRegistry(db, 'GOTS', [{ externalId }], { replace: true });
      await validateCertificates(db, brandId, TODAY);
    };
    await createTestCertificates(db, brandId, 'GOTS', ['CU-1']);
    await load('CU-1');
    await load('CU-9');
    await load('CU-1');
    expect(await mailOn('2926-07-01')).toEqual([]);
    await load('CU-9');
    expect(await mailOn('2926-07-02')).toHaveLength(1);
    await load('CU-1');
    await load('CU-9');
    expect(await mailOn('2926-07-03')).toHaveLength(1);
  });

  test('is mailed with its reason at that time, and once more for another reason', async () => {
    const { db, brandId, mailOn } = await useMails();
    const load = async (entries: Parameters<typeof loadTestRegistry>[2]) => {
      await loadTestRegistry(db, 'GOTS', entries, { replace: true });
      await validateCertificates(db, brandId, TODAY);
    };
    await createTestCertificates(db, brandId, 'GOTS', ['CU-1']);
    await load([{ externalId: 'CU-1' }]);
    await load([{ externalId: 'CU-9' }]);
    await load([{ externalId: 'CU-1', active: false }]);
    const [mail] = await mailOn('2926-07-01');
    expect(mail?.text).toContain('CU-1 (GOTS) is invalid: the registry lists it as not active');
    await load([{ externalId: 'CU-9' }]);
    expect((await mailOn('2926-07-02'))[0]?.text).toContain('the registry does not list it');
    await load([{ externalId: 'CU-1', active: false }]);
    expect(await mailOn('2926-07-03')).toEqual([]);
  });

  test('is mailed with the note of a rejection, escaped and on one line', async () => {
    const { db, brandId, mailOn } = await useMails();
    await createTestCertificates(db, brandId, 'GOTS', ['CU-1']);
    await validateCertificates(db, brandId, TODAY);
    const note = 'Not yours\n\n<b>Bcc: all@example.com</b>';
    await reviewCertificate(db, { brandId, certification: 'GOTS', externalId: 'CU-1' }, { verdict: 'rejected', note });
    const [mail] = await mailOn('2926-07-01');
    expect(mail?.text).toContain('(“Not yours <b>Bcc: all@example.com</b>”)');
    expect(mail?.html).not.toContain('<b>');
  });
});

describe('the mail', () => {
  test('is sent only to owners and admins, in their languages, and not to those who turned it off', async () => {
    const { db, brandId, owner, mailOn, certify } = await useMails();
    const admin = await createTestMember(db, brandId, 'admin', 'Ana Torres');
    await createTestMember(db, brandId, 'editor');
    const off = await createTestMember(db, brandId, 'admin');
    await rememberLanguage(db, admin.id, 'es');
    await updateNotifications(db, brandId, off.id, { certificate_mails: false });
    await certify('FSC-C000001', '2927-03-08');
    const mails = await mailOn('2927-03-01');
    expect(to(mails)).toEqual([owner.email, admin.email].sort());
    const textOf = (user: TestUser) => mails.find((mail) => mail.to.address === user.email)?.text;
    expect(textOf(owner)).toContain('FSC-C000001 (FSC) ends in 7 days, on March 8, 2927 · 0 variants');
    expect(textOf(owner)).toContain('Replace the certificate with the renewed one before that.');
    expect(textOf(admin)).toContain('Sustitúyelo antes por el renovado.');
    expect(textOf(admin)).toContain('FSC-C000001 (FSC) vence en 7 días, el 8 de marzo de 2927 · 0 variantes');
    for (const { text, html } of mails) {
      for (const page of ['certifications', 'settings#mails']) {
        expect(text).toContain(`${publicUrl}/brands/${brandId}/${page}`);
        expect(html).toContain(`href="${publicUrl}/brands/${brandId}/${page}"`);
      }
    }
  });

  test('is not sent to members who lost the role or turned it off after it was queued', async () => {
    const { db, brandId, owner, sent, certify } = await useMails();
    const admin = await createTestMember(db, brandId, 'admin');
    const other = await createTestMember(db, brandId, 'admin');
    await certify('FSC-C000001', '2927-03-08');
    expect(await queueCertificateMails(db, new Date('2927-03-01T06:05:00Z'))).toBe(3);
    await updateMemberRole(db, admin.id, brandId, admin.id, { role: 'viewer' });
    await updateNotifications(db, brandId, other.id, { certificate_mails: false });
    expect(to(await sent())).toEqual([owner.email]);
  });

  test('lists twenty certificates with their variants, the most urgent first, and counts the others', async () => {
    const { db, brandId, mailOn, certify } = await useMails();
    const variants = await addVariants(db, brandId, [{ gtin: '61414100' }, { gtin: '61414117' }]);
    for (let n = 10; n < 35; n++) await certify(`FSC-C0000${n}`, '2927-03-08');
    await certify('FSC-C000099', '2927-03-02', variants);
    const [mail] = await mailOn('2927-03-01');
    const lines = mail?.text.split('\n').filter((line) => line.startsWith('- ')) ?? [];
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('- FSC-C000099 (FSC) ends in 1 day, on March 2, 2927 · 2 variants');
    expect(lines[20]).toBe('- and 6 more');
    expect(mail?.subject).toBe('“Casa Verde”: 26 certificates need you');
  });

  test('and its notices are committed together: after a worker is killed, the next run sends it once', async () => {
    const { db, pool, mailOn, certify } = await useMails();
    await certify('FSC-C000001', '2927-03-08');
    const killed = db.transaction().execute(async (db) => {
      await queueCertificateMails(db, new Date('2927-03-01T06:05:00Z'));
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    expect(await mailOn('2927-03-01', '06:10')).toHaveLength(1);
    expect(await mailOn('2927-03-01', '06:20')).toEqual([]);
    const { rows } = await pool.query(`select details from audit_log where action = 'certificates.mailed'`);
    expect(rows).toMatchObject([{ details: { certificates: 1, recipients: 1 } }]);
  });

  test('is sent once a day, also if its certificate is removed before the next run', async () => {
    const { db, brandId, owner, mailOn, certify } = await useMails();
    const certificateId = await certify('FSC-C000001', '2927-03-08');
    expect(await mailOn('2927-03-01')).toHaveLength(1);
    await removeCertificate(db, { brandId, certificateId, userId: owner.id });
    await certify('FSC-C000002', '2927-03-08');
    expect(await mailOn('2927-03-01', '06:10')).toEqual([]);
    expect(await mailOn('2927-03-02')).toHaveLength(1);
  });

  test('of an inactive brand is not sent or counted as sent until the brand is active again', async () => {
    const { mailOn, certify, pool } = await useMails();
    await certify('FSC-C000001', '2927-03-08');
    await pool.query(`update brands set status = 'inactive'`);
    expect(await mailOn('2927-03-01')).toEqual([]);
    await pool.query(`update brands set status = 'active'`);
    expect(await mailOn('2927-03-02')).toHaveLength(1);
  });

  test('of a deleted brand is not sent or counted as sent until the brand is restored', async () => {
    const { db, pool, brandId, owner, mailOn, certify } = await useMails();
    await certify('FSC-C000001', '2927-03-08');
    await markBrandDeleted(db, owner.id, brandId);
    expect(await mailOn('2927-03-01')).toEqual([]);
    await restoreBrand(db, owner.id, brandId);
    expect((await mailOn('2927-03-02'))[0]?.text).toContain('ends in 6 days, on March 8, 2927');
    const { rows } = await pool.query(`select details from audit_log where action = 'certificates.mailed'`);
    expect(rows).toMatchObject([{ details: { certificates: 1, recipients: 1 } }]);
  });

  test('does not block the removal of its certificate', async () => {
    const { db, pool, brandId, owner, mailOn, certify } = await useMails();
    const certificateId = await certify('FSC-C000001', '2927-03-08');
    await mailOn('2927-03-01');
    await removeCertificate(db, { brandId, certificateId, userId: owner.id });
    expect((await pool.query('select from certificate_notices')).rows).toEqual([]);
  });
});

describe('a certificate at the channel', () => {
  test('expires on time even if a thousand other brands are due before', async () => {
    const { db, pool } = await useMails();
    await pool.query(`
      insert into brands (name) select 'Brand ' || i from generate_series(1, 1001) i;
      insert into due_work (brand_id, kind, due_at)
        select id, 'expire_certificates', timestamptz '2027-01-01' + id * interval '1 millisecond' from brands;
      insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key, status, reason, expires_on)
        select max(b.id), min(n.id), 'A-1', 'A1', 'a-1', 'a-1', 'validated', 'listed:2026-12-31', '2026-12-31' from brands b, certifications n`);
    expect(await expireCertificates(db, new Date('2027-01-01T00:10:00Z'))).toBe(1);
  });

  async function useConnected(countries: string[]) {
    const mails = await useMails();
    const { db, pool, brandId } = mails;
    await connectTestBrand(db, brandId);
    const place = { kind: 'partner', account: null, client_id: '77', credentials: null } as const;
    await connectBrand(db, brandId, { ...place, countries, language: 'en', registered_name: 'Casa Verde' });
    const [variantId] = await addVariants(db, brandId, [{ gtin: '61414100', published: true }]);
    await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated', expiresOn: '2027-03-27' }, [variantId ?? 0]);
    const revision = async () => Number((await pool.query('select revision from deliveries')).rows[0].revision);
    return { ...mails, revision };
  }

  test.each([
    // In Germany, 28 March begins at 23:00 UTC. Daylight saving time starts in that night.
    { countries: ['DE'], last: '2027-03-27T21:59:00Z', first: '2027-03-27T22:00:00Z' },
    { countries: ['JP'], last: '2027-03-27T13:59:00Z', first: '2027-03-27T14:00:00Z' },
    { countries: ['JP', 'US'], last: '2027-03-28T02:59:00Z', first: '2027-03-28T03:00:00Z' },
  ])('expires an hour before the next day begins in the last of $countries', async ({ countries, last, first }) => {
    const { db, pool, brandId, revision } = await useConnected(countries);
    const before = await revision();
    expect(await expireCertificates(db, new Date(last))).toBe(0);
    expect(await revision()).toBe(before);
    expect(await expireCertificates(db, new Date(first))).toBe(1);
    expect(await revision()).toBe(before + 1);
    expect(await readStatuses(db, brandId)).toEqual({ 'FSC-C000001': 'invalid expired:2027-03-27' });
    await expectDerivedData(pool);
  });

  test('expires by the countries of a new connection', async () => {
    const { db, brandId } = await useConnected(['US']);
    const place = { kind: 'partner', account: null, client_id: '78', credentials: null } as const;
    await connectBrand(db, brandId, { ...place, countries: ['JP'], language: 'en', registered_name: 'Casa Verde' });
    expect(await expireCertificates(db, new Date('2027-03-27T14:00:00Z'))).toBe(1);
  });
});
