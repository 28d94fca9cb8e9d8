import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { withBareRoute } from './support/bare-server.ts';
import { filterNames, type ListCase, listCases } from './support/list-cases.ts';
import { closeConnections, postgresCpuSeconds, request, throughput, time } from './support/measure.ts';
import { option } from './support/options.ts';
import { plainList } from './support/plain-list.ts';
import { foreignReads, logPlans, readPlans } from './support/plans.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';
import { addUnindexedBrand, indexPending, loadVariants } from './support/variants-data.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/**
 * The variant list over HTTP, compared with plain SQL and with a bare Fastify route. `--rows=20000` for a quick run, `--rows=0` for the
 * typical brand only, `--runs=200` for a steadier p99.
 */
const rows = Number(option('rows') ?? 1_000_000);
const runs = Number(option('runs') ?? 100);
const FAST_MS = 50;
const INDEXED_ROWS = 100_000;
const INDEXING_SECONDS = 3;

/** Lists of a typical brand, and the minimum share of the bare route's throughput. */
const THROUGHPUT: { label: string; query: Record<string, string>; bar: number }[] = [
  { label: 'first page', query: {}, bar: 0.5 },
  { label: 'page 2', query: { page: '2' }, bar: 0.4 },
  { label: 'page 7', query: { page: '7' }, bar: 0.4 },
  { label: 'page 150, the middle', query: { page: '150' }, bar: 0.4 },
  { label: 'page 300, the last', query: { page: '300' }, bar: 0.4 },
  { label: 'by name, first page', query: { ordering: 'name' }, bar: 0.4 },
  { label: 'by name, page 7', query: { ordering: 'name', page: '7' }, bar: 0.4 },
  { label: 'search "jacket", 375 found', query: { search: 'jacket' }, bar: 0.25 },
  { label: 'search "jacket", page 7 by name', query: { search: 'jacket', ordering: 'name', page: '7' }, bar: 0.25 },
];

interface Bench {
  readonly portal: Portal;
  readonly client: pg.Client;
  readonly brandId: number;
  readonly headers: { authorization: string };
}

