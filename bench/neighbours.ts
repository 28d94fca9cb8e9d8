import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectBrand } from '../scripts/connect-brand.ts';
import { signInMember } from '../scripts/sign-in-member.ts';
import { createBrand, importFile } from './support/import-data.ts';
import { quantile } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, startPortal, startSecondServer } from './support/portal.ts';
import { startSlowChannel } from './support/slow-channel.ts';
import { printVerdicts, verdict } from './support/verdict.ts';
import { hostileWorkbook } from './support/workbook.ts';

/**
 * A member of a quiet brand reads, writes, publishes, waits for the delivery and invites, while another brand keeps the portal busy: in
 * each way alone, and in all at the same time. Compared with the same member on an idle portal, before and after. `--servers=2` for two
 * servers, `--rows=30000` and `--seconds=8` for a quick run, `--loads=writes,reads` for some of them.
 */
const rows = Number(option('rows') ?? 300_000);
const seconds = Number(option('seconds') ?? 20);
const servers = Number(option('servers') ?? 1);
const PARALLEL = 60;
const MAX_READ_RATIO = 5;
const MAX_READ_MS = 500;
const MAX_DELIVERY_RATIO = 2;
const MAX_MAIL_MS = 5_000;

const channel = await startSlowChannel();
/** Mails need the embedded mailbox, which only development has. */
const settings = { NODE_ENV: 'development', LOG_FORMAT: 'json', ...channel.settings };
const portal = await startPortal(settings);
const second = servers > 1 ? await startSecondServer(portal, settings) : undefined;
const urls = [portal.url, ...(second ? [second.url] : [])];

interface Member {
  readonly brandId: number;
  readonly headers: { readonly authorization: string };
  /** The import that brought its variants. */
  readonly importId: string;
}

/** Calls alternate between the servers. */
let calls = 0;
function send({ headers, brandId }: Member, path: string, init: RequestInit = {}): Promise<Response> {
  calls += 1;
  const url = `${urls[calls % urls.length]}/api/v1/brands/${brandId}/${path}`;
  const isText = typeof init.body === 'string';
  return fetch(url, { ...init, headers: { ...headers, ...(isText && { 'content-type': 'application/json' }) } });
}

const post = (member: Member, path: string, body: object) => send(member, path, { method: 'POST', body: JSON.stringify(body) });

async function upload(member: Member, file: BlobPart, name: string): Promise<Response> {
  const body = new FormData();
  body.append('file', new Blob([file], { type: name.endsWith('.csv') ? 'text/csv' : '' }), name);
  return send(member, 'variant-certifications/upload/', { method: 'POST', body });
}

interface Figures {
  readonly reads: number[];
  readonly writes: number[];
  readonly deliveries: number[];
  readonly mails: number[];
  readonly refused: Map<number, number>;
}

/** What the quiet member sees while `isOver` is false. */
async function watch(client: pg.Client, quiet: Member, isOver: () => boolean): Promise<Figures> {
  const figures: Figures = { reads: [], writes: [], deliveries: [], mails: [], refused: new Map() };
  const timed = async (times: number[], work: () => Promise<Response>) => {
    const started = performance.now();
    const answer = await work();
    await answer.arrayBuffer();
    times.push(performance.now() - started);
    if (!answer.ok) figures.refused.set(answer.status, (figures.refused.get(answer.status) ?? 0) + 1);
  };
  const until = async (times: number[], text: string, values: unknown[]) => {
    const started = performance.now();
    while ((await client.query(text, values)).rows.length === 0 && !isOver()) await sleep(10);
    times.push(performance.now() - started);
  };
  const { rows: variants } = await client.query<{ id: string }>('select id from variants where brand_id = $1 limit 50', [quiet.brandId]);
  const reads = ['variants/', 'variants/?page=7', 'variants/?search=tea', '', 'attention/', 'imports/'];
  const read = async () => {
    for (let at = 0; !isOver(); at++) {
      await timed(figures.reads, () => send(quiet, reads[at % reads.length] ?? ''));
      await sleep(5);
    }
  };
  const publish = async () => {
    for (let at = 0; !isOver(); at++) {
      const id = variants[at % variants.length]?.id;
      const change = (published: boolean) => () =>
        fetch(`${urls[at % urls.length]}/api/v1/variants/${id}/publish/`, {
          method: 'PATCH',
          headers: { ...quiet.headers, 'content-type': 'application/json' },
          body: JSON.stringify({ published }),
        });
      await timed(figures.writes, change(true));
      await until(figures.deliveries, `select from deliveries where brand_id = $1 and variant_id = $2 and sent_revision = revision`, [
        quiet.brandId,
        id,
      ]);
      await timed(figures.writes, change(false));
      await sleep(100);
    }
  };
  const invite = async () => {
    while (!isOver()) {
      const email = `new.${quiet.brandId}.${Date.now()}@example.com`;
      await timed(figures.writes, () => post(quiet, 'members/', { email, role: 'viewer' }));
      await until(figures.mails, `select from embedded.mailbox_messages where recipients::text like '%' || $1 || '%'`, [email]);
      await sleep(2_500);
    }
  };
  await Promise.all([read(), read(), publish(), invite()]);
  return figures;
}

