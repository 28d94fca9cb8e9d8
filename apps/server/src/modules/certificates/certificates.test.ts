import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { BrandCertification, CatalogueItem } from '@brand-portal/contract/certificates';
import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addCertificate, addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { createTasks } from '../../jobs/tasks.ts';
import { migrateJobs, startWorker } from '../../jobs/worker.ts';
import { retireFromCatalogue } from './catalogue.ts';
import { createTestCertificates, loadTestRegistry } from './test-support/certificates.ts';
import { validateCertificates } from './validation.ts';

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

test("a brand's certificates come by certification and id, each with body, status and reason", async () => {
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

test('what an import has queued is validated by the worker, once per brand', async () => {
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

test('a registry that is loaded queues the brands that it is about, and no others', async () => {
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
  const jobs = await database.pool.query('select key from graphile_worker.jobs');
  expect(jobs.rows).toEqual([{ key: `validate_certificates:${brandId}` }]);
});

/** More than the connection's own buffers hold. */
const MANY = 60_000;

async function useManyCertificates() {
  const brand = await useBrand();
  await brand.database.pool.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, reason)
     select $1, n.id, 'ID-' || lpad(number::text, 6, '0'), 'ID-' || lpad(number::text, 6, '0'), repeat('x', 100)
     from generate_series(1, $2) number, certifications n where n.name in ('FSC', 'GOTS')`,
    [brand.brandId, MANY / 2],
  );
  return brand;
}

test('a list of any length is whole and in order', async () => {
  const { list } = await useManyCertificates();
  const rows = await list();
  expect(rows).toHaveLength(MANY);
  const keys = rows.map(({ certification_name, certificate_id }) => `${certification_name} ${certificate_id}`);
  expect(keys).toEqual([...keys].sort());
});

test('whoever reads a long list slowly holds neither memory nor a connection to the database', async () => {
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

test('tells how many variants have a certificate, and nothing of other brands', async () => {
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
