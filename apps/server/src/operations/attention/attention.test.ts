import { READINESS_REASONS, type ReadinessReason } from '@brand-portal/contract/attention';
import { ENDS_SOON_DAYS } from '@brand-portal/contract/certificates';
import { VARIANT_STATES, type VariantStatesQuery } from '@brand-portal/contract/variants';
import { describe, expect, test } from 'vitest';
import { addCertificate, addVariants, changeVariants, connectTestBrand, setPublished } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { currentDay, daysFrom } from '../../catalog/certificates/days.ts';
import { checkDigit } from '../../catalog/fields/gtin.ts';
import { countVariantStates, listVariants } from '../../catalog/variants/variants.ts';
import { toGtin, useDelivery } from '../../channel/test-support/delivery.ts';
import type { Db } from '../../db/database.ts';
import { updateBrand } from '../../people/brands/brands.ts';
import { getAttention, getReadiness, listAttention } from './attention.ts';

const details: Record<string, string> = { description: 'Nice', image_link: 'https://a.example/1.jpg' };

const DETAILS: Record<string, string>[] = [{}, { description: 'x' }, details, { image_link: 'https://a.example/1.jpg' }];

describe('readiness', () => {
  test('is known before anything is sent, for one variant and for the whole brand', async () => {
    const { database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    const [ready = 0, bare = 0, certified = 0] = await addVariants(db, brandId, [
      { gtin: toGtin(1), details, published: true },
      { gtin: toGtin(2) },
      { gtin: toGtin(3), details },
      { gtin: '2000000000015', details },
    ]);
    await addCertificate(db, brandId, { code: 'FSC-C000001' }, [certified]);
    expect(await getReadiness(db, brandId)).toEqual({
      ready: 1,
      ready_with_remarks: 2,
      blocked: 1,
      published: 1,
      reasons: [
        { reason: 'restricted_gtin', count: 1 },
        { reason: 'no_image', count: 1 },
        { reason: 'no_description', count: 1 },
        { reason: 'not_displayed', count: 1 },
      ],
    });
    expect(await getReadiness(db, brandId, ready)).toMatchObject({ ready: 1, blocked: 0, reasons: [] });
    expect(await getReadiness(db, brandId, bare)).toMatchObject({ ready_with_remarks: 1 });
    // An import that adds the image resolves it.
    await changeVariants(db, brandId, { details }, [bare]);
    expect(await getReadiness(db, brandId, bare)).toMatchObject({ ready: 1 });
  });

  test('reports a GTIN with another company prefix only if nearly all have the same prefix', async () => {
    const { database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    const own = Array.from({ length: 49 }, (_, item) => ({ gtin: toGtin(item + 1), details }));
    await addVariants(db, brandId, own.slice(0, 48));
    await addVariants(db, brandId, [{ gtin: '4006381333931', details }]);
    expect((await getReadiness(db, brandId)).reasons).toEqual([]);
    await addVariants(db, brandId, own.slice(48));
    expect((await getReadiness(db, brandId)).reasons).toEqual([{ reason: 'prefix_outlier', count: 1 }]);
    await addVariants(db, brandId, [
      { gtin: '4006381333948', details },
      { gtin: '4006381333955', details },
    ]);
    expect((await getReadiness(db, brandId)).reasons).toEqual([]);
  });

  test('derives the company prefix from the newest 1,000 GTINs, the same for counts, list and one variant', async () => {
    const { database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    const gtins = Array.from({ length: 1_100 }, (_, n) => (n < 100 ? `4006381${100_000 + n}` : toGtin(n)));
    const [old = 0, ...others] = await addVariants(
      db,
      brandId,
      gtins.map((gtin) => ({ gtin, details })),
    );
    expect((await getReadiness(db, brandId)).reasons).toEqual([{ reason: 'prefix_outlier', count: 100 }]);
    expect((await listVariants(db, brandId, { reason: 'prefix_outlier' })).count).toBe(100);
    expect(await getReadiness(db, brandId, old)).toMatchObject({ ready_with_remarks: 1 });
    expect(await getReadiness(db, brandId, others.at(-1))).toMatchObject({ ready: 1 });
  });

  test('counts equal those of the list with the same reason, after any writes', async () => {
    const { database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    const other = await createTestBrand(db, 'Other');
    await addVariants(db, other, [{ gtin: toGtin(1) }]);
    const some = Array.from({ length: 80 }, (_, item) => ({
      gtin: item % 20 === 0 ? `20000000000${15 + item}`.slice(0, 8) : toGtin(item + 1),
      name: `Thing ${item}`,
      details: DETAILS[item % 3] ?? {},
      published: item % 2 === 0,
    })).filter(({ gtin }) => gtin.length !== 8);
    const ids = await addVariants(db, brandId, some);
    await addCertificate(db, brandId, { code: 'FSC-C000001' }, ids.slice(0, 7));
    const { reasons } = await getReadiness(db, brandId);
    const counts = new Map(reasons.map(({ reason, count }) => [reason as ReadinessReason, count]));
    for (const reason of READINESS_REASONS) {
      const list = await listVariants(db, brandId, { reason, page_size: 5 });
      expect([reason, list.count]).toEqual([reason, counts.get(reason) ?? 0]);
      expect(list.results.length).toBe(Math.min(5, list.count));
      const published = await listVariants(db, brandId, { reason, published: true });
      const unpublished = await listVariants(db, brandId, { reason, published: false });
      expect(published.count + unpublished.count).toBe(list.count);
    }
    expect((await listVariants(db, brandId, { reason: 'no_image', search: 'thing 12' })).results).toMatchObject([{ name: 'Thing 12' }]);
  });

  test('agrees with the emulator for hundreds of random products', {
    tags: 'empty-installation',
    timeout: 60_000,
  }, async () => {
    const { db, brandId, setSwitches, deliverAll, run } = await useDelivery({ deadlineMs: 10_000 });
    const made = Array.from({ length: 200 }, (_, item) => ({
      gtin: item % 10 === 0 ? restricted(item) : toGtin(item + 1),
      name: `Thing ${item}`,
      details: DETAILS[item % 4] ?? {},
      published: true,
    }));
    const ids = await addVariants(db, brandId, made);
    await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated' }, ids.slice(0, 40));
    await setSwitches({ processing_ms: 0 });
    await deliverAll({ leaseMs: 20_000 });
    const blocked = await run(`select variant_id from deliveries where state = 'refused' order by 1`);
    const list = await listVariants(db, brandId, {
      reason: 'restricted_gtin',
      page_size: 100,
      ordering: 'created_at',
    });
    expect(list.results.map(({ id }) => id)).toEqual(blocked.map(({ variant_id }) => variant_id));
    expect(blocked).toHaveLength(20);
    const remarks = {
      MISSING_IMAGE: 'no_image',
      MISSING_DESCRIPTION: 'no_description',
      UNSUPPORTED_CERTIFICATION: 'not_displayed',
    } as const;
    for (const [issue, reason] of Object.entries(remarks)) {
      const found = await listVariants(db, brandId, { issue });
      expect([reason, found.count]).toEqual([reason, (await listVariants(db, brandId, { reason: reason as ReadinessReason })).count]);
    }
  });
});

const restricted = (item: number) => {
  const digits = `20${String(item).padStart(10, '0')}`;
  return `${digits}${checkDigit(`0${digits}`)}`;
};

describe('what needs attention', () => {
  test('lists issues of the channel by type, certificates, imports and the connection', {
    tags: 'empty-installation',
  }, async () => {
    const { db, brandId, add, setSwitches, deliverAll, certify, rename, deliveries } = await useDelivery();
    const gtin = toGtin(1);
    const issue = { type: 'TITLE', title: 'Bad title', description: 'Remove the price.' };
    await setSwitches({ refusals: [{ gtin, ...issue }] });
    const id = await add('Oil, only 5 €', { gtin });
    await certify(id, 'FSC-C000009', 'invalid');
    await certify(id, 'FSC-C000010', 'validated');
    await certify(id, 'FSC-C000011', 'validated', daysFrom(currentDay(), 59));
    await certify(id, 'FSC-C000012', 'validated', daysFrom(currentDay(), 61));
    await deliverAll();
    const attention = await getAttention(db, brandId);
    expect(attention).toMatchObject({
      connection: 'connected',
      brand_name_differs: false,
      variants: expect.arrayContaining([{ reason: 'refused', count: 1 }]),
      issues: expect.arrayContaining([expect.objectContaining({ ...issue, severity: 'error', count: 1 })]),
      certificates: { invalid: 1, ends_soon: 1, pending: 0 },
      imports: { failed: 0, rejected_rows: 0, ids: { failed: [], rejected_rows: [] } },
    });
    expect(attention.issues[0]).toMatchObject({ type: 'TITLE' });
    expect((await listVariants(db, brandId, { issue: 'TITLE' })).results).toMatchObject([{ id }]);
    // The issue was about the version before this change.
    await rename('Oil');
    expect((await getAttention(db, brandId)).issues).toEqual([]);
    expect((await listVariants(db, brandId, { issue: 'TITLE' })).count).toBe(0);
    await setSwitches({ refusals: [] });
    await deliverAll();
    expect(await deliveries()).toMatchObject([{ state: 'live' }]);
    const { id: userId } = await createTestMember(db, brandId, 'owner');
    await updateBrand(db, { userId, supportEmail: '' }, brandId, { name: 'Acme Foods' });
    expect(await getAttention(db, brandId)).toMatchObject({ brand_name_differs: true });
    await setPublished(db, brandId, false);
    expect(await listAttention(db, userId)).toEqual({
      results: [
        {
          brand_id: brandId,
          name: 'Acme Foods',
          connection: null,
          refused: 0,
          certificates: 1,
          ends_soon: 1,
          imports: 0,
        },
      ],
    });
  });

  test('a brand whose published variants wait for its connection is on the dashboard, with its state', async () => {
    const { database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    const { id: userId } = await createTestMember(db, brandId, 'owner');
    await addVariants(db, brandId, [{ gtin: toGtin(1), details }]);
    // Nothing is published yet, so nothing waits.
    expect((await listAttention(db, userId)).results).toEqual([]);
    await setPublished(db, brandId, true);
    expect((await listAttention(db, userId)).results).toMatchObject([{ brand_id: brandId, connection: 'not_connected', refused: 0 }]);
    await connectTestBrand(db, brandId);
    expect((await listAttention(db, userId)).results).toEqual([]);
  });

  test('a brand with nothing but a certificate that ends soon is on the dashboard', async () => {
    const { database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    const { id: userId } = await createTestMember(db, brandId, 'owner');
    const endsIn = (days: number) => daysFrom(currentDay(), days);
    await addCertificate(db, brandId, {
      code: 'FSC-C000001',
      status: 'validated',
      expiresOn: endsIn(ENDS_SOON_DAYS + 1),
    });
    expect((await listAttention(db, userId)).results).toEqual([]);
    await addCertificate(db, brandId, { code: 'FSC-C000002', status: 'validated', expiresOn: endsIn(ENDS_SOON_DAYS) });
    expect((await listAttention(db, userId)).results).toMatchObject([{ brand_id: brandId, certificates: 0, ends_soon: 1 }]);
  });

  /** Creates six published variants. `issues` maps an issue type to its variants and their severity. */
  async function useIssues(issues: Record<string, Record<number, string>>) {
    const { database } = await useTestApp();
    const { db, pool } = database;
    const brandId = await createTestBrand(db);
    const variants = [1, 2, 3, 4, 5, 6].map((n) => ({ gtin: toGtin(n), name: `${n % 2 ? 'Odd' : 'Even'} ${n}` }));
    const ids = await addVariants(db, brandId, variants);
    await setPublished(db, brandId, true);
    await pool.query(
      `update deliveries set state = case when variant_id = $1 then 'live' when variant_id = $2 then 'partly_live' else 'refused' end`,
      [ids[5], ids[4]],
    );
    for (const [position, [type, severities]] of Object.entries(issues).entries()) {
      for (const [n, severity] of Object.entries(severities)) {
        await pool.query(
          `insert into delivery_issues select brand_id, variant_id, $2, revision, $3, $4, 'About ' || $3, '', '', '', '{}'
           from deliveries where variant_id = $1`,
          [ids[Number(n) - 1], position, type, severity],
        );
      }
    }
    await changeDetails(db, brandId, ids.slice(0, 2));
    return { db, brandId };
  }

  /** Keeps the revision: a new revision would make the issues outdated. */
  async function changeDetails(db: Db, brandId: number, ids: readonly number[]) {
    await db
      .updateTable('variants')
      .set({ details: JSON.stringify(details) })
      .where('brand_id', '=', brandId)
      .where('id', 'in', ids)
      .execute();
  }

  const ISSUES = {
    GTIN: { 1: 'error', 2: 'error', 3: 'error', 6: 'error' },
    IMAGE: { 2: 'warning', 3: 'error', 5: 'info' },
    TITLE: { 4: 'warning' },
  };

  test('counts each variant once per type of issue, with the worst severity, like the list that it links to', async () => {
    const { db, brandId } = await useIssues(ISSUES);
    const { issues } = await getAttention(db, brandId);
    expect(issues.map(({ type, severity, count }) => ({ type, severity, count }))).toEqual([
      { type: 'GTIN', severity: 'error', count: 4 },
      { type: 'IMAGE', severity: 'error', count: 3 },
      { type: 'TITLE', severity: 'warning', count: 1 },
    ]);
    for (const { type, count } of issues) expect([type, (await listVariants(db, brandId, { issue: type })).count]).toEqual([type, count]);
  });

  test.each<VariantStatesQuery>([
    {},
    { reason: 'no_image' },
    { issue: 'IMAGE' },
    { issue: 'GTIN', search: 'odd' },
    { reason: 'no_image', issue: 'GTIN', published: true, has_certs: false },
    { reason: 'refused', search: 'even' },
  ])('the counts per state with %j equal those of the list', async (query) => {
    const { db, brandId } = await useIssues(ISSUES);
    const counts = await countVariantStates(db, brandId, query);
    const listed = await Promise.all(
      VARIANT_STATES.map(async (state) => [state, (await listVariants(db, brandId, { ...query, state })).count]),
    );
    expect(counts).toEqual(Object.fromEntries(listed));
  });

  test.each<[VariantStatesQuery, unknown]>([
    [{}, { GTIN: 3, IMAGE: 3 }],
    [{ search: 'odd' }, { GTIN: 2, IMAGE: 2 }],
    [{ issue: 'GTIN' }, { GTIN: 3, IMAGE: 3 }],
    [{ reason: 'no_image' }, { IMAGE: 2, GTIN: 1 }],
    [{ published: false }, {}],
  ])('the counts of refusal reasons with %j equal those of the list', async (query, expected) => {
    const { db, brandId } = await useIssues(ISSUES);
    const { issues = [] } = await countVariantStates(db, brandId, { ...query, state: 'refused' });
    expect(Object.fromEntries(issues.map(({ type, count }) => [type, count]))).toEqual(expected);
    for (const { type, title, count } of issues) {
      expect(title).toBe(`About ${type}`);
      const list = await listVariants(db, brandId, { ...query, state: 'refused', issue: type });
      expect([type, list.count]).toEqual([type, count]);
    }
  });

  test('is not visible to members of another brand', async () => {
    const { app, database } = await useTestApp();
    const { db } = database;
    const brandId = await createTestBrand(db);
    await connectTestBrand(db, brandId);
    const stranger = await createTestMember(db, await createTestBrand(db, 'Other'), 'owner');
    const answer = await app.inject({ url: `/api/v1/brands/${brandId}/attention/`, headers: stranger.headers });
    expect(answer.statusCode).toBe(404);
  });
});

test('variants that several attempts could not send or withdraw are counted and listed', async () => {
  const { database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  const variants = [1, 2, 3, 4, 5].map((item) => ({ gtin: toGtin(item), details, published: true }));
  const [waiting = 0, tried = 0, failing = 0, removing = 0, deleted = 0] = await addVariants(db, brandId, variants);
  const deliver = (id: number, state: string, attempts: number, reason: string) =>
    pool.query('update deliveries set state = $2, attempts = $3, reason = $4 where variant_id = $1', [id, state, attempts, reason]);
  await deliver(waiting, 'queued', 0, '');
  await deliver(tried, 'queued', 1, 'Google answered 503');
  await deliver(failing, 'queued', 3, 'Google answered 503');
  await deliver(removing, 'removing', 5, 'Google answered 503');
  // A deleted variant is in no list, so it is not counted either.
  await deliver(deleted, 'removing', 5, 'Google answered 503');
  await pool.query('delete from variants where id = $1', [deleted]);
  expect((await getAttention(db, brandId)).variants).toEqual([{ reason: 'unreachable', count: 2 }]);
  const { results } = await listVariants(db, brandId, { reason: 'unreachable', ordering: 'created_at' });
  expect(results.map(({ id }) => id)).toEqual([failing, removing]);
});
