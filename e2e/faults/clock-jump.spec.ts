import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { readBrand, TestBrand } from '../support/brand-api.ts';
import { gtin } from '../support/csv-files.ts';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { IS_LONG_RUN } from '../support/fault-rounds.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import type { ServerProcess } from '../support/server.ts';
import { ServerClock } from '../support/server-clock.ts';

test.describe.configure({ timeout: 240_000 });

const VARIANTS = 40;
/** The offsets of the server's clock, in hours. */
const JUMPS = IS_LONG_RUN ? [0, 2, 0, -2, 0, 20, -20, 2, -2, 0] : [0, 2, 0, -2];
const DAY = 24;

/** A signed-in member who gets access tokens from the server. */
class Member {
  readonly #server: ServerProcess;
  readonly #refresh = randomBytes(32).toString('base64url');

  private constructor(server: ServerProcess) {
    this.#server = server;
  }

  static async signIn(client: pg.Client, server: ServerProcess, brandId: number): Promise<Member> {
    const member = new Member(server);
    await client.query(
      `insert into sessions (user_id, refresh_hash, expires_at)
       select user_id, sha256(convert_to($2, 'UTF8')), now() + interval '30 days' from brand_members where brand_id = $1`,
      [brandId, member.#refresh],
    );
    return member;
  }

  async refresh(): Promise<string> {
    const answer = await fetch(`${this.#server.url}/api/v1/auth/token/refresh/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh: this.#refresh }),
    });
    expect(answer.status, 'a session outlives every jump').toBe(200);
    return ((await answer.json()) as { access: string }).access;
  }

  async statusWith(access: string): Promise<number> {
    const headers = { authorization: `Bearer ${access}` };
    const answer = await fetch(`${this.#server.url}/api/v1/users/me/`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  }
}

async function useShiftedServer(launch: (options?: object) => Promise<ServerProcess>, dataDir: string, env = {}) {
  const clock = new ServerClock(dataDir);
  const server = await (await launch({ env: { ...clock.env, ...env } })).ready();
  const brand = await TestBrand.create(dataDir, 'Clocks');
  return { clock, server, brand };
}

function csv(first: number): string {
  const lines = Array.from({ length: VARIANTS }, (_, index) => `Product ${first + index},${gtin(first + index)}`);
  return ['variant_name,gtin', ...lines].join('\n');
}

/** The session must survive every jump of the clock, and a purge while the clock is 40 days ahead. */
async function expectSessionToLast(clock: ServerClock, client: pg.Client, member: Member): Promise<void> {
  const early = await member.refresh();
  expect(await member.statusWith(early)).toBe(200);

  await clock.set(2);
  expect(await member.statusWith(early), 'two hours are more than a quarter of one').toBe(401);
  const ahead = await member.refresh();
  expect(await member.statusWith(ahead)).toBe(200);

  await clock.set(0);
  expect(await member.statusWith(ahead), 'a token from the future is not refused').toBe(200);
  expect(await member.statusWith(await member.refresh())).toBe(200);

  await clock.set(-2);
  const behind = await member.refresh();
  expect(await member.statusWith(behind)).toBe(200);

  await clock.set(0);
  expect(await member.statusWith(behind)).toBe(401);
  expect(await member.statusWith(await member.refresh())).toBe(200);

  await clock.set(40 * DAY);
  await client.query(`select graphile_worker.add_job('purge', job_key => 'purge-ahead')`);
  const purges = async () => (await client.query(`select from graphile_worker.jobs where key = 'purge-ahead'`)).rowCount;
  await expect.poll(purges, { intervals: [50] }).toBe(0);
  expect(await member.statusWith(await member.refresh())).toBe(200);
}

/** Uploads and publishes at each offset. The next jump comes while deliveries are still running. */
async function uploadAndPublish(jumps: readonly number[], clock: ServerClock, server: ServerProcess, brand: TestBrand) {
  const path = `/api/v1/brands/${brand.id}`;
  for (const [index, hours] of jumps.entries()) {
    await clock.set(hours);
    expect(await brand.upload(server, csv(index * VARIANTS))).toBe(200);
    expect(await brand.call(server, 'GET', `${path}/variants/?search=Product`)).toBe(200);
    expect(await brand.call(server, 'GET', `${path}/imports/`)).toBe(200);
    expect(await brand.call(server, 'POST', `${path}/variants/publish-all/`)).toBe(200);
  }
}

const LIVE = `select count(*)::int as count from deliveries where brand_id = $1 and state = 'live'`;
const SENT = `select count(*)::int as sent, count(distinct name)::int as products from embedded.channel_emulator_calls
  where method = 'PUT' and status = 200 and body ->> 'brand' = 'Clocks'`;
const TIMES = `select created_at as at, created_at between $2 and clock_timestamp() as is_true
  from audit_log where brand_id = $1 order by id`;

test('a clock that jumps by hours ends no session, does nothing twice and forgets nothing', {
  tag: '@release',
}, async ({ launch, dataDir }) => {
  const { clock, server, brand } = await useShiftedServer(launch, dataDir);
  await withConnection(databaseUrl(dataDir), async (client) => {
    const one = async <Row extends object>(text: string, values: unknown[] = []) => (await client.query<Row>(text, values)).rows[0] as Row;
    const { started } = await one<{ started: string }>('select now()::text as started');
    await client.query('update embedded.channel_emulator_switches set keep_calls = true, late_ms = 30, processing_ms = 100');

    await uploadAndPublish(JUMPS, clock, server, brand);
    await clock.set(-2);
    await expectSessionToLast(clock, client, await Member.signIn(client, server, brand.id));
    const total = JUMPS.length * VARIANTS;
    const live = async () => (await one<{ count: number }>(LIVE, [brand.id])).count;
    await expect.poll(live, { timeout: 60_000 }).toBe(total);
    expect(await one(SENT), 'nothing twice, nothing forgotten').toEqual({ sent: total, products: total });
    expect(await readBrand(client, brand.id)).toMatchObject({ variants: total, counted: total, searchable: total });

    const { rows: log } = await client.query<{ at: Date; is_true: boolean }>(TIMES, [brand.id, started]);
    expect(log.length).toBeGreaterThanOrEqual(2 * JUMPS.length);
    expect(log.every(({ is_true }) => is_true)).toBe(true);
    const moments = log.map(({ at }) => at.getTime());
    expect(moments, 'the order of the log is that of its times').toEqual(moments.toSorted((a, b) => a - b));

    // The crontab uses the server's clock. Deliveries must use the database's clock.
    const later = `select from graphile_worker.jobs where key like 'deliver_%' and run_at > now() + interval '61 seconds'`;
    expect((await client.query(later)).rowCount, 'no delivery waits for a time that only the server knows').toBe(0);
  });
  await expectCleanStop(server);
});

/** Only in the long run, because it waits for a real minute. */
if (IS_LONG_RUN) {
  test('stolen keys are dropped within a minute after the clock was set back', async ({ launch, dataDir }) => {
    const { clock, server, brand } = await useShiftedServer(launch, dataDir);
    const me = () => brand.call(server, 'GET', '/api/v1/users/me/');
    await clock.set(2);
    expect(await me()).toBe(200);
    await clock.set(0);
    expect(await me()).toBe(200);
    await withConnection(databaseUrl(dataDir), (client) => client.query('delete from signing_keys'));
    await wait(61_000);
    expect(await me()).toBe(401);
    const member = await withConnection(databaseUrl(dataDir), (client) => Member.signIn(client, server, brand.id));
    expect(await member.statusWith(await member.refresh())).toBe(200);
    await expectCleanStop(server);
  });
}
