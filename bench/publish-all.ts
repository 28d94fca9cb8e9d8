import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectBrand } from '../scripts/connect-brand.ts';
import { signInMember } from '../scripts/sign-in-member.ts';
import { timed } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/**
 * Publishing all variants of a brand over HTTP, compared with the bare UPDATE. The rate of deliveries to the embedded channel, within
 * Google's default quota and without. The calls and time to read all verdicts. Publishing, deleting and restoring all matches of a filter,
 * compared with the bare statements. `--rows=20000` for a quick run, `--seconds=60` for a steadier rate.
 */
const rows = Number(option('rows') ?? 100_000);
const seconds = Number(option('seconds') ?? 30);
const MAX_CALL_SECONDS = 10;
const QUOTA_PER_SECOND = 180;
const UNLIMITED = { CHANNEL_CALLS_PER_100_SECONDS: '10000000' };
/** The emulator exists in development only. */
const DEVELOPMENT = { NODE_ENV: 'development', LOG_FORMAT: 'json' };

await withPortal(DEVELOPMENT, async (portal, client) => {
  await measureActions(portal, client, await measureCall(portal, client));
  await measureDeliveries(portal, client, "inside Google's default quota");
});
await withPortal({ ...DEVELOPMENT, ...UNLIMITED }, async (portal, client) => {
  const brandId = await loadBrand(client, 'Unlimited');
  await publishAll(portal, { brandId, headers: await signInMember(client, brandId) });
  await measureDeliveries(portal, client, 'without a quota');
});
await withPortal(DEVELOPMENT, measureVerdicts);
printVerdicts();

async function withPortal(
  settings: Readonly<Record<string, string>>,
  work: (portal: Portal, client: pg.Client) => Promise<void>,
): Promise<void> {
  const portal = await startPortal(settings);
  try {
    const client = await connect(portal.databaseUrl);
    // The demo brands have their own deliveries. Separate statements: one transaction would deadlock with the lanes that send those.
    await client.query('truncate deliveries');
    await client.query(`delete from due_work where kind = 'deliver'`);
    await work(portal, client);
    await client.end();
  } finally {
    await portal.stop();
  }
}

async function loadBrand(client: pg.Client, name: string): Promise<number> {
  const brand = await client.query<{ id: string }>(
    `insert into brands (name, status, opted_in_for_trial) values ($1, 'active', true) returning id`,
    [name],
  );
  const brandId = Number(brand.rows[0]?.id);
  await connectBrand(client, brandId, name);
  await client.query(
    `insert into variants (brand_id, gtin, name, category, gtin14, name_key)
     select r.*, lpad(r.gtin, 14, '0'), search_key(r.name) from (
     select $1::bigint, digits || (10 - sum % 10) % 10, 'Variant ' || digits, 'Food'
     from (
       select digits, (select sum(substr(digits, at, 1)::int * case when at % 2 = 1 then 1 else 3 end) from generate_series(1, 12) at) as sum
       from (select '4' || lpad(n::text, 11, '0') as digits from generate_series(1, $2::bigint) n) numbers
     ) sums) r (brand_id, gtin, name, category)`,
    [brandId, rows],
  );
  await client.query(
    `insert into variant_counts (brand_id, total, published, certified, published_certified, indexed_to)
     select brand_id, count(*), 0, 0, 0, max(id) from variants where brand_id = $1 group by brand_id`,
    [brandId],
  );
  await client.query(
    `insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
     select brand_id, id, created_at, name_key, gtin14 from variants where brand_id = $1`,
    [brandId],
  );
  await client.query('vacuum analyze variants');
  return brandId;
}

interface SignedIn {
  readonly brandId: number;
  readonly headers: { readonly authorization: string };
}

async function measureCall(portal: Portal, client: pg.Client): Promise<SignedIn> {
  const bareId = await loadBrand(client, 'Bare');
  const brandId = await loadBrand(client, 'Published');
  const bare = await timed(() => client.query('update variants set published = true where brand_id = $1 and not published', [bareId]));
  const signedIn = { brandId, headers: await signInMember(client, brandId) };
  const call = await timed(() => publishAll(portal, signedIn));
  console.log(`\n| ${rows} variants | seconds | ratio | bar |\n|---|---|---|---|`);
  console.log(`| bare UPDATE | ${bare.toFixed(2)} | | |`);
  console.log(
    `| publish-all over HTTP: flags, counts, deliveries, audit, job | ${call.toFixed(2)} | ${(call / bare).toFixed(1)} | ≤ ${MAX_CALL_SECONDS} s: ${verdict(call <= MAX_CALL_SECONDS)} |`,
  );
  return signedIn;
}

