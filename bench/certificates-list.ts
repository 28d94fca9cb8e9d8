import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { closeConnections, request, time } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, startPortal } from './support/portal.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/** The list of certificates over HTTP, compared with plain SQL. `--certificates=10000` for a quick run, `--runs=200` for a steadier p99. */
const certificates = Number(option('certificates') ?? 100_000);
const runs = Number(option('runs') ?? 100);
const FAST_MS = 50;
const VARIANTS = 50_000;

/** The plain SQL for each: a condition and an order. */
const LAST_PAGE = String(Math.ceil(certificates / 10));
const MIDDLE_PAGE = String(Math.ceil(certificates / 20));
const PROBLEMS_FIRST = 'c.status, c.expires_on, c.id';
const CASES: { label: string; query: Record<string, string>; where?: string; order: string }[] = [
  { label: 'first page', query: { page: '1' }, order: PROBLEMS_FIRST },
  { label: 'first page of 100', query: { page_size: '100' }, order: PROBLEMS_FIRST },
  { label: 'the middle', query: { page: MIDDLE_PAGE }, order: PROBLEMS_FIRST },
  { label: 'the last page', query: { page: LAST_PAGE }, order: PROBLEMS_FIRST },
  { label: 'invalid ones', query: { status: 'invalid' }, where: `c.status = 'invalid'`, order: PROBLEMS_FIRST },
  {
    label: 'those that end soon',
    query: { status: 'ends_soon' },
    where: `c.status = 'validated' and c.expires_on <= (now() at time zone 'utc')::date + 60`,
    order: PROBLEMS_FIRST,
  },
  { label: 'by id', query: { ordering: 'certificate_id' }, order: 'c.sort_key, c.id' },
  { label: 'by id, the middle', query: { ordering: 'certificate_id', page: MIDDLE_PAGE }, order: 'c.sort_key, c.id' },
  { label: 'by last day', query: { ordering: 'expires_on' }, order: 'c.expires_on, c.id' },
  {
    label: 'by last day, the middle',
    query: { ordering: 'expires_on', page: MIDDLE_PAGE },
    order: 'c.expires_on, c.id',
  },
  { label: 'by certification', query: { ordering: 'certification_name' }, order: 'lower(n.name), n.name, c.id_key' },
  {
    label: 'by certification, the middle',
    query: { ordering: 'certification_name', page: MIDDLE_PAGE },
    order: 'lower(n.name), n.name, c.id_key',
  },
  {
    label: 'search "4711"',
    query: { search: '4711' },
    where: `c.external_certificate_id like '%4711%'`,
    order: PROBLEMS_FIRST,
  },
  {
    label: 'search "forest 4711", by id',
    query: { search: 'forest 4711', ordering: 'certificate_id' },
    where: `c.external_certificate_id like '%4711%' and n.name in ('FSC', 'PEFC', 'Rainforest Alliance')`,
    order: 'c.sort_key, c.id',
  },
  { label: 'search that finds nothing', query: { search: 'xyzzy' }, where: 'false', order: PROBLEMS_FIRST },
];

const portal = await startPortal();
try {
  const client = await connect(portal.databaseUrl);
  const brandId = await loadCertificates(client);
  const headers = await signInMember(client, brandId);
  console.log(`${certificates} certificates of one brand, ${VARIANTS} variants with three each\n`);
  console.log('| list | finds | p50 ms | p99 ms | bar |\n|---|---|---|---|---|');
  for (const { label, query, where, order } of CASES) {
    const url = `${portal.url}/api/v1/brands/${brandId}/certifications/?${new URLSearchParams(query)}`;
    const answer = JSON.parse(await request(url, headers)) as { results: { id: number }[]; count: number };
    const found = JSON.stringify({ ids: answer.results.map(({ id }) => id), count: answer.count });
    const expected = JSON.stringify(await plainList(client, brandId, query, where ?? 'true', order));
    if (found !== expected) throw new Error(`${label}: ${found} instead of ${expected}`);
    const { p50, p99 } = await time(runs, () => request(url, headers));
    const bar = `≤ ${FAST_MS} ms: ${verdict(p99 <= FAST_MS)}`;
    console.log(`| ${label} | ${answer.count} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${bar} |`);
  }
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
printVerdicts();

/** Ids of two certifications; a tenth invalid, a tenth pending, half of the rest without an expiry date. */
async function loadCertificates(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(`insert into brands (name, status) values ('Bench', 'active') returning id`);
  const brandId = Number(rows[0]?.id);
  await client.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key, status, reason, expires_on)
     select $1, c.id, s.id, s.id, search_key(s.id), id_sort_key(s.id), s.status, case s.status when 'validated' then 'listed' when 'invalid' then 'not_listed' else 'no_registry' end,
       case when n % 2 = 0 then current_date - 100 + n % 1000 end
     from generate_series(1, $2::int) n
     cross join lateral (
       select 'ID-' || n as id, case n % 10 when 0 then 'invalid' when 1 then 'pending' else 'validated' end as status
     ) s
     join certifications c on c.name = case when n % 3 = 0 then 'FSC' else 'GOTS' end`,
    [brandId, certificates],
  );
  await client.query(
    `insert into variants (brand_id, gtin, name, published, has_certs, gtin14, name_key)
     select r.*, lpad(r.gtin, 14, '0'), search_key(r.name) from (
       select $1::bigint, (4000000000000 + n * 13)::text, 'Variant ' || n, n % 3 = 0, true from generate_series(1, $2::int) n
     ) r (brand_id, gtin, name, published, has_certs)`,
    [brandId, VARIANTS],
  );
  await client.query(
    `insert into variant_certificates (brand_id, variant_id, certificate_id)
     select v.brand_id, v.id, c.first + (v.id * 3 + n) % $2 from variants v, generate_series(0, 2) n,
       (select min(id) as first from certificates where brand_id = $1) c
     where v.brand_id = $1`,
    [brandId, certificates],
  );
  await client.query(
    `insert into deliveries (brand_id, variant_id, state, next_attempt_at)
     select brand_id, id, 'live', null from variants where brand_id = $1 and published`,
    [brandId],
  );
  await client.query('vacuum analyze');
  return brandId;
}

async function plainList(
  client: pg.Client,
  brandId: number,
  { page = '1', page_size = '10' }: Record<string, string>,
  where: string,
  order: string,
): Promise<{ ids: number[]; count: number }> {
  const from = `from certificates c join certifications n on n.id = c.certification_id where c.brand_id = $1 and ${where}`;
  const counted = await client.query<{ count: string }>(`select count(*) ${from}`, [brandId]);
  const found = await client.query<{ id: string }>(`select c.id ${from} order by ${order} limit $2 offset $3`, [
    brandId,
    Number(page_size),
    (Number(page) - 1) * Number(page_size),
  ]);
  return { ids: found.rows.map(({ id }) => Number(id)), count: Number(counted.rows[0]?.count) };
}
