import type { ImportDetail } from '@brand-portal/contract/import';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, inject, test, vi } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { createTestMember, type TestUser } from '../../test/people.ts';
import { useOwnApp } from '../../test/test-app.ts';
import { SOURCES } from '../entry/tasks.ts';
import { readConfig } from '../lib/config.ts';
import { deleteBrand } from '../people/brands/brands.ts';
import { startWorker } from '../queue/worker.ts';
import { MAX_UNFINISHED } from './accept.ts';
import { runNextImport } from './import-job.ts';
import { TRANSITIONS } from './states.queries.ts';
import { openUpload } from './test-support/slow-upload.ts';
import {
  addImportingBrand,
  countBlocked,
  type ImportingBrand,
  lockBrandRow,
  sendUpload,
  storedVariants,
  toForm,
  useImportingBrand,
  waitsForLock,
} from './test-support/uploads.ts';

const FILE = 'variant_name,gtin\nSalt,96385074\nTea,73513537\nOil,1\n';
const AT_ONCE = { prefer: 'respond-async' };
const STAGED = ['import_files', 'import_rows', 'import_plan', 'import_links'];

async function getImport(brand: ImportingBrand, importId: number, language?: string): Promise<ImportDetail> {
  return (await brand.get(`imports/${importId}/`, language)).json();
}

const hasState = (brand: ImportingBrand, importId: number, state: string) =>
  vi.waitFor(async () => expect(await getImport(brand, importId)).toMatchObject({ state }), 10_000);

function cancel({ app, brandId, editor }: ImportingBrand, importId: number, user: TestUser = editor) {
  const url = `/api/v1/brands/${brandId}/imports/${importId}/cancel/`;
  return app.inject({ method: 'POST', url, headers: user.headers });
}

/** Starts an import that blocks at the brand's lock. */
async function startHeldImport(brand: ImportingBrand, file = FILE) {
  const release = await lockBrandRow(brand);
  const answer = await brand.send(file, AT_ONCE);
  const { import_id: importId } = answer.json();
  await waitsForLock(brand);
  return { answer, importId, release };
}

/** COPY statements that are running. */
const copying = ({ pool }: ImportingBrand) =>
  pool.query(`select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy import_rows%'`);

/** Starts an import and waits until it reads rows, of which it has many. */
async function startReading(brand: ImportingBrand): Promise<number> {
  const rows = Array.from({ length: 400_000 }, () => 'Salt,96385074').join('\n');
  const answer = await brand.send(`variant_name,gtin\n${rows}\n`, AT_ONCE);
  await vi.waitFor(async () => expect((await copying(brand)).rowCount).toBe(1), 10_000);
  return answer.json().import_id;
}

/** No rows of the import are left, and no statement of it runs. */
async function expectNothingLeft(brand: ImportingBrand) {
  expect(await storedVariants(brand)).toEqual([]);
  await vi.waitFor(async () => {
    for (const table of STAGED) expect((await brand.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
  }, 10_000);
  await expectDerivedData(brand.pool);
}

describe('an upload with Prefer: respond-async', () => {
  test('is answered with the result if the import ends in time', async () => {
    const brand = await useImportingBrand();
    const answer = await brand.send(FILE, { prefer: 'respond-async, wait=60' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ imported: 2, total_rows: 3, error_count: 1 });
    const refused = await brand.send('variant_name\n', { prefer: 'respond-async, wait=60' });
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'csv_rejected']);
  });

  test('is otherwise accepted with an id, by which its progress can be read', async () => {
    const brand = await useImportingBrand();
    const { answer, importId, release } = await startHeldImport(brand, FILE.trimEnd());
    expect(answer.statusCode).toBe(202);
    expect(answer.headers).toMatchObject({
      location: `/api/v1/brands/${brand.brandId}/imports/${importId}/`,
      'preference-applied': 'respond-async',
    });
    expect(answer.json()).toEqual({ import_id: importId, state: expect.stringMatching(/^(waiting|running)$/) });
    // The file is read to its end, which has no line break; progress is stored about once a second.
    await vi.waitFor(
      async () =>
        expect(await getImport(brand, importId)).toMatchObject({
          state: 'running',
          stage: 'merging',
          rows_done: 3,
          rows_total: 3,
          total_rows: 0,
          imported: 0,
          failure: null,
          errors: [],
        }),
      10_000,
    );
    await release();
    await hasState(brand, importId, 'done');
    const [listed] = (await brand.get('imports/')).json().results;
    expect(listed).toMatchObject({ id: importId, state: 'done', stage: null, imported: 2, rejected: 1, rows_done: 3 });
    expect(await storedVariants(brand)).toHaveLength(2);
  });

  test.each([
    ['wait=1', 200],
    ['return=minimal', 200],
    ['Wait="0"; foo, Respond-Async', 202],
    ['respond-async, wait=soon', 202],
  ])('with the header "%s" is answered with %i', async (prefer, status) => {
    const brand = await useImportingBrand();
    const release = await lockBrandRow(brand);
    const answer = brand.send(FILE, { prefer });
    await waitsForLock(brand);
    await release();
    expect((await answer).statusCode).toBe(status);
  });

  test('that fails later has a receipt with the reason', async () => {
    const brand = await useImportingBrand();
    const rows = 'Salt,96385074\n'.repeat(20_000);
    const answer = await brand.send(`variant_name,gtin\n${rows}"Tea,73513537`, AT_ONCE);
    expect(answer.statusCode).toBe(202);
    await hasState(brand, answer.json().import_id, 'failed');
    const { failure, stage } = await getImport(brand, answer.json().import_id, 'es');
    expect(failure).toEqual({ code: 'open_quote', message: expect.stringContaining('se abre en la fila 20002') });
    expect(stage).toBeNull();
    await expectNothingLeft(brand);
  });
});

