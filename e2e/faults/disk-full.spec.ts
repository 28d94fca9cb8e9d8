import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readBrand, TestBrand } from '../support/brand-api.ts';
import { gtin } from '../support/csv-files.ts';
import { expect, expectCleanStop, expectReady, expectRefusal } from '../support/fault.ts';
import { IS_LONG_RUN } from '../support/fault-rounds.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { processesOf } from '../support/processes.ts';
import { type ServerProcess, UNLIMITED } from '../support/server.ts';
import { type SmallDisk, test } from '../support/small-disk.ts';

test.describe.configure({ timeout: 180_000 });

const ROWS = IS_LONG_RUN ? 60_000 : 10_000;
const KILOBYTE = 1024;
const NO_ROOM = { en: /storage space left for your file/, es: /espacio para tu archivo/ };

function csv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, item) => `Product ${item},${gtin(item)}`);
  return ['variant_name,gtin', ...lines].join('\n');
}

interface Answer {
  status: number;
  code?: string;
  detail?: string;
}

async function ask(server: ServerProcess, brand: TestBrand, path: string, request: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(server.url + path, { ...request, headers: { ...brand.headers, ...request.headers } });
  const text = await answer.text();
  expect(text, 'no stack trace for members').not.toMatch(/\n\s+at |node:|\.ts:\d/);
  const { code, detail } = JSON.parse(text);
  return { status: answer.status, code, detail };
}

function upload(server: ServerProcess, brand: TestBrand, file: string, language = 'en'): Promise<Answer> {
  const body = new FormData();
  body.append('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
  const request = { method: 'POST', body, headers: { 'accept-language': language } };
  return ask(server, brand, `/api/v1/brands/${brand.id}/variant-certifications/upload/`, request);
}

const list = (server: ServerProcess, brand: TestBrand) => ask(server, brand, `/api/v1/brands/${brand.id}/variants/`);

function publish(server: ServerProcess, brand: TestBrand, id: number, published: boolean): Promise<Answer> {
  return ask(server, brand, `/api/v1/variants/${id}/publish/`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ published }),
  });
}

/** Toggles the variants in turn until stopped. Records the last confirmed state of each. */
function keepPublishing(server: ServerProcess, brand: TestBrand, ids: readonly number[]) {
  const confirmed = new Map<number, boolean>(ids.map((id) => [id, false]));
  const answers: Answer[] = [];
  let stopped = false;
  const work = (async () => {
    for (let turn = 0; !stopped; turn += 1) {
      const id = ids[turn % ids.length] ?? 0;
      const published = !confirmed.get(id);
      const answer = await publish(server, brand, id, published);
      answers.push(answer);
      if (answer.status === 200) confirmed.set(id, published);
    }
  })();
  const stop = async () => {
    stopped = true;
    await work;
  };
  return { answers, confirmed, stop };
}

/** A server with its database and temporary folder on the disk, and a brand with 200 variants. */
async function useServerOn(disk: SmallDisk, launch: (options?: object) => Promise<ServerProcess>) {
  const dataDir = join(disk.path, 'data');
  const temporary = join(disk.path, 'tmp');
  mkdirSync(temporary);
  const server = await (await launch({ dataDir, env: { ...UNLIMITED, TMPDIR: temporary } })).ready();
  const brand = await TestBrand.create(dataDir, 'Full');
  expect((await upload(server, brand, csv(200))).status).toBe(200);
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    withConnection(databaseUrl(dataDir), async (client) => (await client.query<Row>(text, values)).rows);
  const read = () => withConnection(databaseUrl(dataDir), (client) => readBrand(client, brand.id));
  const variants = await query<{ id: string }>('select id from variants where brand_id = $1 order by id limit 20', [brand.id]);
  return { dataDir, temporary, server, brand, query, read, ids: variants.map(({ id }) => Number(id)) };
}

const PUBLISHED = 'select id::int, published from variants where id = any ($1)';
/** The advisory lock that a server holds on its data folder. */
const OWNERS = `select from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and application_name = 'brand-portal owner'`;

