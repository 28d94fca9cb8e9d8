import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { createBrand, importFile, importLean } from './support/import-data.ts';
import { closeConnections, request, timed } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';
import { printVerdicts, verdict } from './support/verdict.ts';
import { watched } from './support/watched.ts';

/**
 * CSV import over HTTP, compared with the minimum that so many rows cost the database, each in its own brand and alone on the machine.
 * Then the same import into another brand while lists are read: memory, and how long these lists take. `--rows=1000,10000` for a quick run.
 */
const sizes = (option('rows') ?? '1000,10000,100000,1000000').split(',').map(Number);
/** The limits are for this size. Smaller files are mostly fixed costs; larger ones only have a memory limit. */
const MEASURED_ROWS = 100_000;
const MAX_MEMORY_MB = 150;
const IDLE_MS = 15_000;

interface Bench {
  readonly portal: Portal;
  readonly client: pg.Client;
  /** One member who owns all brands here. */
  readonly headers: { authorization: string };
  readonly otherList: () => Promise<string>;
}

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
  console.log('| rows | file | s | rows/s | lean s | ratio | again s | ratio | memory over idle MB | list p99 idle ms | meanwhile ms |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const rows of sizes) await measure(bench, rows);
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
printVerdicts();

async function upload({ portal, headers }: Bench, brandId: number, file: string): Promise<{ imported: number; total_rows: number }> {
  const form = new FormData();
  form.append('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
  const url = `${portal.url}/api/v1/brands/${brandId}/variant-certifications/upload/`;
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { imported: number; total_rows: number };
}

/** Waits for the search index: the job runs every minute and could disturb a measurement. */
async function settle(client: pg.Client): Promise<void> {
  for (let waited = 0; waited < 240; waited++) {
    const { rows } = await client.query("select from due_work where kind = 'index_variants'");
    if (rows.length === 0) return;
    await sleep(500);
  }
  throw new Error('The search index is not brought up to date');
}

async function measure(bench: Bench, rows: number): Promise<void> {
  const { client, portal, otherList } = bench;
  const watch = (work: () => Promise<unknown>) => watched(portal.pid, otherList, work);
  // The lean import runs first and last, so that a change in load or temperature affects both sides.
  const leanBefore = await importLean(client, await createBrand(client), rows);
  await settle(client);
  // Idle except for the same lists, whose garbage does not count for the import.
  const idle = await watch(() => sleep(IDLE_MS));
  const file = importFile(rows);
  const importInto = async (brandId: number) => {
    const { imported } = await upload(bench, brandId, file);
    if (imported !== rows) throw new Error(`${imported} of ${rows} rows landed`);
  };
  const brand = await createBrand(client);
  const first = await timed(() => importInto(brand));
  await settle(client);
  const again = await timed(() => importInto(brand));
  const leanAfter = await importLean(client, await createBrand(client), rows);
  await settle(client);
  const lean = (leanBefore + leanAfter) / 2;
  const watchedBrand = await createBrand(client);
  const meanwhile = await watch(() => importInto(watchedBrand));
  await settle(client);

  const figures = {
    first: first / lean,
    again: again / lean,
    memory: meanwhile.peakMb - idle.peakMb,
    list: meanwhile.list.p99 / idle.list.p99,
  };
  const cells = [
    rows.toLocaleString('en'),
    `${(Buffer.byteLength(file) / 1024 / 1024).toFixed(1)} MB`,
    first.toFixed(2),
    (rows / first).toFixed(0),
    lean.toFixed(2),
    `${figures.first.toFixed(2)}${bar(rows, figures.first <= 3 && first < 10, '≤ 3.0 and 10 s')}`,
    again.toFixed(2),
    `${figures.again.toFixed(2)}${bar(rows, figures.again <= 1.2, '≤ 1.2')}`,
    `${figures.memory.toFixed(0)}${bar(MEASURED_ROWS, figures.memory <= MAX_MEMORY_MB, '≤ 150')}`,
    idle.list.p99.toFixed(1),
    `${meanwhile.list.p99.toFixed(1)}${bar(rows, figures.list <= 5, '≤ 5 ×')}`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function bar(rows: number, met: boolean, text: string): string {
  if (rows !== MEASURED_ROWS) return '';
  return ` (${text}: ${verdict(met)})`;
}
