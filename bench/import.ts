import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { importBare, importFile } from './support/import-data.ts';
import { closeConnections, request, type Timing, time } from './support/measure.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';

/**
 * CSV import over HTTP, beside what the same rows cost the database alone, each in a brand of its own; and the variant list
 * of another brand meanwhile. `--rows=1000,10000` for a quick run.
 */
const sizes = (option('rows') ?? '1000,10000,100000,1000000').split(',').map(Number);
/** The bars are for this size; smaller files are mostly fixed costs, larger ones have no bar but memory's. */
const MEASURED_ROWS = 100_000;
const LARGEST_MEMORY_MB = 150;

interface Bench {
  readonly portal: Portal;
  readonly client: pg.Client;
  /** Of one member, who owns every brand here. */
  readonly headers: { authorization: string };
  readonly otherList: () => Promise<string>;
}

let failures = 0;
const portal = await startPortal();
try {
  const client = await connect(portal.databaseUrl);
  const other = await createBrand(client);
  const headers = await signInMember(client, other);
  const bench: Bench = {
    portal,
    client,
    headers,
    otherList: () => request(`${portal.url}/api/v1/brands/${other}/variants/`, headers),
  };
  await upload(bench, other, importFile(1_000));
  for (let warmUp = 0; warmUp < 3; warmUp++) await upload(bench, await createBrand(client), importFile(2_000));
  console.log(
    '| rows | file | s | rows/s | bare s | ratio | again s | ratio | memory over idle MB | list p99 idle ms | meanwhile ms |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const rows of sizes) await measure(bench, rows);
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
console.log(failures === 0 ? '\nAll bars are met.' : `\n${failures} bars are missed.`);
process.exitCode = failures === 0 ? 0 : 1;

function option(name: string): string | undefined {
  return process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
}

async function createBrand(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(`insert into brands (name) values ('Bench') returning id`);
  const brandId = Number(rows[0]?.id);
  await client.query(
    `insert into brand_members (brand_id, user_id, role, status)
     select $1, id, 'owner', 'active' from users where email like 'owner.%@example.com'`,
    [brandId],
  );
  return brandId;
}

async function upload(
  { portal, headers }: Bench,
  brandId: number,
  file: string,
): Promise<{ imported: number; total_rows: number }> {
  const form = new FormData();
  form.append('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
  const url = `${portal.url}/api/v1/brands/${brandId}/variant-certifications/upload/`;
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { imported: number; total_rows: number };
}

/** What was written in bulk is put into the search index by the clock, which may strike while something is measured: done here at once. */
async function settle(client: pg.Client): Promise<void> {
  await client.query('update variant_search set indexed = true where not indexed');
}

async function measure(bench: Bench, rows: number): Promise<void> {
  const { client, otherList } = bench;
  // The bare run first and last, so that a machine that grows busier or warmer meets both sides alike.
  const bareBefore = await importBare(client, await createBrand(client), rows);
  await settle(client);
  const brand = await createBrand(client);
  const file = importFile(rows);
  const idle = await time(200, otherList);
  const idleMemory = memoryMb(bench.portal.pid);
  const first = await importWatched(bench, brand, file, rows);
  await settle(client);
  const again = await importWatched(bench, brand, file, rows);
  const bareAfter = await importBare(client, await createBrand(client), rows);
  await settle(client);
  const bare = (bareBefore + bareAfter) / 2;

  const figures = {
    bare: first.seconds / bare,
    again: again.seconds / first.seconds,
    memory: Math.max(first.peakMb, again.peakMb) - idleMemory,
    list: first.list.p99 / idle.p99,
  };
  const cells = [
    rows.toLocaleString('en'),
    `${(Buffer.byteLength(file) / 1024 / 1024).toFixed(1)} MB`,
    first.seconds.toFixed(2),
    (rows / first.seconds).toFixed(0),
    bare.toFixed(2),
    `${figures.bare.toFixed(2)}${bar(rows, figures.bare <= 2.5 && first.seconds < 10, '≤ 2.5 and 10 s')}`,
    again.seconds.toFixed(2),
    `${figures.again.toFixed(2)}${bar(rows, figures.again <= 0.6, '≤ 0.6')}`,
    `${figures.memory.toFixed(0)}${bar(MEASURED_ROWS, figures.memory <= LARGEST_MEMORY_MB, '≤ 150')}`,
    idle.p99.toFixed(1),
    `${first.list.p99.toFixed(1)}${bar(rows, figures.list <= 5, '≤ 5 ×')}`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function bar(rows: number, met: boolean, text: string): string {
  if (rows !== MEASURED_ROWS) return '';
  if (!met) failures += 1;
  return ` (${text}: ${met ? 'met' : 'MISSED'})`;
}

/** One import, with its time, the server's highest memory, and how long lists of another brand take meanwhile. */
async function importWatched(
  bench: Bench,
  brand: number,
  file: string,
  rows: number,
): Promise<{ seconds: number; peakMb: number; list: Timing }> {
  let isDone = false;
  let peakMb = 0;
  const memory = (async () => {
    while (!isDone) {
      peakMb = Math.max(peakMb, memoryMb(bench.portal.pid));
      await sleep(20);
    }
  })();
  const times: number[] = [];
  const lists = (async () => {
    while (!isDone) {
      const started = performance.now();
      await bench.otherList();
      times.push(performance.now() - started);
      await sleep(5);
    }
  })();
  const watching = Promise.all([memory, lists]);
  watching.catch(() => {});
  const started = performance.now();
  const result = await upload(bench, brand, file).finally(() => {
    isDone = true;
  });
  const seconds = (performance.now() - started) / 1000;
  await watching;
  if (result.imported !== rows) throw new Error(`${result.imported} of ${rows} rows landed`);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0;
  return { seconds, peakMb, list: { p50: at(0.5), p99: at(0.99) } };
}

function memoryMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