test.use({ megabytes: 320 });

test('a full disk refuses writes that need space and loses nothing, and the server recovers when there is space', async ({
  disk,
  launch,
}) => {
  const { dataDir, temporary, server, brand, query, read, ids } = await useServerOn(disk, launch);
  const file = csv(ROWS);
  const before = await read();

  await test.step('no room for the file of an upload', async () => {
    disk.fill(128 * KILOBYTE);
    const free = disk.freeBytes;
    for (const [language, sentence] of Object.entries(NO_ROOM)) {
      const refused = await upload(server, brand, file, language);
      expect(refused).toMatchObject({ status: 503, code: 'storage_full', detail: expect.stringMatching(sentence) });
    }
    expect(readdirSync(temporary)).toEqual([]);
    await expect.poll(() => disk.freeBytes, 'nor is a nameless file kept').toBeGreaterThan(free - 64 * KILOBYTE);
    expect((await list(server, brand)).status, 'everybody else goes on').toBe(200);
    disk.empty();
  });

  await test.step('no room for the rows of an import', async () => {
    disk.fill(file.length + 512 * KILOBYTE);
    const publishing = keepPublishing(server, brand, ids);
    const refused = await upload(server, brand, file);
    expect(refused).toMatchObject({
      status: 503,
      code: 'storage_full',
      detail: expect.stringMatching(/storage space/),
    });
    expect((await list(server, brand)).status, 'reads go on').toBe(200);
    await expectReady(server);
    // The long run also tests that writes continue for a while on a nearly full disk.
    if (IS_LONG_RUN) await wait(10_000);
    await expect.poll(() => publishing.answers.length, { timeout: 60_000 }).toBeGreaterThan(2 * ids.length);
    await publishing.stop();
    const kinds = new Set(publishing.answers.map(({ status, code }) => `${status} ${code ?? ''}`.trim()));
    expect([...kinds].filter((kind) => kind !== '200' && kind !== '503 storage_full')).toEqual([]);
    const published = await query<{ id: number; published: boolean }>(PUBLISHED, [ids]);
    expect(new Map(published.map((row) => [row.id, row.published]))).toEqual(publishing.confirmed);
    expect(await read(), 'an import that was refused left nothing').toEqual(before);
    disk.empty();
    expect((await upload(server, brand, file)).status).toBe(200);
    expect(await read()).toMatchObject({ variants: ROWS, counted: ROWS, searchable: ROWS });
    for (const id of ids) expect((await publish(server, brand, id, false)).status).toBe(200);
  });

  await test.step('no room for anything: the database stops and is restarted', async () => {
    const whole = await read();
    const publishing = keepPublishing(server, brand, ids);
    disk.fill();
    // PostgreSQL stops if it cannot create the next WAL segment of 16 MB.
    await expect.poll(() => query('select pg_switch_wal()').catch(() => 'gone'), { timeout: 30_000, intervals: [20] }).toBe('gone');
    await expect.poll(() => processesOf(dataDir), { timeout: 20_000 }).toEqual([]);
    // Long enough for a failed restart: the server retries every second, but does not log it.
    await wait(IS_LONG_RUN ? 20_000 : 1_200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect(await list(server, brand)).toMatchObject({ status: 503, code: 'database_unavailable' });
    await publishing.stop();

    disk.empty();
    const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(readiness, { timeout: 20_000, intervals: [50] }).toBe(200);
    expect(await read()).toEqual(whole);
    const published = await query<{ id: number; published: boolean }>(PUBLISHED, [ids]);
    const wrong = published.filter((row) => publishing.confirmed.get(row.id) !== row.published);
    // The write during which the database stopped may be committed without having been confirmed.
    expect(wrong.length).toBeLessThanOrEqual(1);
    expect((await upload(server, brand, csv(500))).status).toBe(200);
    await expect.poll(async () => (await query(OWNERS)).length, 'it holds the data folder as before').toBe(1);
  });
  if (IS_LONG_RUN) await expectRefusal(await launch({ dataDir }), /DATA_DIR/);
  await expectCleanStop(server);
});