/** Keeps the portal busy until `isOver`. */
type Load = (busy: Member, isOver: () => boolean) => Promise<void>;

const parallel = (work: (at: number, isOver: () => boolean) => Promise<unknown>, isOver: () => boolean) =>
  Promise.all(
    Array.from({ length: PARALLEL }, async (_, first) => {
      for (let at = first; !isOver(); at += PARALLEL) await work(at, isOver).catch(() => sleep(50));
    }),
  );

const drain = async (answer: Promise<Response>) => void (await (await answer).arrayBuffer());

async function isImported(busy: Member): Promise<boolean> {
  const answer = (await (await send(busy, 'imports/?page_size=10')).json()) as { results?: { state: string }[] };
  return answer.results?.[0]?.state === 'done';
}

const LOADS: Readonly<Record<string, Load>> = {
  import: async (busy, isOver) => {
    for (let round = 0; !isOver(); round++) {
      await drain(upload(busy, importFile(rows).replaceAll('Green Tea', `Green Tea ${round}`), 'products.csv'));
      while (!isOver() && !(await isImported(busy))) await sleep(500);
    }
  },
  writes: async (busy, isOver) => {
    await parallel((at) => drain(post(busy, 'variants/actions/', { action: at % 2 ? 'publish' : 'unpublish', filter: {} })), isOver);
  },
  reads: async (busy, isOver) => {
    const paths = [
      'certificates/coverage/',
      `imports/${busy.importId}/changes/?page=2000`,
      'variants/?state=queued&search=tea',
      'variants/?search=ml&page=300&page_size=100',
      'history/',
    ];
    await parallel((at) => drain(send(busy, paths[at % paths.length] ?? '')), isOver);
  },
  workbook: async (busy, isOver) => {
    const file = await hostileWorkbook();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver()) await drain(upload(busy, new Uint8Array(file), 'hostile.xlsx')).catch(() => sleep(50));
      }),
    );
  },
  feed: async (busy, isOver) => {
    const made = (await (await post(busy, 'channel/feed/', {})).json()) as { xml_url: string };
    const path = new URL(made.xml_url).pathname;
    await parallel((at) => drain(fetch(`${urls[at % urls.length]}${path}`)), isOver);
  },
  channel: async (busy, isOver) => {
    channel.delay(busy.brandId, 30_000);
    await drain(post(busy, 'variants/publish-all/', {}));
    while (!isOver()) await sleep(200);
    channel.delay(busy.brandId, 0);
  },
  lock: async (busy, isOver) => {
    const holder = await connect(portal.databaseUrl);
    await holder.query('begin');
    await holder.query('select from brands where id = $1 for update', [busy.brandId]);
    await parallel((at) => drain(post(busy, 'variants/actions/', { action: at % 2 ? 'publish' : 'unpublish', filter: {} })), isOver);
    await holder.query('rollback');
    await holder.end();
  },
};