/** For the brand whose variants are all published. Afterwards they are published again and queued. */
async function measureActions({ url }: Portal, client: pg.Client, { brandId, headers }: SignedIn): Promise<void> {
  const bareId = await loadBrand(client, 'Bare actions');
  const post = async (path: string, body?: object): Promise<Record<string, number>> => {
    const answer = await fetch(`${url}/api/v1/brands/${brandId}/${path}/`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, number>;
  };
  const filter = { search: 'variant' };
  let deletionId: number | undefined;
  const expectRows = (count: number | undefined) => {
    if (count !== rows) throw new Error(`${count} instead of ${rows}`);
  };
  await post('variants/actions', { action: 'unpublish', filter });
  const bareUpdate = await timed(() =>
    client.query('update variants set published = true where brand_id = $1 and not published', [bareId]),
  );
  const publish = await timed(async () => expectRows((await post('variants/actions', { action: 'publish', filter })).changed));
  const bareDelete = await timed(() => client.query('delete from variants where brand_id = $1', [bareId]));
  const remove = await timed(async () => {
    const result = await post('variants/actions', { action: 'delete', filter });
    expectRows(result.changed);
    deletionId = result.deletion_id;
  });
  const restore = await timed(async () => expectRows((await post(`deletions/${deletionId}/restore`)).restored));
  console.log(`\n| ${rows} variants by a filter | seconds | ratio | bar |\n|---|---|---|---|`);
  for (const [name, took, bare] of [
    ['publish, to a bare UPDATE', publish, bareUpdate],
    ['delete, to a bare DELETE', remove, bareDelete],
    ['restore, to a bare DELETE', restore, bareDelete],
  ] as const) {
    console.log(
      `| ${name} | ${took.toFixed(2)} | ${(took / bare).toFixed(1)} | ≤ ${MAX_CALL_SECONDS} s: ${verdict(took <= MAX_CALL_SECONDS)} |`,
    );
  }
}

async function publishAll({ url }: Portal, { brandId, headers }: SignedIn): Promise<void> {
  const answer = await fetch(`${url}/api/v1/brands/${brandId}/variants/publish-all/`, { method: 'POST', headers });
  const { published } = (await answer.json()) as { published: number };
  if (published !== rows) throw new Error(`publish-all answered ${answer.status} and published ${published}`);
}

async function measureDeliveries({ url }: Portal, client: pg.Client, label: string): Promise<void> {
  await setKeepCalls(url);
  const before = await countCalls(client);
  const took = await timed(() => sleep(seconds * 1000));
  const after = await countCalls(client);
  const [calls, products] = [(after.calls - before.calls) / took, (after.products - before.products) / took];
  const share = ((calls / QUOTA_PER_SECOND) * 100).toFixed(0);
  // A twentieth of the quota of 100 seconds may be used at once; the rest refills over that time.
  const most = Math.ceil(QUOTA_PER_SECOND * (0.95 + 5 / took));
  const isLimited = label.includes('inside');
  console.log(`\n| deliveries ${label} | per second | bar |\n|---|---|---|`);
  console.log(`| products sent | ${products.toFixed(0)} | |`);
  console.log(
    `| all calls (verdicts included), ${share} % of the quota | ${calls.toFixed(0)} | ${isLimited ? `≤ ${most}: ${verdict(calls <= most)}` : ''} |`,
  );
}

/** All products were sent a while ago, and their verdicts are ready. */
async function measureVerdicts({ url }: Portal, client: pg.Client): Promise<void> {
  const brandId = await loadBrand(client, 'Judged');
  const place = `'accounts/1000001/products/US:en:${9_000 + brandId}:${brandId}-' || v.id`;
  await client.query('update variants set published = true where brand_id = $1', [brandId]);
  await client.query('update variant_counts set published = total where brand_id = $1', [brandId]);
  await client.query(
    `insert into embedded.channel_emulator_resources (name, body, received_at)
     select ${place}, json_build_object('gtin', json_build_array(gtin), 'title', name, 'brand', 'Judged', 'targetClientId', $2::text),
       now() - interval '1 hour'
     from variants v where brand_id = $1`,
    [brandId, String(9_000 + brandId)],
  );
  await client.query(
    `insert into deliveries (brand_id, variant_id, state, sent_revision, connection_id, resource)
     select v.brand_id, v.id, 'sent', 1, c.id, ${place}
     from variants v join channel_connections c using (brand_id) where v.brand_id = $1`,
    [brandId],
  );
  await client.query('vacuum analyze deliveries');
  await setKeepCalls(url);
  const took = await timed(async () => {
    await client.query(`insert into due_work (brand_id, kind, due_at) values ($1, 'deliver', now())`, [brandId]);
    for (let left = rows; left > 0; ) {
      await sleep(500);
      const answer = await client.query<{ left: number }>(
        `select count(*)::int as left from deliveries where brand_id = $1 and state = 'sent'`,
        [brandId],
      );
      left = answer.rows[0]?.left ?? 0;
    }
  });
  const { calls } = await countCalls(client);
  const oneByOne = rows / QUOTA_PER_SECOND;
  console.log(`\n| ${rows} verdicts | calls | seconds |\n|---|---|---|`);
  console.log(`| read in bulk, inside the quota | ${calls} | ${took.toFixed(0)} |`);
  console.log(`| one call each (reckoned: all of the quota) | ${rows} | ${oneByOne.toFixed(0)} |`);
}

async function setKeepCalls(url: string): Promise<void> {
  await fetch(`${url}/channel-emulator/switches`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ keep_calls: true }),
  });
}

async function countCalls(client: pg.Client): Promise<{ calls: number; products: number }> {
  const { rows } = await client.query<{ calls: number; products: number }>(
    `select count(*)::int as calls, (count(*) filter (where method = 'PUT'))::int as products from embedded.channel_emulator_calls`,
  );
  return rows[0] ?? { calls: 0, products: 0 };
}