const portal = await startPortal();
try {
  const client = await connect(portal.databaseUrl);
  console.log(`Loading ${rows} variants of one brand and ${rows} of others`);
  const { brandId, ordinaryId } = await loadVariants(client, rows);
  const headers = await signInMember(client, ordinaryId);
  const ordinary = { portal, client, brandId: ordinaryId, headers };
  await measureThroughput(ordinary);
  await measureIndexing(ordinary);
  if (rows > 0) {
    await client.query(
      `insert into brand_members (brand_id, user_id, role, status)
       select $1, user_id, role, status from brand_members where brand_id = $2`,
      [brandId, ordinaryId],
    );
    const bench = { portal, client, brandId, headers };
    const cases = await chooseCases(bench);
    await measureCases(bench, cases);
    await checkPlans(bench, cases);
  }
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
printVerdicts();

function listUrl({ portal, brandId }: Bench, query: Readonly<Record<string, string>> = {}): string {
  return `${portal.url}/api/v1/brands/${brandId}/variants/?${new URLSearchParams(query)}`;
}

async function fetchList(bench: Bench, query: Readonly<Record<string, string>>) {
  const { results, count } = JSON.parse(await request(listUrl(bench, query), bench.headers)) as {
    results: { id: number }[];
    count: number;
  };
  return { ids: results.map(({ id }) => id), count };
}

async function chooseCases(bench: Bench): Promise<ListCase[]> {
  const counts = new Map<string, number>();
  for (const [name, query] of filterNames()) counts.set(name, (await fetchList(bench, query)).count);
  return listCases(counts);
}

/** Alternates between them, so that other load on the machine affects all. */
async function measureThroughput(bench: Bench): Promise<void> {
  await withBareRoute(bench.portal.databaseUrl, bench.brandId, async (bareUrl) => {
    const figures = [{ perSecond: 0 }, ...THROUGHPUT.map(() => ({ perSecond: 0 }))];
    const rounds = 4;
    for (let round = 0; round < rounds; round++) {
      for (const [index, figure] of figures.entries()) {
        const url = index === 0 ? bareUrl : listUrl(bench, THROUGHPUT[index - 1]?.query);
        figure.perSecond += (await throughput(url, bench.headers, { seconds: 2 })) / rounds;
      }
    }
    const [bare = { perSecond: 0 }, ...lists] = figures;
    console.log('\n| brand of 3,000 variants, 16 at a time | per second | ratio | bar |\n|---|---|---|---|');
    console.log(`| bare Fastify route, one prepared SELECT of ten rows | ${bare.perSecond.toFixed(0)} | | |`);
    for (const [index, { label, bar }] of THROUGHPUT.entries()) {
      const perSecond = lists[index]?.perSecond ?? 0;
      const ratio = perSecond / bare.perSecond;
      console.log(`| ${label} | ${perSecond.toFixed(0)} | ${ratio.toFixed(2)} | ≥ ${bar}: ${verdict(ratio >= bar)} |`);
    }
  });
}

/** The CPU time of all database processes for the search index after an import, by the product's own job. */
async function measureIndexing({ portal, client }: Bench): Promise<void> {
  await addUnindexedBrand(client, INDEXED_ROWS);
  const started = postgresCpuSeconds(portal.postgresPid);
  await indexPending(client);
  const seconds = postgresCpuSeconds(portal.postgresPid) - started;
  console.log(`\n| search index of ${INDEXED_ROWS} new variants | CPU s | bar |\n|---|---|---|`);
  console.log(`| the job | ${seconds.toFixed(1)} | ≤ ${INDEXING_SECONDS} s: ${verdict(seconds <= INDEXING_SECONDS)} |`);
}

async function measureCases(bench: Bench, cases: ListCase[]): Promise<void> {
  console.log('\n| list | finds | p50 ms | p99 ms | plain SQL p50 ms | ratio of p50 | bar |\n|---|---|---|---|---|---|---|');
  for (const { label, query, bar } of cases) {
    const expected = await plainList(bench.client, bench.brandId, query);
    const answer = await fetchList(bench, query);
    if (JSON.stringify(answer) !== JSON.stringify(expected)) {
      throw new Error(`${label}: ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`);
    }
    const isSlow = bar === 'fair';
    const list = await time(isSlow ? Math.ceil(runs / 10) : runs, () => request(listUrl(bench, query), bench.headers));
    const plain = await time(2, () => plainList(bench.client, bench.brandId, query), { warmUp: 0 });
    const ratio = list.p50 / plain.p50;
    const met = bar === 'fast' ? list.p99 <= FAST_MS : ratio <= 2;
    const cells = [label, answer.count, list.p50.toFixed(1), list.p99.toFixed(1), plain.p50.toFixed(1), ratio.toFixed(2)];
    console.log(`| ${cells.join(' | ')} | ${bar === 'fast' ? `≤ ${FAST_MS} ms` : '≤ 2 ×'}: ${verdict(met)} |`);
  }
}

async function checkPlans(bench: Bench, cases: ListCase[]): Promise<void> {
  await logPlans(bench.client);
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-plans-'));
  let checked = 0;
  for (const [index, { label, query }] of cases.entries()) {
    const from = statSync(bench.portal.postgresLog).size;
    await fetchUntilAnswered(listUrl(bench, query), bench.headers);
    await sleep(50);
    const plans = readPlans(bench.portal.postgresLog, from).filter(({ 'Query Text': text = '' }) => text.includes('variant'));
    if (plans.length === 0) throw new Error(`${label}: no plan in the log`);
    writeFileSync(join(folder, `${index}.json`), JSON.stringify({ label, plans }, null, 2));
    for (const problem of plans.flatMap((plan) => foreignReads(plan, bench.brandId))) {
      console.log(`${label}: may read rows of other brands (${verdict(false)}): ${problem}`);
    }
    checked += plans.length;
  }
  console.log(`\n${checked} plans checked for rows of other brands; they are in ${folder}`);
}

/** Retries: the first requests after the connections were cut may fail. */
async function fetchUntilAnswered(url: string, headers: Record<string, string>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await request(url, headers);
      return;
    } catch (error) {
      if (tries === 50) throw error;
    }
  }
}
