// @module-tag empty-installation
import { pino } from 'pino';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { type TestDatabase, useTestDatabase } from '../../../test/test-database.ts';
import { countWaiting } from '../../db/turns.ts';
import { deleteBrand } from '../../people/brands/brands.ts';
import { migrateJobs } from '../../queue/worker.ts';
import { reviewCertificate, withdrawReview } from './reviews.ts';
import { createTestCertificates, loadTestRegistry, readAudit, readStatusChanges, readStatuses } from './test-support/certificates.ts';
import { expireCertificates, validateCertificates } from './validation.ts';

const TODAY = '2026-06-30';

let database: TestDatabase;
let brandId: number;
beforeEach(async () => {
  database = await useTestDatabase();
  await migrateJobs(database.pool, pino({ level: 'silent' }));
  brandId = await createTestBrand(database.db);
});

const validate = () => validateCertificates(database.db, brandId, TODAY);
/** The daily check at 0:00 UTC of that day. */
const expireOn = (today: string) => expireCertificates(database.db, new Date(today));
const statuses = () => readStatuses(database.db, brandId);

test('a malformed id stays so in a brand whose certificates are a whole number of batches', async () => {
  const ids = Array.from({ length: 4_999 }, (_, index) => `FSC-C${String(index).padStart(6, '0')}`);
  await createTestCertificates(database.db, brandId, 'FSC', [...ids, 'FSC-CO00001']);
  expect(await validate()).toBe(1);
  expect((await statuses())['FSC-CO00001']).toBe('invalid pattern');
});

describe('without a registry', () => {
  test('a certificate stays pending, and nothing is audited', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['CU-1']);
    expect(await validate()).toBe(0);
    expect(await statuses()).toEqual({ 'CU-1': `pending no_registry:${TODAY}` });
    expect(await readStatusChanges(database.pool)).toEqual([]);
  });

  test('a certificate never waits since a day that has not come, though the brand’s day begins earlier than UTC’s', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['CU-1']);
    const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const before = dayAfter(0);
    await validateCertificates(database.db, brandId, dayAfter(1));
    // The day may change while the test runs.
    expect([before, dayAfter(0)].map((day) => `pending no_registry:${day}`)).toContain((await statuses())['CU-1']);
  });

  test('an id that does not match the documented pattern is invalid; letters of any script and case match', async () => {
    await createTestCertificates(database.db, brandId, 'EU Organic', ['ES-ECO-023', 'BG-БИО-12', 'es-eco-024', 'ES-EC0-1']);
    expect(await validate()).toBe(1);
    expect(await statuses()).toEqual({
      'ES-ECO-023': `pending no_registry:${TODAY}`,
      'BG-БИО-12': `pending no_registry:${TODAY}`,
      'es-eco-024': `pending no_registry:${TODAY}`,
      'ES-EC0-1': 'invalid pattern',
    });
  });
});

describe('with a registry', () => {
  test('a listed, active and unexpired certificate is validated, others have the reason why not', async () => {
    const ids = [1, 2, 3, 4, 5, 6].map((n) => `FSC-C00000${n}`);
    await createTestCertificates(database.db, brandId, 'FSC', [...ids, 'FSC-1']);
    await createTestCertificates(database.db, brandId, 'GOTS', ['CU-1']);
    await loadTestRegistry(database.db, 'FSC', [
      { externalId: 'FSC-C000001' },
      { externalId: 'FSC-C000002', expiresOn: '2026-06-30' },
      { externalId: 'FSC-C000003', expiresOn: '2026-06-29' },
      { externalId: 'FSC-C000004', active: false },
      { externalId: 'FSC-C000005', active: false, expiresOn: '2020-01-01' },
      { externalId: 'FSC-1' },
    ]);
    expect(await validate()).toBe(7);
    expect(await statuses()).toEqual({
      'FSC-C000001': 'validated listed',
      'FSC-C000002': 'validated listed:2026-06-30',
      'FSC-C000003': 'invalid expired:2026-06-29',
      'FSC-C000004': 'invalid not_active',
      'FSC-C000005': 'invalid expired:2020-01-01',
      'FSC-C000006': 'invalid not_listed',
      'FSC-1': 'invalid pattern',
      'CU-1': `pending no_registry:${TODAY}`,
    });
    const { rows } = await database.pool.query("select expires_on::text from certificates where external_certificate_id = 'FSC-C000002'");
    expect(rows).toEqual([{ expires_on: '2026-06-30' }]);
    const changes = await readStatusChanges(database.pool);
    const of = (change: string) => changes.filter((recorded) => recorded.change === change).map(({ reason }) => reason);
    expect(of('pending → validated')).toEqual(['listed', 'listed:2026-06-30']);
    const reasons = ['expired:2026-06-29', 'not_active', 'expired:2020-01-01', 'not_listed', 'pattern'];
    expect(of('pending → invalid')).toEqual(reasons);
    expect(changes).toHaveLength(7);
    // One entry for each kind of change. It describes the first certificate.
    const entries = await readAudit(database.pool, 'certificate.status_changed');
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual({
      brand_id: brandId,
      certificate_id: expect.any(Number),
      certification: 'FSC',
      external_certificate_id: 'FSC-C000003',
      from: 'pending',
      to: 'invalid',
      reason: 'expired:2026-06-29',
      changed: 5,
    });
  });

  test('that would be empty, certificates stay as they are: it is refused', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['CU-1']);
    await expect(loadTestRegistry(database.db, 'GOTS', [])).rejects.toThrow('The file has no entries.');
    await validate();
    expect(await statuses()).toEqual({ 'CU-1': `pending no_registry:${TODAY}` });
  });

  test('a newer one can validate and invalidate certificates', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['CU-1', 'CU-2']);
    await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'CU-1', expiresOn: '2027-01-01' }]);
    await validate();
    await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'CU-2' }], { replace: true });
    expect(await validate()).toBe(2);
    expect(await statuses()).toEqual({ 'CU-1': 'invalid not_listed', 'CU-2': 'validated listed' });
    const { rows } = await database.pool.query('select from certificates where expires_on is not null');
    expect(rows).toHaveLength(0);
  });

  test('another brand is not changed', async () => {
    const other = await createTestBrand(database.db, 'Other');
    await createTestCertificates(database.db, other, 'GOTS', ['CU-1']);
    await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'CU-1' }]);
    expect(await validate()).toBe(0);
    expect(await readStatuses(database.db, other)).toEqual({ 'CU-1': 'pending ' });
  });
});