test('an import continues if the client disconnects after the whole file has arrived', async () => {
  const brand = await useImportingBrand();
  const release = await lockBrandRow(brand);
  const closed = new Promise((resolve) => {
    brand.app.server.once('connection', (socket) => socket.once('close', resolve));
  });
  const { headers, payload } = toForm(FILE);
  const { request } = await openUpload(brand, { ...headers, 'content-length': payload.length });
  request.end(payload);
  await waitsForLock(brand);
  request.destroy();
  await closed;
  await release();
  const { results } = (await brand.get('imports/')).json();
  expect(results).toHaveLength(1);
  await hasState(brand, results[0].id, 'done');
  expect(await storedVariants(brand)).toHaveLength(2);
});

test('the second of two files of a brand waits for the first, and its state says so', async () => {
  const brand = await useImportingBrand();
  const { importId, release } = await startHeldImport(brand);
  const second = (await brand.send('variant_name,gtin\nHoney,90311017\n', AT_ONCE)).json();
  expect(second.state).toBe('waiting');
  expect(await getImport(brand, second.import_id)).toMatchObject({ state: 'waiting', stage: null, rows_done: 0 });
  await release();
  await hasState(brand, second.import_id, 'done');
  expect(await getImport(brand, importId)).toMatchObject({ state: 'done' });
  expect(await storedVariants(brand)).toHaveLength(3);
});

test('a file is accepted at once while another one of the brand is being read', async () => {
  const brand = await useImportingBrand();
  const first = await startReading(brand);
  const second = await brand.send(FILE, AT_ONCE);
  expect(second.json()).toMatchObject({ state: 'waiting' });
  expect((await copying(brand)).rowCount).toBe(1);
  await cancel(brand, first);
  await hasState(brand, second.json().import_id, 'done');
});

