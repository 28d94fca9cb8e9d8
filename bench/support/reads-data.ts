import type pg from 'pg';

/** One brand with all that its lists read, and who calls them. */
export interface LoadedBrand {
  readonly brandId: number;
  /** Imports of `imported` rows each, by what they did. */
  readonly imports: Readonly<Record<'created' | 'updated' | 'certified' | 'rejected', number>>;
  readonly variantId: number;
  readonly certificateId: number;
}

const PREFIXES = `array['Organic','Bio','Premium','Classic','Natural','Crème de','Jalapeño','Wild','Smoked','Artisan']`;
const PRODUCTS = `array['Olive Oil','Sea Salt','Dark Chocolate','Granola','Rain Jacket','Merino Sweater','Green Tea','Espresso','Kombucha','Quinoa']`;
/** Names of three words and more, whose last word differs: each has siblings. Every 5,000th has a word of its own. */
const NAME = `(${PREFIXES})[1 + n * 7919 % 10] || ' ' || (${PRODUCTS})[1 + n * 104729 / 10 % 10] || ' ' || n % 997 ||
  ' ml ' || upper(substr(md5(n::text), 1, 4)) || case when n % 5000 = 0 then ' Xqzwj' else '' end`;

const CERTIFICATES = 50_000;
const IMPORTS = 10_000;
const ENTRIES = 1_000_000;
const BRANDS = 2_000;

/**
 * `rows` variants of one brand and a tenth as many of another between them. A third is published and delivered, half is certified. Foreign
 * keys are off while loading: the cost of writes is measured elsewhere.
 */
