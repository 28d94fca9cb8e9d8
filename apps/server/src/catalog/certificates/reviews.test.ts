import { reviewMany as endpoint, type ReviewMany } from '@brand-portal/contract/reviews';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addCertificate, addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { setStaff } from '../../people/identity/users.ts';
import { migrateJobs } from '../../queue/worker.ts';
import { removeCertificate } from './certificates.ts';
import { listReviews, reviewCertificate, withdrawReview } from './reviews.ts';
import { createTestCertificates, loadTestRegistry, readAudit, readStatuses } from './test-support/certificates.ts';
import { validateCertificates } from './validation.ts';

const logger = pino({ level: 'silent' });

/** Two brands with certificates that are pending since different days. */
async function useReviews() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  await migrateJobs(pool, logger);
  const user = await createTestUser(db);
  await setStaff(db, user.id, true);
  const first = await createTestBrand(db, 'First');
  const second = await createTestBrand(db, 'Second');
  const wait = async (brandId: number, ids: string[], day: string) => {
    await createTestCertificates(db, brandId, 'GOTS', ids);
    await validateCertificates(db, brandId, day);
  };
  await wait(first, ['A-1'], '2026-03-01');
  await wait(second, ['B-1', 'B-2'], '2026-01-01');
  await wait(first, ['A-2'], '2026-02-01');
  const queue = async () => {
    const { results, count } = await listReviews(db, { limit: 10 });
    return { count, ids: results.map(({ certificate_id, since }) => `${since} ${certificate_id}`) };
  };
  const idOf = async (externalId: string) => {
    const { rows } = await pool.query('select brand_id::int, id::int from certificates where external_certificate_id = $1', [externalId]);
    return rows[0] as { brand_id: number; id: number };
  };
  const post = async (body: Partial<ReviewMany>) => {
    const answer = await app.inject({ method: 'POST', url: endpoint.path, headers: user.headers, payload: body });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { app, db, pool, user, first, second, wait, queue, idOf, post };
}

describe('the queue', () => {
  test('has the pending certificates of all brands, the longest pending first, not in order of import', async () => {
    const { db, queue, first } = await useReviews();
    expect(await queue()).toEqual({
      count: 4,
      ids: ['2026-01-01 B-1', '2026-01-01 B-2', '2026-02-01 A-2', '2026-03-01 A-1'],
    });
    const { results, count } = await listReviews(db, { limit: 3 });
    expect([results.length, count]).toEqual([3, 4]);
    expect((await listReviews(db, { brandId: first, limit: 1 })).results).toMatchObject([{ certificate_id: 'A-2' }]);
  });

  test('has the certificates of a brand whose day begins before UTC’s at once', async () => {
    const { db, queue, wait } = await useReviews();
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10);
    const third = await createTestBrand(db, 'Third');
    await wait(third, ['C-1'], tomorrow);
    expect((await queue()).ids).toContainEqual(expect.stringMatching(/ C-1$/));
  });

  test('shows the certification, the issuer and the number of variants of a certificate', async () => {
    const { db, first } = await useReviews();
    const variants = await addVariants(db, first, [{ gtin: '61414100' }, { gtin: '61414117' }]);
    await addCertificate(db, first, { code: 'A-3', certification: 'GOTS' }, variants);
    await validateCertificates(db, first, '2025-12-31');
    expect((await listReviews(db, { limit: 1 })).results).toEqual([
      {
        brand_id: first,
        brand_name: 'First',
        id: expect.any(Number),
        certificate_id: 'A-3',
        certification_name: 'GOTS',
        certifying_body_name: 'Global Standard gGmbH',
        since: '2025-12-31',
        variants: 2,
      },
    ]);
  });

  test('keeps the day since when a certificate is pending, which is a new one after a decision is withdrawn', {
    tags: 'empty-installation',
  }, async () => {
    const { db, queue, first } = await useReviews();
    await validateCertificates(db, first, '2026-06-01');
    expect((await queue()).ids).toContain('2026-02-01 A-2');
    const name = { brandId: first, certification: 'GOTS', externalId: 'A-2' };
    await reviewCertificate(db, name, { verdict: 'approved', note: 'Seen' });
    expect((await queue()).ids).not.toContain('2026-02-01 A-2');
    await withdrawReview(db, name);
    const today = new Date().toISOString().slice(0, 10);
    expect((await queue()).ids.at(-1)?.slice(11)).toBe('A-2');
    expect((await queue()).ids.at(-1)?.slice(0, 10) ?? '').toSatisfy((day: string) => day >= today);
  });

  test('no longer has certificates that were removed or decided by a registry', {
    tags: 'empty-installation',
  }, async () => {
    const { db, queue, idOf, user, first, second } = await useReviews();
    const { brand_id, id } = await idOf('A-2');
    await removeCertificate(db, { brandId: brand_id, certificateId: id, userId: user.id });
    expect((await queue()).ids).toEqual(['2026-01-01 B-1', '2026-01-01 B-2', '2026-03-01 A-1']);
    await loadTestRegistry(db, 'GOTS', [{ externalId: 'B-1' }]);
    for (const brandId of [first, second]) await validateCertificates(db, brandId);
    expect(await queue()).toEqual({ count: 0, ids: [] });
  });
});

