import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { withBareRoute } from './support/bare-server.ts';
import { filterNames, type ListCase, listCases } from './support/list-cases.ts';
import { closeConnections, request, throughput, time } from './support/measure.ts';
import { option } from './support/options.ts';
import { plainList } from './support/plain-list.ts';
import { foreignReads, logPlans, readPlans } from './support/plans.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';
import { loadVariants } from './support/variants-data.ts';
import { tellVerdicts, verdict } from './support/verdict.ts';

/**
 * The variant list over HTTP, beside plain SQL and beside a bare Fastify route.
 * `--rows=20000` for a quick run, `--runs=200` for a steadier p99.
 */
const rows = Number(option('rows') ?? 1_000_000);
const runs = Number(option('runs') ?? 100);
const FAST_MS = 50;

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
  const { brandId } = await loadVariants(client, rows);
  const bench = { portal, client, brandId, headers: await signInMember(client, brandId) };
  const cases = await chooseCases(bench);
  await measureThroughput(bench);
  await measureCases(bench, cases);
  await checkPlans(bench, cases);
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
tellVerdicts();

function listUrl({ portal, brandId }: Bench, query: Readonly<Record<string, string>> = {}): string {
  return `${portal.url}/api/v1/brands/${brandId}/variants/?${new URLSearchParams(query)}`;
}

async function askList(bench: Bench, query: Readonly<Record<string, string>>) {
  const { results, count } = JSON.parse(await request(listUrl(bench, query), bench.headers)) as {
    results: { id: number }[];
    count: number;
  };
  return { ids: results.map(({ id }) => id), count };
}

async function chooseCases(bench: Bench): Promise<ListCase[]> {
  const counts = new Map<string, number>();
  for (const [name, query] of filterNames()) counts.set(name, (await askList(bench, query)).count);
  return listCases(counts);
}

/** As if something that the list shows had been changed: no answer of before is given again. */
async function countChange({ client, brandId }: Bench): Promise<void> {
  await client.query('select add_variant_counts($1, 0, 0, 0, 0)', [brandId]);
}

/** Answers per second while the brand is changed a hundred times a second. */
async function throughputUnderChange(bench: Bench, seconds: number): Promise<number> {
  let isDone = false;
  const changing = (async () => {
    for (; !isDone; await sleep(10)) await countChange(bench);
  })();
  const perSecond = await throughput(listUrl(bench), bench.headers, { seconds });
  isDone = true;
  await changing;
  return perSecond;
}

async function measureThroughput(bench: Bench): Promise<void> {
  await withBareRoute(bench.portal.databaseUrl, bench.brandId, async (bareUrl) => {
    // In turns, so that what else the machine does meets both alike.
    const figures = { bare: 0, list: 0, changed: 0 };
    const rounds = 4;
    for (let round = 0; round < rounds; round++) {
      figures.bare += (await throughput(bareUrl, {}, { seconds: 3 })) / rounds;
      figures.list += (await throughput(listUrl(bench), bench.headers, { seconds: 3 })) / rounds;
      figures.changed += (await throughputUnderChange(bench, 3)) / rounds;
    }
    const ratio = figures.list / figures.bare;
    console.log('\n| throughput, 16 at a time | per second | ratio | bar |\n|---|---|---|---|');
    console.log(`| bare Fastify route, one prepared SELECT of ten rows | ${figures.bare.toFixed(0)} | | |`);
    console.log(
      `| variant list | ${figures.list.toFixed(0)} | ${ratio.toFixed(2)} | ≥ 0.6: ${verdict(ratio >= 0.6)} |`,
    );
    const share = (figures.changed / figures.bare).toFixed(2);
    console.log(`| the same, changed 100 times a second | ${figures.changed.toFixed(0)} | ${share} | |`);
  });
}

async function measureCases(bench: Bench, cases: ListCase[]): Promise<void> {
  console.log(
    '\n| list | finds | p50 ms | p99 ms | plain SQL p50 ms | ratio of p50 | bar |\n|---|---|---|---|---|---|---|',
  );
  for (const { label, query, bar } of cases) {
    const expected = await plainList(bench.client, bench.brandId, query);
    const answer = await askList(bench, query);
    if (JSON.stringify(answer) !== JSON.stringify(expected)) {
      throw new Error(`${label}: ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`);
    }
    const isSlow = bar === 'fair';
    const list = await time(isSlow ? Math.ceil(runs / 10) : runs, () => request(listUrl(bench, query), bench.headers), {
      before: () => countChange(bench),
    });
    const plain = await time(2, () => plainList(bench.client, bench.brandId, query), { warmUp: 0 });
    const ratio = list.p50 / plain.p50;
    const met = bar === 'fast' ? list.p99 <= FAST_MS : ratio <= 2;
    const cells = [
      label,
      answer.count,
      list.p50.toFixed(1),
      list.p99.toFixed(1),
      plain.p50.toFixed(1),
      ratio.toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} | ${bar === 'fast' ? `≤ ${FAST_MS} ms` : '≤ 2 ×'}: ${verdict(met)} |`);
  }
}

async function checkPlans(bench: Bench, cases: ListCase[]): Promise<void> {
  await logPlans(bench.client);
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-plans-'));
  let checked = 0;
  for (const [index, { label, query }] of cases.entries()) {
    const from = statSync(bench.portal.postgresLog).size;
    await countChange(bench);
    await askUntilAnswered(listUrl(bench, query), bench.headers);
    await sleep(50);
    // The job that keeps the search index is nobody's list, and reads what waits in all brands.
    const plans = readPlans(bench.portal.postgresLog, from).filter(
      ({ 'Query Text': text = '' }) => text.includes('variant') && !text.includes('update variant_search'),
    );
    if (plans.length === 0) throw new Error(`${label}: no plan in the log`);
    writeFileSync(join(folder, `${index}.json`), JSON.stringify({ label, plans }, null, 2));
    for (const problem of plans.flatMap((plan) => foreignReads(plan, bench.brandId))) {
      console.log(`${label}: may read rows of other brands (${verdict(false)}): ${problem}`);
    }
    checked += plans.length;
  }
  console.log(`\n${checked} plans checked for rows of other brands; they are in ${folder}`);
}

/** The first requests after the connections were cut find dead ones. */
async function askUntilAnswered(url: string, headers: Record<string, string>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await request(url, headers);
      return;
    } catch (error) {
      if (tries === 50) throw error;
    }
  }
}