async function addBrand(client: pg.Client, name: string): Promise<Member> {
  const brandId = await createBrand(client);
  await client.query('update brands set name = $2, opted_in_for_trial = true where id = $1', [brandId, name]);
  await connectBrand(client, brandId, name);
  return { brandId, headers: await signInMember(client, brandId), importId: '' };
}

/** Imports its variants. */
async function fill(client: pg.Client, member: Member, count: number): Promise<Member> {
  const answer = await upload(member, importFile(count), 'products.csv');
  if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`);
  for (;;) {
    const { rows: imports } = await client.query<{ id: string; state: string }>('select id, state from imports where brand_id = $1', [
      member.brandId,
    ]);
    const [made] = imports;
    if (made?.state === 'done') return { ...member, importId: made.id };
    await sleep(200);
  }
}

async function measure(client: pg.Client, quiet: Member, busy: Member, names: readonly string[]): Promise<Figures> {
  let isOver = false;
  const loads = names.map((name) => LOADS[name]?.(busy, () => isOver));
  // The load has begun before the figures count.
  await sleep(names.length > 0 ? 2_000 : 0);
  const until = performance.now() + seconds * 1000;
  const figures = await watch(client, quiet, () => performance.now() >= until);
  isOver = true;
  await Promise.all(loads);
  return figures;
}

const ms = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(value < 100 ? 1 : 0));

function print(name: string, figures: Figures, idle?: Figures): void {
  const p99 = quantile(figures.reads, 0.99);
  const max = Math.max(...figures.reads);
  const delivery = quantile(figures.deliveries, 0.5);
  const mail = Math.max(...figures.mails);
  const refusals = [...figures.refused].map(([status, count]) => `${count} × ${status}`).join(', ');
  const cells = [name, String(figures.reads.length), ms(quantile(figures.reads, 0.5)), ms(p99), ms(max)];
  const rest = [ms(quantile(figures.writes, 0.99)), ms(delivery), ms(mail), refusals || 'none'];
  if (!idle) {
    console.log(`| ${[...cells, '', ...rest, ''].join(' | ')} |`);
    return;
  }
  const ratio = p99 / quantile(idle.reads, 0.99);
  const deliveryRatio = delivery / quantile(idle.deliveries, 0.5);
  const isMet = [
    ratio <= MAX_READ_RATIO && max <= MAX_READ_MS,
    deliveryRatio <= MAX_DELIVERY_RATIO,
    mail <= MAX_MAIL_MS,
    ![...figures.refused.keys()].some((status) => status >= 500),
  ];
  const missed = ['reads', 'deliveries', 'mails', '5xx'].filter((_, at) => !isMet[at]);
  cells.push(`${ratio.toFixed(1)}`);
  rest[1] += ` (${deliveryRatio.toFixed(1)} ×)`;
  console.log(`| ${[...cells, ...rest, `${verdict(missed.length === 0)} ${missed.join(', ')}`].join(' | ')} |`);
}

try {
  const client = await connect(portal.databaseUrl);
  // Both before the first call: a server learns of another signing key a minute later.
  const members = [await addBrand(client, 'Quiet'), await addBrand(client, 'Busy')] as const;
  const quiet = await fill(client, members[0], 3_000);
  const busy = await fill(client, members[1], rows);
  await sleep(5_000);
  console.log(`${servers} server(s), ${rows} rows in the busy brand, ${seconds} s each\n`);
  console.log('| load | reads | p50 ms | p99 ms | longest ms | × idle | writes p99 ms | delivery p50 ms | mail ms | refused | targets |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  const idle = await measure(client, quiet, busy, []);
  print('idle', idle);
  const names = option('loads')?.split(',') ?? Object.keys(LOADS);
  for (const name of names) {
    print(name, await measure(client, quiet, busy, [name]), idle);
    await sleep(3_000);
  }
  if (names.length > 1) print('all', await measure(client, quiet, busy, names), idle);
  print('idle again', await measure(client, quiet, busy, []));
  await client.end();
} finally {
  await second?.stop();
  await portal.stop();
  channel.stop();
}
printVerdicts();