describe('cancelling', () => {
  test('ends an import that waits for its brand at once, and nothing is stored', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useImportingBrand();
    const { importId, release } = await startHeldImport(brand);
    const answer = await cancel(brand, importId);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: importId, state: 'cancelled', stage: null, failure: null });
    // The brand is still locked by the test.
    await waitsForLock(brand, 0);
    await release();
    await expectNothingLeft(brand);
    const audit = await brand.pool.query(`select details from audit_log where action = 'variants.import_cancelled'`);
    expect(audit.rows).toEqual([{ details: { import_id: importId } }]);
    expect(await brand.upload(FILE)).toMatchObject({ imported: 2 });
  });

  test('ends an import during a statement', async () => {
    const brand = await useImportingBrand();
    const client = await brand.pool.connect();
    await client.query('begin; lock table variants in exclusive mode');
    const { import_id: importId } = (await brand.send(FILE, AT_ONCE)).json();
    await vi.waitFor(async () => expect(await countBlocked(brand.pool)).toBe(1), 10_000);
    await cancel(brand, importId);
    await vi.waitFor(async () => expect(await countBlocked(brand.pool)).toBe(0), 5_000);
    await client.query('commit');
    client.release();
    await expectNothingLeft(brand);
    expect(await brand.upload(FILE)).toMatchObject({ imported: 2 });
  });

  test('ends an import that reads its file, and the database connection still works', async () => {
    const brand = await useImportingBrand();
    const importId = await startReading(brand);
    expect((await cancel(brand, importId)).statusCode).toBe(200);
    await vi.waitFor(async () => expect((await copying(brand)).rowCount).toBe(0), 5_000);
    await expectNothingLeft(brand);
    for (let again = 0; again < 3; again++) expect(await brand.upload(FILE)).toMatchObject({ imported: 2 });
  });

  test('removes a waiting import from the queue', async () => {
    const brand = await useImportingBrand();
    const { importId, release } = await startHeldImport(brand);
    const waiting = (await brand.send(FILE, AT_ONCE)).json();
    expect((await cancel(brand, waiting.import_id)).json()).toMatchObject({ state: 'cancelled' });
    await release();
    await hasState(brand, importId, 'done');
    expect(await getImport(brand, waiting.import_id)).toMatchObject({ state: 'cancelled', imported: 0 });
  });

  test('answers the upload request that still waits', async () => {
    const brand = await useImportingBrand();
    const release = await lockBrandRow(brand);
    const waiting = brand.send(FILE, { language: 'es' });
    await waitsForLock(brand);
    const [{ id }] = (await brand.get('imports/')).json().results;
    await cancel(brand, id);
    expect((await waiting).json()).toMatchObject({
      code: 'import_cancelled',
      detail: 'La importación se ha cancelado. No se ha cambiado nada.',
    });
    await release();
  });

  test('works on another server than the one that imports', async () => {
    const brand = await useImportingBrand();
    const { database } = brand;
    const { app } = await useOwnApp({ database });
    const { importId, release } = await startHeldImport(brand);
    expect((await cancel({ ...brand, app }, importId)).json()).toMatchObject({ state: 'cancelled' });
    await waitsForLock(brand, 0);
    await release();
    await expectNothingLeft(brand);
  });

  test('comes too late for an import that has ended', async () => {
    const brand = await useImportingBrand();
    const { import_id } = await brand.upload(FILE);
    const late = await cancel(brand, import_id);
    expect([late.statusCode, late.json().code]).toEqual([409, 'import_ended']);
    expect(await getImport(brand, import_id)).toMatchObject({ state: 'done', imported: 2 });
  });

  // On a cluster both statements wait on a worker, where this test does not see them.
  const isCluster = inject('postgresUrls').length > 1;
  test.skipIf(isCluster)('comes too late for an import that is about to commit, and waits for it', async () => {
    const brand = await useImportingBrand();
    const { importId, release } = await startHeldImport(brand);
    const client = await brand.pool.connect();
    await client.query('begin');
    await client.query('select from imports where brand_id = $1 for update', [brand.brandId]);
    await release();
    await vi.waitFor(async () => expect(await countBlocked(brand.pool, 'update "imports" set%')).toBe(1), 10_000);
    const late = cancel(brand, importId);
    await vi.waitFor(async () => expect(await countBlocked(brand.pool)).toBe(2), 10_000);
    await client.query('commit');
    client.release();
    expect((await late).json()).toMatchObject({ code: 'import_ended' });
    expect(await getImport(brand, importId)).toMatchObject({ state: 'done', imported: 2 });
  });

  test('is for editors of the brand: not for viewers, nor for members of another brand', async () => {
    const brand = await useImportingBrand();
    const other = await addImportingBrand(brand);
    const { importId, release } = await startHeldImport(brand);
    const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
    expect((await cancel(brand, importId, viewer)).statusCode).toBe(403);
    expect((await cancel(brand, importId, other.editor)).json()).toMatchObject({ code: 'brand_not_found' });
    expect((await cancel(other, importId)).json()).toMatchObject({ code: 'import_not_found' });
    await release();
    await hasState(brand, importId, 'done');
  });
});

/** Another server, to which graphile-worker has given the brand's job. */
const takeOver = ({ database, brandId }: ImportingBrand, sources = SOURCES, db = database.db) =>
  runNextImport(
    {
      db,
      notices: database.notices,
      quotas: readConfig({}).quotas,
      sources,
      logger: pino({ level: 'silent' }),
    },
    brandId,
  );

const historyOf = async ({ pool, brandId }: ImportingBrand) =>
  (await pool.query(`select action from audit_log where brand_id = $1 and action like 'variants.%'`, [brandId])).rows;

