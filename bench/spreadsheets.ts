import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { createBrand, importFile } from './support/import-data.ts';
import { closeConnections, processCpuSeconds, request } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';
import { printVerdicts, verdict } from './support/verdict.ts';
import { type Watched, watched } from './support/watched.ts';
import { makeWorkbook } from './support/workbook.ts';

/**
 * Imports of workbooks compared with the same rows as CSV, and exports in both formats, with the variant list of another brand at the same
 * time. `--rows=10000 --large=0` for a quick run.
 */
const rows = Number(option('rows') ?? 100_000);
/** Only for the memory measurement. */
const largeRows = Number(option('large') ?? 1_000_000);
const IDLE_MS = 15_000;
const EXPORTS = 5;
const BARS = { import: 1.6, memoryMb: 150, csvRows: 50_000, xlsxRows: 15_000, list: 5 };

interface Bench {
  readonly portal: Portal;
  readonly client: pg.Client;
  readonly headers: { authorization: string };
  readonly folder: string;
  readonly watch: (work: () => Promise<unknown>) => Promise<Watched & { cpu: number }>;
}

/** V8 does not collect garbage while there is memory to spare, so a limit shows what is needed. */
const portal = await startPortal({ NODE_OPTIONS: '--max-old-space-size=256' });
const folder = await mkdtemp(join(tmpdir(), 'brand-portal-spreadsheets-'));
try {
  const client = await connect(portal.databaseUrl);
  const other = await createBrand(client);
  const headers = await signInMember(client, other);
  const otherList = () => request(`${portal.url}/api/v1/brands/${other}/variants/`, headers);
  const watch = async (work: () => Promise<unknown>) => {
    const before = processCpuSeconds(portal.pid);
    const seen = await watched(portal.pid, otherList, work);
    return { ...seen, cpu: processCpuSeconds(portal.pid) - before };
  };
  const bench: Bench = { portal, client, headers, folder, watch };
  await upload(bench, other, Buffer.from(importFile(1_000)), 'csv');
  for (const format of ['csv', 'xlsx'] as const) {
    await upload(bench, await createBrand(client), await fileOf(format, 2_000), format);
    await download(bench, other, format);
  }
  await measure(bench);
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
}
printVerdicts();

async function measure(bench: Bench): Promise<void> {
  const { client, watch } = bench;
  await settle(client);
  const idle = await watch(() => sleep(IDLE_MS));
  const table = createTable(idle);
  console.log('| what | s | rows/s | CPU of the server s | memory over idle MB | list p99 ms (idle) |');
  console.log('|---|---|---|---|---|---|');

  // Each format runs first and last, so that a change in load affects both.
  const times = { csv: 0, xlsx: 0 };
  let brandId = 0;
  for (const format of ['csv', 'xlsx', 'xlsx', 'csv'] as const) {
    const file = await fileOf(format, rows);
    brandId = await createBrand(client);
    const seen = await watch(() => upload(bench, brandId, file, format));
    times[format] += seen.seconds;
    table(`import ${format}`, rows, seen);
    await settle(client);
  }
  const ratio = times.xlsx / times.csv;
  const { import: bar } = BARS;
  console.log(`\nImport as XLSX over CSV: ${ratio.toFixed(2)} (≤ ${bar}: ${verdict(ratio <= bar)})\n`);

  for (const format of ['csv', 'xlsx', 'csv', 'xlsx'] as const) {
    // One takes less than two seconds, and with so few lists the p99 would be the maximum.
    const seen = await watch(async () => {
      for (let time = 0; time < EXPORTS; time++) await download(bench, brandId, format);
    });
    const least = format === 'csv' ? BARS.csvRows : BARS.xlsxRows;
    table(`${EXPORTS} exports ${format}`, EXPORTS * rows, seen, least);
  }
  if (largeRows === 0) return;
  const large = await createBrand(client);
  const file = await fileOf('xlsx', largeRows);
  table('import xlsx', largeRows, await watch(() => upload(bench, large, file, 'xlsx')));
  await settle(client);
  for (const format of ['csv', 'xlsx'] as const) {
    table(`export ${format}`, largeRows, await watch(() => download(bench, large, format)));
  }
}

function createTable(idle: Watched) {
  return (what: string, count: number, { seconds, cpu, peakMb, list }: Watched & { cpu: number }, least?: number) => {
    const memory = peakMb - idle.peakMb;
    const speed = count / seconds;
    const cells = [
      `${what}, ${count.toLocaleString('en')} rows`,
      seconds.toFixed(2),
      speed.toFixed(0) + (least ? ` (≥ ${least}: ${verdict(speed >= least)})` : ''),
      cpu.toFixed(2),
      `${memory.toFixed(0)} (≤ ${BARS.memoryMb}: ${verdict(memory <= BARS.memoryMb)})`,
      `${list.p99.toFixed(1)} (${idle.list.p99.toFixed(1)}; ≤ ${BARS.list} ×: ${verdict(list.p99 <= BARS.list * idle.list.p99)})`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  };
}

/** The same rows in both formats. */
async function fileOf(format: 'csv' | 'xlsx', count: number): Promise<Buffer> {
  const csv = importFile(count);
  return format === 'csv' ? Buffer.from(csv) : makeWorkbook(csv);
}

async function upload({ portal, headers }: Bench, brandId: number, file: Buffer, format: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), `products.${format}`);
  const url = `${portal.url}/api/v1/brands/${brandId}/variant-certifications/upload/`;
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  const { errors, imported } = (await answer.json()) as { errors?: unknown[]; imported?: number };
  if (!answer.ok || errors?.length !== 0) throw new Error(`${answer.status}: ${imported} rows imported`);
}

/** To a file, like a browser. */
async function download({ portal, headers, folder }: Bench, brandId: number, format: string): Promise<void> {
  const path = join(folder, `export.${format}`);
  const url = `${portal.url}/api/v1/brands/${brandId}/variants/export/?format=${format}`;
  await new Promise<void>((resolve, reject) => {
    get(url, { headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`The export answered ${answer.statusCode}`));
      pipeline(answer, createWriteStream(path)).then(resolve, reject);
    }).on('error', reject);
  });
  const start = (await readFile(path)).subarray(0, 2).toString('latin1');
  if (format === 'xlsx' && start !== 'PK') throw new Error('The export is no workbook');
}

/** Waits for the search index, which a job updates every minute. */
async function settle(client: pg.Client): Promise<void> {
  for (let waited = 0; waited < 240; waited++) {
    const { rows } = await client.query("select from due_work where kind = 'index_variants'");
    if (rows.length === 0) return;
    await sleep(500);
  }
  throw new Error('The search index is not brought up to date');
}
