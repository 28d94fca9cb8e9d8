// @module-tag empty-installation
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { BrandCertification, CatalogueItem, CertificatePage, ListedCertification } from '@brand-portal/contract/certificates';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { addCertificate, addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { createTasks } from '../../entry/tasks.ts';
import { migrateJobs, startWorker } from '../../queue/worker.ts';
import { retireFromCatalogue } from './catalogue.ts';
import { createTestCertificates, loadTestRegistry } from './test-support/certificates.ts';
import { queueValidations, validateCertificates } from './validation.ts';

const logger = pino({ level: 'silent' });

async function useBrand() {
  const { app, database } = await useTestApp();
  await migrateJobs(database.pool, logger);
  const brandId = await createTestBrand(database.db);
  const { headers } = await createTestMember(database.db, brandId, 'viewer');
  const list = async () => {
    const response = await app.inject({ url: `/api/v1/brands/${brandId}/certifications/`, headers });
    return response.json<BrandCertification[]>();
  };
  return { app, database, brandId, headers, list };
}

// spec: §3 catalogue item, §7 catalogue
test('the catalogue has the supported certifications by name, without those that are retired', async () => {
  const { app, database } = await useTestApp();
  const { headers } = await createTestUser(database.db);
  const list = async () => (await app.inject({ url: '/api/v1/certifications/', headers })).json<CatalogueItem[]>();
  const all = await list();
  expect(all).toHaveLength(34);
  expect(all.slice(0, 3).map(({ name }) => name)).toEqual(['ASC Farmed Responsibly', 'Blue Angel', 'bluesign']);
  expect(Object.keys(all[0] ?? {})).toEqual(['id', 'name']);
  await retireFromCatalogue(database.db, 'blue angel');
  expect((await list()).map(({ name }) => name)).not.toContain('Blue Angel');
});

// spec: §3 certificate row, §7 brand certifications
test("a brand's certificates are sorted by certification and id, each with body, status and reason", async () => {
  const { database, brandId, list } = await useBrand();
  expect(await list()).toEqual([]);
  await createTestCertificates(database.db, brandId, 'GOTS', ['CU-2', 'CU-1']);
  await createTestCertificates(database.db, brandId, 'FSC', ['FSC-1']);
  await createTestCertificates(database.db, await createTestBrand(database.db, 'Other'), 'FSC', ['FSC-C000009']);
  await loadTestRegistry(database.db, 'GOTS', [{ externalId: 'CU-1', expiresOn: '2999-01-31' }]);
  await validateCertificates(database.db, brandId);
  const gots = {
    certifying_body_code: 'GOTS',
    certifying_body_name: 'Global Standard gGmbH',
    certification_name: 'GOTS',
  };
  expect(await list()).toEqual([
    {
      id: expect.any(Number),
      certificate_id: 'FSC-1',
      certifying_body_code: 'FSC',
      certifying_body_name: 'Forest Stewardship Council',
      certification_name: 'FSC',
      overall_status: 'invalid',
      reason: 'pattern',
    },
    {
      ...gots,
      id: expect.any(Number),
      certificate_id: 'CU-1',
      overall_status: 'validated',
      reason: 'listed:2999-01-31',
    },
    { ...gots, id: expect.any(Number), certificate_id: 'CU-2', overall_status: 'invalid', reason: 'not_listed' },
  ]);
});

test('new certificates are validated by the worker, with one job per brand', {
  tags: 'empty-installation',
}, async () => {
  const { database, brandId, list } = await useBrand();
  for (const code of ['FSC-1', 'FSC-C000001']) await addCertificate(database.db, brandId, { code });
  const jobs = await database.pool.query('select task_identifier, key from graphile_worker.jobs');
  expect(jobs.rows).toEqual([{ task_identifier: 'validate_certificates', key: `validate_certificates:${brandId}` }]);
  const tasks = createTasks({ db: database.db, publicUrl: 'http://localhost', logger });
  const worker = await startWorker({ database, tasks, logger });
  try {
    await expect
      .poll(async () => (await list()).map(({ overall_status, reason }) => `${overall_status} ${reason}`), {
        timeout: 5_000,
      })
      .toEqual(['invalid pattern', expect.stringMatching(/^pending no_registry:/)]);
  } finally {
    await worker.stop();
  }
});

test('loading a registry queues the brands with certificates of it, and no others', {
  tags: 'empty-installation',
}, async () => {
  const { database, brandId } = await useBrand();
  await createTestCertificates(database.db, brandId, 'FSC', ['FSC-C000001']);
  await createTestCertificates(database.db, await createTestBrand(database.db, 'Other'), 'GOTS', ['CU-1']);
  expect(await loadTestRegistry(database.db, 'fsc', [{ externalId: 'FSC-C000001' }])).toEqual({
    certification: 'FSC',
    entries: 1,
    added: 1,
    changed: 0,
    removed: 0,
    brands: 1,
    effects: [],
  });
  const jobs = async () => (await database.pool.query('select key, payload from graphile_worker._private_jobs')).rows;
  const [queued] = await jobs();
  expect(queued).toMatchObject({ key: expect.stringMatching(/^revalidate_certification:\d+$/) });
  await queueValidations(database.db, queued.payload.certification_id);
  expect(await jobs()).toContainEqual({ key: `validate_certificates:${brandId}:all`, payload: { brand_id: brandId } });
  expect(await jobs()).toHaveLength(2);
});

/** More than the connection's own buffers hold. */
const MANY = 60_000;

async function useManyCertificates() {
  const brand = await useBrand();
  await brand.database.pool.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key, reason)
     select $1, n.id, i.id, i.id, lower(i.id), id_sort_key(i.id), repeat('x', 100)
     from generate_series(1, $2) number cross join lateral (select 'ID-' || lpad(number::text, 6, '0') as id) i, certifications n where n.name in ('FSC', 'GOTS')`,
    [brand.brandId, MANY / 2],
  );
  return brand;
}

test('a long list is complete and in order', async () => {
  const { list } = await useManyCertificates();
  const rows = await list();
  expect(rows).toHaveLength(MANY);
  const keys = rows.map(({ certification_name, certificate_id }) => `${certification_name} ${certificate_id}`);
  expect(keys).toEqual([...keys].sort());
});

test('a slow reader of a long list holds no database connection, and rows are read only as they are sent', async () => {
  const { app, database, brandId, headers } = await useManyCertificates();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const queries = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => queries.mockRestore());
  const answer = await new Promise<IncomingMessage>((resolve) => {
    get({ port, host: '127.0.0.1', path: `/api/v1/brands/${brandId}/certifications/`, headers }, resolve);
  });
  answer.pause();
  let before = -1;
  await vi.waitFor(
    () => {
      const now = queries.mock.calls.length;
      const isStill = now === before && database.pool.idleCount === database.pool.totalCount;
      before = now;
      expect(isStill).toBe(true);
    },
    { timeout: 10_000, interval: 300 },
  );
  const results: unknown[] = await Promise.all(queries.mock.results.map(({ value }) => value));
  const rowsRead = results.map((result) => (result as { rows: unknown[] }).rows.length);
  expect(Math.max(...rowsRead), 'of one query').toBeLessThan(MANY / 10);
  expect(
    rowsRead.reduce((sum, rows) => sum + rows, 0),
    'of all',
  ).toBeLessThan(MANY);
  expect(JSON.parse(await text(answer))).toHaveLength(MANY);
});

test('the number of variants with a certificate is readable, but not in other brands', async () => {
  const { app, database, brandId, headers } = await useBrand();
  const { db } = database;
  const variants = await addVariants(db, brandId, [
    { gtin: '61414100', name: 'Oil' },
    { gtin: '96385074', name: 'Tea' },
  ]);
  const certificateId = await addCertificate(db, brandId, { code: 'FSC-C000001' }, variants);
  const other = await createTestBrand(db, 'Other');
  const count = async (brand: number, id: number) =>
    (await app.inject({ url: `/api/v1/brands/${brand}/certifications/${id}/variants/`, headers })).json();
  expect(await count(brandId, certificateId)).toEqual({ count: 2 });
  expect(await count(brandId, certificateId + 1)).toEqual({ count: 0 });
  expect((await count(other, certificateId)).code).toBe('brand_not_found');
});

describe('the paged list', () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  async function useList() {
    const brand = await useBrand();
    const { db } = brand.database;
    const page = async (query: string) => {
      const url = `/api/v1/brands/${brand.brandId}/certifications/?${query}`;
      return (await brand.app.inject({ url, headers: brand.headers })).json<CertificatePage>();
    };
    const found = async (query: string) => (await page(query)).results.map(({ certificate_id }) => certificate_id);
    return { ...brand, db, page, found };
  }

  test('has problems first, then certificates by last day, with the number of variants of each', async () => {
    const { db, database, brandId, page } = await useList();
    const variants = await addVariants(db, brandId, [
      { gtin: '61414100', published: true },
      { gtin: '96385074', published: true },
      { gtin: '4006381333931' },
    ]);
    await addCertificate(db, brandId, { code: 'FOREVER', status: 'validated' }, variants.slice(1));
    await addCertificate(db, brandId, { code: 'LATER', status: 'validated', expiresOn: day(100) }, variants);
    await addCertificate(db, brandId, { code: 'SOON', status: 'validated', expiresOn: day(60) });
    await addCertificate(db, brandId, { code: 'WAITS', status: 'pending' });
    await addCertificate(db, brandId, { code: 'WRONG', status: 'invalid', expiresOn: day(-1) });
    await addCertificate(db, await createTestBrand(db, 'Other'), { code: 'OTHER', status: 'invalid' });
    await database.pool.query(`update deliveries set state = 'live' where variant_id = $1`, [variants[0]]);
    await database.pool.query(`update deliveries set state = 'partly_live' where variant_id = $1`, [variants[1]]);
    const { results, count } = await page('page=1');
    expect(count).toBe(5);
    expect(
      results.map(({ certificate_id, expires_on, variants, live_variants }) => [certificate_id, expires_on, variants, live_variants]),
    ).toEqual([
      ['WRONG', day(-1), 0, 0],
      ['WAITS', null, 0, 0],
      ['SOON', day(60), 0, 0],
      ['LATER', day(100), 3, 2],
      ['FOREVER', null, 2, 1],
    ]);
    expect(Object.keys(results[0] ?? {})).not.toContain('id_key');
  });

  test('is filtered by status and by ending soon, and searched by all words', async () => {
    const { db, brandId, found } = await useList();
    await addCertificate(db, brandId, { code: 'FSC-60', status: 'validated', expiresOn: day(60) });
    await addCertificate(db, brandId, { code: 'FSC-61', status: 'validated', expiresOn: day(61) });
    await addCertificate(db, brandId, { code: 'ÉTOILE_60%', status: 'pending', certification: 'GOTS' });
    await addCertificate(db, brandId, { code: 'FSC-59', status: 'invalid', expiresOn: day(1) });
    expect(await found('status=ends_soon')).toEqual(['FSC-60']);
    expect(await found('status=pending')).toEqual(['ÉTOILE_60%']);
    expect(await found('search=60')).toEqual(['ÉTOILE_60%', 'FSC-60']);
    expect(await found('search=60%20STEWARDSHIP')).toEqual(['FSC-60']);
    expect(await found('search=etoile%20global%20gots')).toEqual(['ÉTOILE_60%']);
    expect(await found(`search=${encodeURIComponent('0%')}`)).toEqual(['ÉTOILE_60%']);
    expect(await found('search=forest&status=validated')).toEqual(['FSC-60', 'FSC-61']);
    expect(await found('search=nothing')).toEqual([]);
  });

  test('has every certificate on exactly one page, in every order', async () => {
    const { db, database, brandId, page } = await useList();
    const names = ['FSC', 'bluesign', 'EPREL', 'EU Ecolabel'];
    for (const name of names)
      await createTestCertificates(
        db,
        brandId,
        name,
        Array.from({ length: 9 }, (_, index) => `${name}-${index * 7}`),
      );
    await database.pool.query(`
      update certificates set status = case id % 3 when 0 then 'validated' when 1 then 'pending' else 'invalid' end,
        expires_on = case when id % 4 > 0 then date '2027-01-01' + (id % 5)::int end`);
    const order: Record<string, (row: ListedCertification) => string> = {
      certificate_id: ({ certificate_id }) => certificate_id.toLowerCase().replace(/\d+$/, (n) => n.padStart(9, '0')),
      certification_name: ({ certification_name }) => certification_name.toLowerCase(),
      certifying_body_name: ({ certifying_body_name }) => certifying_body_name.toLowerCase(),
      overall_status: ({ overall_status, expires_on }) => `${overall_status} ${expires_on ?? '9999'}`,
      expires_on: ({ expires_on }) => expires_on ?? '9999',
    };
    for (const [column, keyOf] of Object.entries(order)) {
      for (const sign of ['', '-']) {
        const rows: ListedCertification[] = [];
        for (const number of [1, 2, 3, 4, 5, 6]) {
          const { results, count } = await page(`ordering=${sign}${column}&page_size=7&page=${number}`);
          expect(count).toBe(36);
          rows.push(...results);
        }
        expect(new Set(rows.map(({ id }) => id)).size, `${sign}${column}`).toBe(36);
        const keys = rows.map(keyOf);
        expect(sign ? keys.toReversed() : keys, `${sign}${column}`).toEqual(keys.toSorted());
      }
    }
    expect((await page('page=99')).results).toEqual([]);
  });

  test('of a large brand is sorted by an index', async () => {
    const { database, brandId } = await useManyCertificates();
    await database.pool.query('analyze certificates');
    const { rows } = await database.pool.query(
      `explain select id from certificates where brand_id = $1 and status = 'validated' order by expires_on, id limit 10`,
      [brandId],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('certificates_status_idx');
    expect(plan).not.toContain('Sort');
  });
});