describe("the operator's decision", () => {
  const name = (externalId: string, certification = 'FSC') => ({ brandId, certification, externalId });
  const approved = { verdict: 'approved', note: 'Seen on paper' } as const;
  const rejected = { verdict: 'rejected', note: 'Not yours: see mail' } as const;

  test('overrides a pending status and a documented pattern, until it is withdrawn', async () => {
    await createTestCertificates(database.db, brandId, 'FSC', ['FSC-C000001', 'FSC-1']);
    await validate();
    expect(await reviewCertificate(database.db, name('FSC-C000001'), rejected)).toMatchObject({ status: 'invalid' });
    expect(await reviewCertificate(database.db, name('FSC-1'), approved)).toMatchObject({ status: 'validated' });
    const decided = {
      'FSC-C000001': 'invalid rejected:Not yours: see mail',
      'FSC-1': 'validated approved:Seen on paper',
    };
    expect(await statuses()).toEqual(decided);
    expect(await validate()).toBe(0);
    expect(await statuses()).toEqual(decided);
    await withdrawReview(database.db, name('FSC-C000001'));
    await withdrawReview(database.db, name('FSC-1'));
    expect(await statuses()).toEqual({
      'FSC-C000001': expect.stringMatching(/^pending no_registry:\d{4}-\d\d-\d\d$/),
      'FSC-1': 'invalid pattern',
    });
    expect(await readAudit(database.pool, 'certificate.approved')).toMatchObject([
      { external_certificate_id: 'FSC-1', note: 'Seen on paper' },
    ]);
    expect(await readAudit(database.pool, 'certificate.review_withdrawn')).toHaveLength(2);
  });

  test('an approval overrides a missing entry in a registry, but not an inactive or expired one', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['A', 'B', 'C']);
    for (const id of ['A', 'B', 'C']) await reviewCertificate(database.db, name(id, 'GOTS'), approved);
    await loadTestRegistry(database.db, 'GOTS', [
      { externalId: 'B', active: false },
      { externalId: 'C', expiresOn: '2020-01-01' },
    ]);
    await validate();
    expect(await statuses()).toEqual({
      A: 'validated approved:Seen on paper',
      B: 'invalid not_active',
      C: 'invalid expired:2020-01-01',
    });
  });

  test('a rejection overrides a registry', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['A']);
    await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'A' }]);
    await reviewCertificate(database.db, name('A', 'GOTS'), rejected);
    await validate();
    expect(await statuses()).toEqual({ A: 'invalid rejected:Not yours: see mail' });
  });

  test('an approval expires after its last day', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['A']);
    await reviewCertificate(database.db, name('A', 'GOTS'), { ...approved, expiresOn: '2999-12-31' });
    expect(await expireOn('2999-12-31')).toBe(0);
    expect(await expireOn('3000-01-01')).toBe(1);
    expect(await validateCertificates(database.db, brandId, '3000-01-01')).toBe(0);
    expect(await statuses()).toEqual({ A: 'invalid expired:2999-12-31' });
  });
});

