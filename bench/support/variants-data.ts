import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

export interface LoadedBrands {
  readonly brandId: number;
  /** A typical brand of 3,000 variants. */
  readonly ordinaryId: number;
}

const ORDINARY_ROWS = 3_000;

const PREFIXES = `array['Organic','Bio','Premium','Classic','Natural','Ökologische','Crème de','Jalapeño','Wild','Smoked',
  'Huile','Aceite','Leche','Brød','Škvarky','緑茶','Чай','Artisan','Gluten-free','Vegan']`;
const PRODUCTS = `array['Olive Oil','Sea Salt','Dark Chocolate','Granola','Rain Jacket','Merino Sweater','Señorita Hot Sauce',
  'Green Tea','Espresso','Face Cream','Kombucha','Zucchini','Quinoa','Wax Jacket','Yoghurt','Kräuterbutter']`;
const KEYS = `lpad(r.gtin, 14, '0'), search_key(r.name)`;
/** Distinct names in several languages and scripts. Every 5,000th has a word of its own. */
const NAME = `(${PREFIXES})[1 + n * 7919 % 20] || ' ' || (${PRODUCTS})[1 + n * 104729 / 20 % 16] || ' ' || n * 31 % 997 ||
  ' ml ' || upper(substr(md5(n::text), 1, 4)) || case when n % 5000 = 0 then ' Xqzwj' else '' end`;

/**
 * One brand of `rows` variants and as many of ten others between them, a third of them published, one in seven certified; one brand of
 * 3,000; and 2,000 brands with one variant each. Foreign keys are off while loading, and the gram index is built at the end: the cost of
 * writes is measured elsewhere, and two million rows take a minute or two this way.
 */
export async function loadVariants(client: pg.Client, rows: number): Promise<LoadedBrands> {
  const brands = await client.query<{ id: string }>(
    `insert into brands (name, status) select 'Bench ' || n, 'active' from generate_series(1, 12) n returning id`,
  );
  const [brandId = 0, ordinaryId = 0, ...others] = brands.rows.map(({ id }) => Number(id));
  await client.query('set session_replication_role = replica');
  await client.query(`set maintenance_work_mem = '512MB'`);
  const gramsIndex = await client.query<{ text: string }>(`select pg_get_indexdef('variant_search_grams_idx'::regclass) as text`);
  await client.query('drop index variant_search_grams_idx');
  await client.query(
    `insert into variants (brand_id, gtin, name, published, has_certs, created_at, gtin14, name_key)
     select r.*, ${KEYS} from (
     select case when n % 2 = 0 then $1::bigint else ($2::bigint[])[1 + n / 2 % 10] end, lpad((4000000000000 + n * 13)::text, 13, '0'),
       ${NAME}, n / 2 % 10 < 3, n / 2 % 7 = 0, timestamptz '2025-01-01' + n * interval '10 s'
     from generate_series(1, $3::bigint * 2) n) r (brand_id, gtin, name, published, has_certs, created_at)`,
    [brandId, others, rows],
  );
  await client.query(
    `insert into variants (brand_id, gtin, name, published, has_certs, created_at, gtin14, name_key)
     select r.*, ${KEYS} from (
     select $1::bigint, lpad((4000000000000 + n * 13)::text, 13, '0'), ${NAME}, n % 10 < 3, n % 7 = 0, timestamptz '2025-01-01' + n * interval '10 s'
     from generate_series(1, $2::bigint) n) r (brand_id, gtin, name, published, has_certs, created_at)`,
    [ordinaryId, ORDINARY_ROWS],
  );
  await client.query(`insert into brands (name) select 'Bench small ' || n from generate_series(1, 2000) n`);
  await client.query(
    `insert into variants (brand_id, gtin, gtin14, name, name_key)
     select id, '61414100', '00000061414100', 'Only one', 'only one' from brands where name like 'Bench small %'`,
  );
  // Without it the next statements are planned for a few rows, and scan two million once per brand.
  await client.query('analyze brands, variants');
  await client.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key, status)
     select b.id, c.id, 'BENCH-' || n, 'BENCH-' || n, 'bench-' || n, id_sort_key('BENCH-' || n), (array['validated', 'pending', 'invalid'])[1 + n % 3]
     from brands b, certifications c, generate_series(1, 6) n where b.name like 'Bench %' and b.name not like 'Bench small %'`,
  );
  await client.query(
    `insert into variant_certificates (brand_id, variant_id, certificate_id)
     select v.brand_id, v.id, c.ids[1 + (v.id + n) % 200]
     from variants v
     join (select brand_id, array_agg(id order by id) as ids from certificates group by brand_id) c using (brand_id),
       generate_series(1, case when v.id % 10 = 0 then 5 else 1 end) n
     where v.has_certs and v.brand_id = any ($1)`,
    [[brandId, ordinaryId, ...others]],
  );
  await client.query(
    `insert into variant_counts (brand_id, total, published, certified, published_certified, indexed_to)
     select brand_id, count(*), count(*) filter (where published), count(*) filter (where has_certs),
       count(*) filter (where published and has_certs), max(id)
     from variants where brand_id in (select id from brands where name like 'Bench %') group by brand_id`,
  );
  await client.query(
    `insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
     select brand_id, id, created_at, name_key, gtin14 from variants on conflict do nothing`,
  );
  await client.query(gramsIndex.rows[0]?.text ?? '');
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
  return { brandId, ordinaryId };
}

/** A brand right after an import: its variants are not in the search index yet. */
export async function addUnindexedBrand(client: pg.Client, rows: number): Promise<void> {
  const brand = await client.query<{ id: string }>(`insert into brands (name, status) values ('Bench unindexed', 'active') returning id`);
  const brandId = Number(brand.rows[0]?.id);
  await client.query(
    `insert into variants (brand_id, gtin, name, gtin14, name_key)
     select r.*, ${KEYS} from (
       select $1::bigint, (4000000000000 + n * 13)::text, ${NAME} from generate_series(1, $2::bigint) n) r (brand_id, gtin, name)`,
    [brandId, rows],
  );
  await client.query('insert into variant_counts (brand_id, total, published, certified, published_certified) values ($1, $2, 0, 0, 0)', [
    brandId,
    rows,
  ]);
  await client.query('vacuum analyze');
  await client.query(`insert into due_work (brand_id, kind, due_at) values ($1, 'index_variants', now())`, [brandId]);
}

/** Queues the product's own job to update the search index, and waits for it. */
export async function indexPending(client: pg.Client): Promise<void> {
  await client.query(`select graphile_worker.add_job('index_variants')`);
  const waiting = `select 1 from due_work where kind = 'index_variants'`;
  while ((await client.query(waiting)).rows.length > 0) await sleep(50);
}