describe('a decision about many certificates', () => {
  test('can include several brands, is audited per certificate with the reviewer, and cannot be made twice', {
    tags: 'empty-installation',
  }, async () => {
    const { db, pool, post, idOf, queue, user, first, second } = await useReviews();
    const certificates = [await idOf('A-1'), await idOf('B-1')];
    const decision = { verdict: 'approved', note: ' Seen on paper ', expires_on: '2999-01-31', certificates } as const;
    expect(await post(decision)).toEqual({ status: 200, body: { decided: 2, skipped: 0 } });
    expect(await readStatuses(db, first)).toMatchObject({ 'A-1': 'validated approved:Seen on paper' });
    expect(await readStatuses(db, second)).toMatchObject({ 'B-1': 'validated approved:Seen on paper' });
    expect((await queue()).ids).toEqual(['2026-01-01 B-2', '2026-02-01 A-2']);
    expect(await readAudit(pool, 'certificate.approved')).toMatchObject([
      { brand_id: first, external_certificate_id: 'A-1', expiresOn: '2999-01-31' },
      { brand_id: second, external_certificate_id: 'B-1' },
    ]);
    const { rows } = await pool.query(`select distinct user_id::int from audit_log where action = 'certificate.approved'`);
    expect(rows).toEqual([{ user_id: user.id }]);
    // A second reviewer with an outdated page rejects the same certificates.
    expect((await post({ ...decision, verdict: 'rejected' })).status).toBe(400);
    const { expires_on: _, ...rejection } = { ...decision, verdict: 'rejected' } as const;
    expect((await post(rejection)).body).toEqual({ decided: 0, skipped: 2 });
    expect(await readStatuses(db, first)).toMatchObject({ 'A-1': 'validated approved:Seen on paper' });
  });

  test('requires a reason to reject', { tags: 'empty-installation' }, async () => {
    const { db, post, idOf, second } = await useReviews();
    const certificates = [await idOf('B-1'), await idOf('B-2'), { brand_id: 999_999, id: 1 }];
    for (const note of ['', '  ', 'x'.repeat(401)]) {
      expect((await post({ verdict: 'rejected', note, certificates })).status).toBe(400);
    }
    expect((await post({ verdict: 'rejected', note: 'Forged', certificates })).body).toEqual({
      decided: 2,
      skipped: 1,
    });
    expect(await readStatuses(db, second)).toEqual({
      'B-1': 'invalid rejected:Forged',
      'B-2': 'invalid rejected:Forged',
    });
  });

  test.each([
    ['does not exist', '2999-02-30'],
    ['is over', '2020-01-01'],
  ])('refuses a last day that %s', async (_what, expires_on) => {
    const { post, idOf } = await useReviews();
    const certificates = [await idOf('B-1')];
    const { status } = await post({ verdict: 'approved', note: 'Seen', expires_on, certificates });
    expect(status).toBe(400);
  });
});

test('the queue is for platform staff alone, not for the owner of a brand in it', async () => {
  const { app, db, first, user } = await useReviews();
  const owner = await createTestMember(db, first, 'owner');
  const get = async (headers: Record<string, string>) => (await app.inject({ method: 'GET', url: endpoint.path, headers })).statusCode;
  expect(await get(owner.headers)).toBe(403);
  expect(await get(user.headers)).toBe(200);
  const me = async (headers: Record<string, string>) => (await app.inject({ method: 'GET', url: '/api/v1/users/me/', headers })).json();
  expect(await me(user.headers)).toMatchObject({ is_staff: true });
  expect(await me(owner.headers)).not.toHaveProperty('is_staff');
  await setStaff(db, user.id, false);
  expect(await get(user.headers)).toBe(403);
});

test('a review and a removal while a long import holds the lock of the brand time out with a 503', async () => {
  const { app, db, pool, first, post, idOf } = await useReviews();
  const { headers } = await createTestMember(db, first, 'editor');
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('begin');
  await client.query('select from brands for no key update');
  const url = `/api/v1/brands/${first}/certifications/${(await idOf('A-1')).id}/`;
  const ofAnother = await idOf('B-1');
  const began = performance.now();
  const [reviewed, removed] = await Promise.all([
    post({ verdict: 'approved', note: 'Seen', certificates: [ofAnother] }),
    app.inject({ method: 'DELETE', url, headers }),
  ]);
  expect([reviewed.status, reviewed.body.code]).toEqual([503, 'brand_busy']);
  expect([removed.statusCode, removed.json().code]).toEqual([503, 'brand_busy']);
  expect(performance.now() - began).toBeLessThan(8_000);
});
