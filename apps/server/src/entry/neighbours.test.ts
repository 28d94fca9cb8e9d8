// @module-tag empty-installation
import { expect, onTestFinished, test, vi } from 'vitest';
import { addVariants } from '../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useOwnApp } from '../../test/test-app.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { workbookParts, zip } from '../../test/workbooks.ts';
import type { Channel } from '../channel/channel.ts';
import { createDeliveries } from '../channel/delivery.ts';
import { connect, manyPublished, silent, toGtin, useEmulator } from '../channel/test-support/delivery.ts';
import { toForm } from '../imports/test-support/uploads.ts';
import type { Mail } from '../mail/mailer.ts';
import { migrateJobs, startWorker } from '../queue/worker.ts';
import { createTasks } from './tasks.ts';

const PARALLEL = 40;

/** Two servers on one database, with a quiet and a busy brand. The channel never answers for the busy one. */
async function useNeighbours() {
  const database = await useTestDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, silent);
  const { channel, setSwitches } = await useEmulator(database);
  const addBrand = async (name: string, client_id: string) => {
    const brandId = await createTestBrand(db, name);
    await pool.query('update brands set opted_in_for_trial = true where id = $1', [brandId]);
    await connect(db, setSwitches, brandId, { client_id, name });
    return { brandId, owner: await createTestMember(db, brandId, 'owner') };
  };
  const [quiet, busy] = [await addBrand('Quiet', '11'), await addBrand('Busy', '22')];
  const mails: Mail[] = [];
  const answer = Promise.withResolvers<void>();
  const slow: Channel = {
    ...channel,
    open: async (connection) => {
      const session = await channel.open(connection);
      return connection.brand_id === busy.brandId ? { ...session, send: () => answer.promise } : session;
    },
  };
  const apps = [await useOwnApp({ database }), await useOwnApp({ database })].map(({ app }) => app);
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  for (const _ of apps) {
    const stopping = new AbortController();
    const deps = { db, logger: silent, stopping: stopping.signal };
    const deliveries = createDeliveries({ ...deps, channel: slow });
    const tasks = createTasks({ ...deps, mailer, publicUrl: 'http://localhost:1' });
    const worker = await startWorker({ database: database.jobs, tasks, logger: silent });
    void deliveries.watch();
    onTestFinished(async () => {
      stopping.abort();
      answer.resolve();
      await worker.stop();
      await deliveries.idle();
    });
  }
  let calls = 0;
  const callOf =
    ({ brandId, owner }: typeof quiet) =>
    async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
      calls += 1;
      const url = path.startsWith('/') ? path : `/api/v1/brands/${brandId}/${path}`;
      const app = apps[calls % apps.length] as (typeof apps)[number];
      return app.inject({ method, url, headers: owner.headers, ...(body && { body }) });
    };
  const upload = (file: string | Buffer) => {
    const form = toForm(file);
    const headers = { ...busy.owner.headers, ...form.headers };
    const url = `/api/v1/brands/${busy.brandId}/variant-certifications/upload/`;
    return apps[0]?.inject({ method: 'POST', url, ...form, headers });
  };
  return { database, quiet: { ...quiet, call: callOf(quiet) }, busy: { ...busy, call: callOf(busy) }, mails, upload };
}

/** Long shared strings that are far from each other, named in turn. */
function hostileWorkbook(): Promise<Buffer> {
  const strings = Array.from({ length: 20_000 }, (_, at) => `<t>${at % 500 === 0 ? 'x'.repeat(20_000) : 'a'}</t>`);
  const rows = Array.from(
    { length: 300 },
    (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>${(at % 40) * 500}</v></c><c r="B${at + 1}" t="s"><v>1</v></c></row>`,
  );
  return zip(workbookParts({ sheets: [{ name: 'Products', content: rows.join('') }], strings }));
}

test('beside a brand that is busy in every way, a quiet one reads, writes, publishes, is delivered and invites', async () => {
  const { database, quiet, busy, mails, upload } = await useNeighbours();
  const { pool } = database;
  await addVariants(database.db, busy.brandId, manyPublished(200));
  const isSent = async (brandId: number, state: 'claimed' | 'sent') => {
    const condition = state === 'sent' ? 'sent_revision = revision' : 'claimed_until > now()';
    const { rows } = await pool.query(`select from deliveries where brand_id = $1 and ${condition}`, [brandId]);
    expect(rows.length).toBeGreaterThan(0);
  };
  // Its calls to the channel have begun, and are not answered.
  await vi.waitFor(() => isSent(busy.brandId, 'claimed'), { timeout: 60_000, interval: 50 });
  const [variantId] = await addVariants(database.db, quiet.brandId, [{ gtin: toGtin(1), name: 'Tea', published: false }]);
  const feed = (await busy.call('POST', 'channel/feed/')).json() as { xml_url: string };

  const holder = await database.pool.connect();
  await holder.query('begin');
  await holder.query('select from brands where id = $1 for update', [busy.brandId]);
  const workbook = await hostileWorkbook();
  const many = (work: () => Promise<{ statusCode: number }> | undefined) => Array.from({ length: PARALLEL }, work);
  const load = [
    ...many(() => busy.call('POST', 'variants/actions/', { action: 'unpublish', filter: {} })),
    ...many(() => busy.call('GET', 'certificates/coverage/')),
    ...many(() => busy.call('GET', 'variants/?state=queued&search=thing')),
    ...many(() => busy.call('GET', new URL(feed.xml_url).pathname)),
    upload(workbook),
    upload(
      `variant_name,gtin\n${manyPublished(5_000)
        .map(({ name, gtin }) => `${name},${gtin}`)
        .join('\n')}`,
    ),
  ];
  const loaded = Promise.all(load);

  // All of this happens while the busy brand's lock is held and its channel is silent.
  for (let round = 0; round < 5; round += 1) {
    for (const path of ['variants/', '', 'attention/', 'imports/', 'certificates/coverage/']) {
      expect((await quiet.call('GET', path)).statusCode).toBe(200);
    }
  }
  const published = await quiet.call('PATCH', `/api/v1/variants/${variantId}/publish/`, { published: true });
  expect(published.statusCode).toBeLessThan(300);
  expect((await quiet.call('POST', 'members/', { email: 'new@example.com', role: 'viewer' })).statusCode).toBe(201);
  await vi.waitFor(() => isSent(quiet.brandId, 'sent'), { timeout: 60_000, interval: 50 });
  await vi.waitFor(() => expect(mails.map(({ to }) => to.address)).toEqual(['new@example.com']), 60_000);

  await holder.query('rollback');
  holder.release();
  const statuses = (await loaded).map((answer) => answer?.statusCode);
  expect(statuses.filter((status) => ![200, 202, 400, 422, 429, 503].includes(status ?? 0))).toEqual([]);
}, 180_000);
