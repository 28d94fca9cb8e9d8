import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { TestBrand } from '../support/brand-api.ts';
import { gtin } from '../support/csv-files.ts';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { FAULT_ROUNDS, IS_LONG_RUN } from '../support/fault-rounds.ts';
import { portal } from '../support/portal.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { processesOf, signal } from '../support/processes.ts';
import { UNLIMITED } from '../support/server.ts';

test.describe.configure({ timeout: 240_000 });

const VARIANTS = 40;
/** The ten rounds of the long run have a thousand changes. */
const CHANGES = IS_LONG_RUN ? 100 : 40;
const CHANGES_PER_KILL = 33;

/** Forty variants. Every second one has two certificates; the operator approves one of them. */
const FILE = [
  'variant_name,gtin,certificate_id,certification_name',
  ...Array.from({ length: VARIANTS }, (_, item) => `Variant ${item},${gtin(item)},,`),
  ...Array.from({ length: VARIANTS / 2 }, (_, item) => [
    `Variant ${item * 2},${gtin(item * 2)},12345,USDA Organic`,
    `Variant ${item * 2},${gtin(item * 2)},F-1,Fairtrade`,
  ]).flat(),
].join('\n');

/** Makes the channel fail, throttle, lose answers and answer late. It also logs its calls. */
const UNRELIABLE_CHANNEL = `update embedded.channel_emulator_switches
  set fail_share = 0.1, throttle_share = 0.02, lose_share = 0.1, late_ms = 20, processing_ms = 100, keep_calls = true`;
const RELIABLE_CHANNEL = 'update embedded.channel_emulator_switches set fail_share = 0, throttle_share = 0, lose_share = 0, late_ms = 0';

/**
 * Makes all deliveries due now and releases their claims. Safe only because the workers that held claims were killed, and with them
 * the emulated channel and its running calls.
 */
const MAKE_DUE = `update deliveries set next_attempt_at = now(), claimed_until = null, claimed_by = null
  where state <> 'live' and state <> 'refused';
  insert into due_work (brand_id, kind, due_at) select distinct brand_id, 'deliver', now() from deliveries
    on conflict (brand_id, kind) do update set due_at = excluded.due_at;
  update channel_quota set paused_until = '-infinity'`;
/** Releases the jobs of killed servers at once. The product does so after a minute without a heartbeat. */
const RELEASE_JOBS = 'select graphile_worker.force_unlock_workers(array(select id from job_pools where seen_at < $1))';

async function rowsOf<Row extends object>(client: pg.Client, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows;
}

/** The products that the channel should have, computed from the portal's tables. */
const WANTED = `select v.gtin, v.name as title, coalesce((
    select json_agg(c.external_certificate_id order by c.external_certificate_id) from variant_certificates l
    join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
    where l.brand_id = v.brand_id and l.variant_id = v.id and c.status = 'validated'), '[]') as certificates
  from variants v where v.brand_id = $1 and v.published order by v.gtin`;
const HELD = `select r.body -> 'gtin' ->> 0 as gtin, r.body ->> 'title' as title, coalesce((
    select json_agg(c ->> 'code' order by c ->> 'code') from jsonb_array_elements(r.body -> 'certification') c), '[]') as certificates
  from embedded.channel_emulator_resources r where r.body ->> 'brand' = $1 order by 1`;

for (const { label, between } of FAULT_ROUNDS) {
  test(`kills at random moments of publishing leave the channel with exactly what is published (${label})`, async ({ launch, dataDir }) => {
    const url = () => databaseUrl(dataDir);
    let server = await (await launch({ env: UNLIMITED })).ready();
    const name = 'Published';
    const brand = await TestBrand.create(dataDir, name);
    expect(await brand.upload(server, FILE)).toBe(200);
    const certificate = ['--brand', String(brand.id), '--certification', 'USDA Organic', '--id', '12345', '--reason', 'x'];
    await portal(server, 'certificates', 'approve', ...certificate);
    const ids = await withConnection(url(), async (client) => {
      await client.query(UNRELIABLE_CHANNEL);
      return rowsOf<{ id: string }>(client, 'select id from variants where brand_id = $1 order by id', [brand.id]);
    });

    for (let change = 1; change <= CHANGES; change += 1) {
      const id = ids[between(0, VARIANTS - 1)]?.id;
      const body = JSON.stringify({ published: between(0, 2) > 0 });
      const call = brand.call(server, 'PATCH', `/api/v1/variants/${id}/publish/`, body, {
        'content-type': 'application/json',
      });
      if (change % CHANGES_PER_KILL === 0) {
        await wait(between(0, 60));
        await server.kill();
        if (between(0, 1) === 1) for (const { pid } of processesOf(dataDir)) signal(pid, 'SIGKILL');
        await call;
        const killedAt = new Date();
        server = await (await launch({ env: UNLIMITED })).ready();
        // The long run waits until the product releases them.
        if (!IS_LONG_RUN) await withConnection(url(), (client) => client.query(RELEASE_JOBS, [killedAt]));
      } else expect(await call).toBe(200);
      if (change % 10 === 0) await wait(between(0, 200));
    }
    // Half of the variants lose a certificate while deliveries are still running.
    await portal(server, 'certificates', 'reject', ...certificate);
    await withConnection(url(), async (client) => {
      await client.query(RELIABLE_CHANNEL);
      await client.query(MAKE_DUE);
    });

    await withConnection(url(), async (client) => {
      const held = () => rowsOf(client, HELD, [name]);
      const wanted = await rowsOf(client, WANTED, [brand.id]);
      expect(wanted.length).toBeGreaterThan(0);
      await expect
        .poll(
          async () => {
            const { count } = (
              await rowsOf<{ count: number }>(
                client,
                `select count(*)::int as count from deliveries where brand_id = $1 and state not in ('live', 'refused')`,
                [brand.id],
              )
            )[0] ?? { count: 1 };
            return count;
          },
          { timeout: 120_000, intervals: [500] },
        )
        .toBe(0);
      expect(await held()).toEqual(wanted);
      // The last call of each product is a PUT if the channel has it, otherwise a DELETE.
      const last = await rowsOf<{ method: string; held: boolean }>(
        client,
        `select distinct on (c.name) c.method, r.name is not null as held from embedded.channel_emulator_calls c
         left join embedded.channel_emulator_resources r on r.name = c.name
         where c.method in ('PUT', 'DELETE') and c.status < 300 order by c.name, c.id desc`,
      );
      expect(last.filter(({ method, held }) => (method === 'PUT') !== held)).toEqual([]);
    });
    await expectCleanStop(server);
  });
}