test('the daily check finds the expired certificates of every brand, once, and audits them', async () => {
  const other = await createTestBrand(database.db, 'Other');
  for (const id of [brandId, other]) await createTestCertificates(database.db, id, 'GOTS', ['A', 'B']);
  await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'A', expiresOn: '2026-07-01' }, { externalId: 'B' }]);
  for (const id of [brandId, other]) await validateCertificates(database.db, id, TODAY);
  expect(await expireOn('2026-07-01')).toBe(0);
  expect(await expireOn('2026-07-02')).toBe(2);
  expect(await expireOn('2026-07-02')).toBe(0);
  for (const id of [brandId, other]) {
    expect(await readStatuses(database.db, id)).toEqual({ A: 'invalid expired:2026-07-01', B: 'validated listed' });
  }
  const expired = { change: 'validated → invalid', reason: 'expired:2026-07-01' };
  const changes = await readStatusChanges(database.pool);
  expect(changes).toHaveLength(6);
  expect(changes.slice(4)).toMatchObject([expired, expired]);
  expect(await readAudit(database.pool, 'certificate.status_changed')).toMatchObject([
    ...[brandId, other].map((brand_id) => ({ brand_id, to: 'validated', changed: 2 })),
    ...[brandId, other].map((brand_id) => ({ brand_id, to: 'invalid', changed: 1 })),
  ]);
});

test('the daily check of a brand is scheduled for the end of its next certificate, and not without such a certificate', async () => {
  await createTestCertificates(database.db, brandId, 'GOTS', ['A', 'B', 'C']);
  const due = async () => (await database.pool.query(`select due_at from due_work where kind = 'expire_certificates'`)).rows;
  await loadTestRegistry(database.db, 'GOTS', [
    { externalId: 'A', expiresOn: '2998-12-31' },
    { externalId: 'B', expiresOn: '2999-12-31' },
    { externalId: 'C' },
  ]);
  await validate();
  expect(await due()).toEqual([{ due_at: new Date('2999-01-01T00:00:00Z') }]);
  expect(await expireOn('2999-01-01')).toBe(1);
  expect(await due()).toEqual([{ due_at: new Date('3000-01-01T00:00:00Z') }]);
  await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'C' }], { replace: true });
  await validate();
  expect(await due()).toEqual([]);
});

describe('the validation job', () => {
  const count = 12_000;
  const ids = Array.from({ length: count }, (_, index) => `CU-${index}`);

  async function prepare() {
    await createTestCertificates(database.db, brandId, 'GOTS', ids);
    await loadTestRegistry(
      database.db,
      'GOTS',
      ids.filter((_, index) => index % 2 === 0).map((externalId) => ({ externalId })),
    );
  }

  async function expectFinal() {
    const { rows } = await database.pool.query('select status, reason, count(*) from certificates group by 1, 2 order by 1');
    expect(rows).toEqual([
      { status: 'invalid', reason: 'not_listed', count: count / 2 },
      { status: 'validated', reason: 'listed', count: count / 2 },
    ]);
    const changes = await readStatusChanges(database.pool);
    expect(changes).toHaveLength(count);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(count);
  }

  test('is idempotent', async () => {
    await prepare();
    expect(await validate()).toBe(count);
    expect(await validate()).toBe(0);
    await expectFinal();
  });

  test('that runs three times concurrently changes each certificate once', async () => {
    await prepare();
    const changes = await Promise.all([validate(), validate(), validate()]);
    expect(changes.reduce((sum, change) => sum + change)).toBe(count);
    await expectFinal();
  });

  test('that is killed in the middle is finished by the next one', async () => {
    await prepare();
    const killed = validate();
    const outcome = killed.then(
      () => 'done',
      () => 'killed',
    );
    const hasBegun = async () => {
      const { rows } = await database.pool.query("select from certificates where status <> 'pending' limit 1");
      return rows.length > 0;
    };
    await expect.poll(hasBegun, { interval: 2 }).toBe(true);
    await database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await outcome;
    // An idle connection that was terminated fails at its next use. The job queue would retry too.
    await vi.waitFor(validate, 5_000);
    await expectFinal();
  });

  test('that waited for a lock uses the current registry, not that of the start of its wait', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['A']);
    const holder = await database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from brands for no key update');
      const waiting = validate();
      await vi.waitFor(() => expect(countWaiting(database.db)).toBe(1), 5_000);
      await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'A' }]);
      await holder.query('commit');
      await waiting;
    } finally {
      holder.release();
    }
    expect(await statuses()).toEqual({ A: 'validated listed' });
  });

  test('does not fail if the brand was deleted meanwhile', async () => {
    await createTestCertificates(database.db, brandId, 'GOTS', ['A']);
    await deleteBrand(database.db, 1, brandId);
    expect(await validate()).toBe(0);
  });
});
