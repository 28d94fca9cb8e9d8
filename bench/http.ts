import { toGtin13 } from '../scripts/gtin.ts';
import { signInMember } from '../scripts/sign-in-member.ts';
import { withBareRoute } from './support/bare-server.ts';
import { closeConnections, memoryMb, request, throughput } from './support/measure.ts';
import { closeLoad, type Kind, runLoad, send } from './support/mixed-load.ts';
import { option } from './support/options.ts';
import { connect, startPortal } from './support/portal.ts';
import { loadVariants } from './support/variants-data.ts';

/**
 * Mixed load: lists, the dashboard, publishing and small imports, increased until the p99 exceeds half a second. `--rows=20000` variants,
 * `--seconds=5` per step; `--soak=600` adds ten minutes of steady load.
 */
const rows = Number(option('rows') ?? 50_000);
const seconds = Number(option('seconds') ?? 5);
const soak = Number(option('soak') ?? 0);
const LATE_MS = 500;
const SOAK_CONCURRENCY = 4;

const METRICS_TOKEN = 'metrics-of-the-bench';
const portal = await startPortal({ METRICS_TOKEN });
try {
  const client = await connect(portal.databaseUrl);
  const { brandId } = await loadVariants(client, rows);
  await client.query('update brands set opted_in_for_trial = true where id = $1', [brandId]);
  const headers = await signInMember(client, brandId);
  const { rows: ids } = await client.query<{ id: string }>('select id from variants where brand_id = $1 limit 500', [brandId]);
  const kinds = memberCalls(
    brandId,
    headers,
    ids.map(({ id }) => id),
  );
  const ceiling = await withBareRoute(portal.databaseUrl, brandId, (url) => throughput(url, {}, { seconds, concurrency: 32 }));
  console.log(`\nBare Fastify route, one prepared SELECT of ten rows: ${ceiling.toFixed(0)} per second\n`);
  await raise(kinds, ceiling);
  if (soak > 0) await soakFor(kinds, soak);
  await client.end();
} finally {
  closeConnections();
  closeLoad();
  await portal.stop();
}

function memberCalls(brandId: number, headers: Record<string, string>, variantIds: string[]): Kind[] {
  const list = `${portal.url}/api/v1/brands/${brandId}/variants/`;
  const queries = ['', '?page=2', '?ordering=name', '?published=true', '?has_certs=true&page=3', '?search=olive', '?search=4000000123'];
  const json = { ...headers, 'content-type': 'application/json' };
  return [
    { name: 'list', weight: 70, call: (n) => send(list + queries[n % queries.length], { headers }) },
    { name: 'dashboard', weight: 15, call: () => send(`${portal.url}/api/v1/brands/`, { headers }) },
    {
      name: 'publish',
      weight: 13,
      call: (n) =>
        send(`${portal.url}/api/v1/variants/${variantIds[n % variantIds.length]}/publish/`, {
          method: 'PATCH',
          headers: json,
          body: JSON.stringify({ published: n % 2 === 0 }),
        }),
    },
    {
      name: 'import of 50 rows',
      weight: 2,
      call: (n) =>
        send(`${portal.url}/api/v1/brands/${brandId}/variant-certifications/upload/`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'multipart/form-data; boundary=bench' },
          body: smallImport(n),
        }),
    },
  ];
}

/** Fifty rows, half of them from the previous import. */
function smallImport(number: number): string {
  const lines = Array.from({ length: 50 }, (_, index) => `Bench product ${number},${gtinOf((number % 1000) * 25 + index)}`);
  const csv = ['variant_name,gtin', ...lines].join('\n');
  const head = '--bench\r\ncontent-disposition: form-data; name="file"; filename="small.csv"\r\ncontent-type: text/csv\r\n\r\n';
  return `${head}${csv}\r\n--bench--\r\n`;
}

function gtinOf(item: number): string {
  return toGtin13(`50000${String(item).padStart(7, '0')}`);
}

async function raise(kinds: readonly Kind[], ceiling: number): Promise<void> {
  await runLoad(kinds, 4, 2);
  const names = kinds.map(({ name }) => `${name} p99`).join(' | ');
  console.log(`| at a time | per second | of the ceiling | p50 ms | p99 ms | ${names} | errors |`);
  console.log(`|${'---|'.repeat(6 + kinds.length)}`);
  for (let concurrency = 1; concurrency <= 1024; concurrency *= 2) {
    const { perSecond, p50, p99, p99Of, errors } = await runLoad(kinds, concurrency, seconds);
    const share = (perSecond / ceiling).toFixed(2);
    const each = kinds.map(({ name }) => p99Of[name]?.toFixed(0)).join(' | ');
    console.log(`| ${concurrency} | ${perSecond.toFixed(0)} | ${share} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${each} | ${errors} |`);
    if (p99 > LATE_MS) return;
  }
}

/** Steady load, reported every minute, to reveal growing memory or a lagging event loop. */
async function soakFor(kinds: readonly Kind[], total: number): Promise<void> {
  const slice = Math.min(60, total);
  console.log('\n| after s | per second | p99 ms | memory MB | heap in use MB | event loop late p99 ms | errors |');
  console.log(`|${'---|'.repeat(7)}`);
  for (let passed = slice; passed <= total; passed += slice) {
    const { perSecond, p99, errors } = await runLoad(kinds, SOAK_CONCURRENCY, slice);
    const { heapMb, lateMs } = await readMetrics();
    const figures = [perSecond.toFixed(0), p99.toFixed(1), memoryMb(portal.pid).toFixed(0), heapMb, lateMs, errors];
    console.log(`| ${passed} | ${figures.join(' | ')} |`);
  }
}

/** The server's own metrics since the last call. */
async function readMetrics(): Promise<{ heapMb: string; lateMs: string }> {
  const text = await request(`${portal.url}/metrics`, { authorization: `Bearer ${METRICS_TOKEN}` });
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    heapMb: (figure('nodejs_heap_size_used_bytes') / 1024 / 1024).toFixed(0),
    lateMs: (figure('nodejs_eventloop_lag_p99_seconds') * 1000).toFixed(1),
  };
}