test('an import is tried again a second after the database was away, not after a longer pause of the job', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  await brand.stopImports();
  const { import_id: id } = (await brand.send(FILE, AT_ONCE)).json();
  let outages = 2;
  const db = new Proxy(brand.database.db, {
    get(target, name) {
      if (name === 'getExecutor' && outages-- > 0) throw Object.assign(new pg.DatabaseError('', 0, 'error'), { code: '57P01' });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await takeOver(brand, SOURCES, db);
  expect(outages).toBeLessThan(0);
  await hasState(brand, id, 'done');
});

describe('an import whose server was killed', () => {
  /** A server that ends at this step of the import, without any word. */
  const dyingAt = (step: 'stage' | 'apply'): typeof SOURCES => ({
    ...SOURCES,
    file: { ...SOURCES.file, [step]: () => Promise.reject(new Error('killed')) },
  });

  /** Leaves the import as a killed server does: running, and nobody works on it. */
  async function leaveRunning(brand: ImportingBrand, step: 'stage' | 'apply'): Promise<number> {
    const release = await lockBrandRow(brand);
    const { import_id: importId } = (await brand.send(FILE, AT_ONCE)).json();
    await waitsForLock(brand);
    await brand.stopImports();
    const { pool, brandId } = brand;
    await pool.query(`update imports set former_state = 'waiting', state = 'running', attempt = 1 where id = $1`, [importId]);
    if (step === 'stage') {
      await pool.query('delete from import_rows where import_id = $1', [importId]);
      await pool.query('update imports set staged = null where id = $1', [importId]);
      await pool.query('insert into import_files (brand_id, import_id, part, bytes) values ($1, $2, 0, $3)', [
        brandId,
        importId,
        Buffer.from(FILE),
      ]);
    }
    await release();
    return importId;
  }

  test('while it read the file is read again by another server', { tags: 'empty-installation' }, async () => {
    const brand = await useImportingBrand();
    const importId = await leaveRunning(brand, 'stage');
    await takeOver(brand);
    expect(await getImport(brand, importId)).toMatchObject({ state: 'done', imported: 2, rejected: 1 });
    await expectDerivedData(brand.pool);
  });

  test('after it has read the file is applied from its staged rows', { tags: 'empty-installation' }, async () => {
    const brand = await useImportingBrand();
    const importId = await leaveRunning(brand, 'apply');
    await takeOver(brand, dyingAt('stage'));
    expect(await getImport(brand, importId)).toMatchObject({ state: 'done', imported: 2, rejected: 1 });
  });

  test('again and again is given up as interrupted', { tags: 'empty-installation' }, async () => {
    const brand = await useImportingBrand();
    const importId = await leaveRunning(brand, 'stage');
    await brand.pool.query('update imports set interruptions = 10 where id = $1', [importId]);
    await takeOver(brand);
    expect(await getImport(brand, importId, 'es')).toMatchObject({
      state: 'failed',
      failure: { code: 'interrupted', message: expect.stringContaining('El servidor se detuvo') },
    });
    await takeOver(brand);
    for (const table of STAGED) expect((await brand.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
  });

  test('and that was only slow is applied once', async () => {
    const brand = await useImportingBrand();
    const release = await lockBrandRow(brand);
    const waiting = brand.send(FILE);
    await waitsForLock(brand);
    // Both wait for the brand's lock.
    const other = takeOver(brand);
    await vi.waitFor(async () => {
      const { rows } = await brand.pool.query('select attempt from imports where brand_id = $1', [brand.brandId]);
      expect(rows).toEqual([{ attempt: 2 }]);
    }, 10_000);
    await release();
    await other;
    expect((await waiting).json()).toMatchObject({ imported: 2 });
    expect(await storedVariants(brand)).toHaveLength(2);
    expect(await historyOf(brand)).toEqual([{ action: 'variants.imported' }]);
  });
});

test('a stopping server leaves its imports to the next one, and callers are told that they continue', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const release = await lockBrandRow(brand);
  const called = brand.send(FILE);
  await waitsForLock(brand);
  const { import_id: second } = (await brand.send('variant_name,gtin\nHoney,90311017\n', AT_ONCE)).json();
  await brand.stopImports();
  await brand.app.close();
  const answer = await called;
  expect(answer.statusCode).toBe(202);
  const { import_id: first } = answer.json();
  const states = async () => (await brand.pool.query('select id, state from imports order by id')).rows;
  expect(await states()).toEqual([
    { id: first, state: 'waiting' },
    { id: second, state: 'waiting' },
  ]);
  await release();
  const next = await useOwnApp({ database: brand.database });
  // Starts the jobs of this server.
  await next.app.inject({ method: 'POST', url: '/api/v1/brands/0/imports/check/' });
  await vi.waitFor(
    async () =>
      expect(await states()).toEqual([
        { id: first, state: 'done' },
        { id: second, state: 'done' },
      ]),
    10_000,
  );
  expect(await storedVariants(brand)).toHaveLength(3);
});

test('brands take turns: the second file of one waits for the first file of another', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  await brand.stopImports();
  const others = [await addImportingBrand(brand), await addImportingBrand(brand)];
  for (const uploader of [brand, brand, brand, ...others, ...others]) expect((await uploader.send(FILE, AT_ONCE)).statusCode).toBe(202);
  const { database } = brand;
  const order: number[] = [];
  const notices = { follow: () => () => {}, close: async () => {} };
  const deps = {
    db: database.db,
    notices,
    quotas: readConfig({}).quotas,
    sources: SOURCES,
    logger: pino({ level: 'silent' }),
  };
  const worker = await startWorker({
    database,
    logger: pino({ level: 'silent' }),
    // As if there were one slot for all.
    tasks: {
      import: async (payload) => {
        const { brand_id } = payload as { brand_id: number };
        order.push(brand_id);
        await runNextImport(deps, brand_id);
      },
    },
    slots: { imports: 1 },
  });
  const [b, c] = others.map(({ brandId }) => brandId);
  await vi.waitFor(() => expect(order).toHaveLength(7), 20_000);
  await worker.stop();
  expect(order).toEqual([brand.brandId, b, c, brand.brandId, b, c, brand.brandId]);
});

test('too many imports of a member or of a brand are refused with what to wait for, and when to come back', async () => {
  const brand = await useImportingBrand();
  const release = await lockBrandRow(brand);
  for (let n = 0; n < MAX_UNFINISHED.member; n++) expect((await brand.send(FILE, AT_ONCE)).statusCode).toBe(202);
  const refused = await brand.send(FILE, AT_ONCE);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
    429,
    '10',
    {
      code: 'too_many_imports',
      detail: '8 imports of yours are waiting or running. Try again when one of them has ended.',
    },
  ]);
  const { db } = brand.database;
  const others = [await createTestMember(db, brand.brandId, 'editor'), await createTestMember(db, brand.brandId, 'editor')];
  const send = (user: TestUser | undefined) => user && sendUpload(brand.app, brand.brandId, user, FILE, { ...AT_ONCE, language: 'es' });
  for (let n = MAX_UNFINISHED.member; n < MAX_UNFINISHED.brand; n++) expect((await send(others[0]))?.statusCode).toBe(202);
  expect((await send(others[1]))?.json()).toMatchObject({
    detail: 'Hay 12 importaciones de esta marca en espera o en curso. Inténtalo de nuevo cuando termine una de ellas.',
  });
  await release();
  await vi.waitFor(async () => expect((await send(others[1]))?.statusCode).toBe(202), 20_000);
});

test('the database refuses a change of state that is not in the table of transitions', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload(FILE);
  const { rows } = await brand.pool.query(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'imports_transition_check'`,
  );
  const allowed = [...rows[0].text.matchAll(/'(\w+>\w+)'/g)].map(([, pair]) => pair);
  const known = Object.values(TRANSITIONS).flatMap(({ from, to }) => from.map((state) => `${state}>${to}`));
  expect(allowed.sort()).toEqual([...new Set(known)].sort());
  for (const state of ['waiting', 'running', 'checked', 'failed'])
    await expect(
      brand.pool.query(`update imports set former_state = state, state = $1 where id = $2 and brand_id = $3`, [
        state,
        import_id,
        brand.brandId,
      ]),
    ).rejects.toThrow('imports_transition_check');
});

test('deleting a brand also deletes the imports that wait for it', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  const { importId, release } = await startHeldImport(brand);
  const deleting = deleteBrand(brand.database.db, null, brand.brandId);
  await waitsForLock(brand, 2);
  await release();
  await deleting;
  expect(importId).toBeGreaterThan(0);
  await vi.waitFor(async () => {
    for (const table of ['imports', 'variants', ...STAGED])
      expect((await brand.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
  }, 10_000);
});