export async function loadReads(client: pg.Client, rows: number, imported: number): Promise<LoadedBrand> {
  const { rows: brands } = await client.query<{ id: string }>(
    `insert into brands (name, status, opted_in_for_trial) select 'Bench ' || n, 'active', true from generate_series(1, 2) n returning id`,
  );
  const [brandId = 0, otherId = 0] = brands.map(({ id }) => Number(id));
  const run = (text: string, values: unknown[] = [brandId]) => client.query<{ id: string }>(text, values);
  await client.query('set session_replication_role = replica');
  await client.query(`set maintenance_work_mem = '512MB'`);
  const grams = await client.query<{ text: string }>(`select pg_get_indexdef('variant_search_grams_idx'::regclass) as text`);
  await client.query('drop index variant_search_grams_idx');
  await run(
    `insert into variants (brand_id, gtin, name, category, details, published, has_certs, created_at, gtin14, name_key)
     select r.*, lpad(r.gtin, 14, '0'), search_key(r.name) from (
       select case when n % 11 = 0 then $2::bigint else $1::bigint end, lpad((4000000000000 + n * 13)::text, 13, '0'), ${NAME},
         case when n % 5 = 0 then '' else 'Category ' || n % 200 end,
         case n % 3 when 0 then '{}'::jsonb when 1 then '{"description": "Words about it"}'::jsonb
           else '{"description": "Words about it", "image_link": "https://images.example/a.jpg"}'::jsonb end,
         n % 3 = 0, n % 2 = 0, timestamptz '2025-01-01' + n * interval '10 s'
       from generate_series(1, $3::bigint * 11 / 10) n) r (brand_id, gtin, name, category, details, published, has_certs, created_at)`,
    [brandId, otherId, rows],
  );
  await run(`insert into brands (name) select 'Bench small ' || n from generate_series(1, $1::int) n`, [BRANDS]);
  await client.query('analyze brands, variants');
  await run(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key, status, reason, expires_on)
     select $1, 1 + n % 34, s.id, s.id, search_key(s.id), id_sort_key(s.id), s.status,
       case s.status when 'validated' then 'listed' when 'invalid' then 'not_listed' else 'no_registry:2026-01-01' end,
       case when n % 2 = 0 then current_date - 100 + n % 1000 end
     from generate_series(1, $2::int) n cross join lateral (
       select 'ID-' || n as id, case n % 10 when 0 then 'invalid' when 1 then 'pending' else 'validated' end as status) s`,
    [brandId, CERTIFICATES],
  );
  const { rows: first } = await run('select min(id) as id from certificates where brand_id = $1');
  const certificateId = Number(first[0]?.id);
  const { rows: ids } = await client.query<{ low: string; middle: string; high: string }>(
    `select min(id) as low, (select id from variants where brand_id = $1 order by id offset $2 limit 1) as middle, max(id) as high
     from variants where brand_id = $1`,
    [brandId, imported],
  );
  const { low, middle, high } = ids[0] ?? { low: 0, middle: 0, high: 0 };
  // What they did stands beside its rows: the first created variants, the second changed them, the third certified them.
  const { rows: imports } = await run(
    `insert into imports (brand_id, file_name, file_bytes, file_sha256, rows_total, total_rows, imported, rejected, error_count, state, header,
       variants_created, variants_updated, variants_after, variants_to, undo_until, rejected_bytes)
     select $1::bigint, 'products ' || n || '.csv', 1000, md5(n::text), $3::int, $3::int, case when n = $2::int then 0 else $3::int end, case when n = $2::int then $3::int else 0 end,
       case when n = $2::int then $3::int else 0 end, 'done', '["gtin", "variant_name", "category"]',
       case when n = $2::int - 3 then $3::int else 0 end, case when n = $2::int - 2 then $3::int else 0 end,
       case when n = $2::int - 3 then $4::bigint - 1 else 0 end, case when n = $2::int - 3 then $5::bigint else 0 end, now() + interval '20 days', 0
     from generate_series(1, $2::int) n returning id`,
    [brandId, IMPORTS, imported, low, middle],
  );
  const [created = 0, updated = 0, certified = 0, rejected = 0] = imports.slice(-4).map(({ id }) => Number(id));
  await run(
    `insert into import_changes (brand_id, import_id, variant_id, gtin, before, after, was_published, newly_published)
     select brand_id, $2, id, gtin, jsonb_build_object('name', name || ' old'), jsonb_build_object('name', name), published, false
     from variants where brand_id = $1 and id between $3 and $4`,
    [brandId, updated, low, middle],
  );
  await run(
    `insert into variant_certificates (brand_id, variant_id, certificate_id, import_id)
     select v.brand_id, v.id, $2::bigint + (v.id * 7 + n * 13) % $3::int, case when n = 1 and v.id <= $5::bigint * 2 then $4::bigint end
     from variants v, generate_series(1, case when v.id % 5 = 0 then 2 else 1 end) n where v.brand_id = $1 and v.has_certs
     on conflict do nothing`,
    [brandId, certificateId, CERTIFICATES, certified, middle],
  );
  await run(
    `insert into import_rejected_rows (brand_id, import_id, row_number, cells, errors)
     select $1, $2, n, jsonb_build_array('40000000' || n, 'Olive oil ' || n, 'Oil'),
       jsonb_build_array(jsonb_build_object('code', case when n % 3 = 0 then 'gtin_check_digit' else 'gtin_length' end, 'field', 'gtin', 'params', '{}'::jsonb))
     from generate_series(1, $3::int) n`,
    [brandId, rejected, imported],
  );
  await run(
    `insert into deliveries (brand_id, variant_id, state, reason, next_attempt_at, sent_revision, attempts)
     select brand_id, id, (array['live', 'live', 'live', 'live', 'live', 'live', 'live', 'queued', 'refused', 'partly_live'])[1 + id % 10],
       case when id % 10 >= 7 then 'Why' else '' end, now() + interval '1 day', 1, case when id % 10 = 7 then 3 else 0 end
     from variants where brand_id = $1 and published`,
  );
  await run(
    `insert into delivery_issues (brand_id, variant_id, position, revision, type, severity, title, description, attribute, resolution, countries)
     select brand_id, variant_id, n, 1, 'issue_' || (variant_id + n) % 12, case when n = 1 then 'error' else 'warning' end, 'Title', 'Text', '', '', '{}'
     from deliveries, generate_series(1, 2) n where brand_id = $1 and state in ('refused', 'partly_live')`,
  );
  await run(
    `insert into audit_log (brand_id, user_id, action, details, created_at)
     select $1, null, (array['variant.updated', 'variants.imported', 'certificate.status_changed', 'variant.published'])[1 + n % 4],
       jsonb_build_object('variant_id', $2::bigint + n % 1000), now() - interval '1 year' + n * interval '20 s'
     from generate_series(1, $3::int) n`,
    [brandId, low, ENTRIES],
  );
  await run(`insert into deletions (brand_id, variants) select $1, 100 from generate_series(1, 1000)`);
  await client.query(
    `insert into variant_counts (brand_id, total, published, certified, published_certified, indexed_to)
     select brand_id, count(*), count(*) filter (where published), count(*) filter (where has_certs),
       count(*) filter (where published and has_certs), max(id)
     from variants group by brand_id`,
  );
  await client.query(
    `insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
     select brand_id, id, created_at, name_key, gtin14 from variants`,
  );
  await client.query(grams.rows[0]?.text ?? '');
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
  return { brandId, certificateId, variantId: Number(high), imports: { created, updated, certified, rejected } };
}
