import { MAX_SHOWN_CERTIFICATES, type ProductVariant, type VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText } from '../../db/statements.ts';

/** The list's filters. Undefined: both values. */
export interface VariantFilters {
  readonly published?: boolean | undefined;
  readonly hasCerts?: boolean | undefined;
}

/** Ties are broken by id in the same direction, so that a backward index scan gives the other order. */
export interface VariantOrder {
  readonly column: 'created_at' | 'name_key';
  readonly descending: boolean;
}

/** The part of the ordered rows to return. */
export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** Brands of up to this many variants are read in one statement, with any plan. */
export const SMALL_BRAND = 16_384;

export function orderBy({ column, descending }: VariantOrder): string {
  const direction = descending ? 'desc' : 'asc';
  return `${column} ${direction}, id ${direction}`;
}

/** Aggregated only for the rows of the page. */
const BADGES = `
  case when v.has_certs then (
    select coalesce(json_agg(json_build_object(
      'certification_name', n.name, 'certifying_body_name', b.name,
      'status', c.status, 'reason', c.reason, 'external_certificate_id', c.external_certificate_id
    ) order by n.name collate "C", c.external_certificate_id, c.id), '[]')
    from (
      select certificate_id from variant_certificates where brand_id = $1 and variant_id = v.id
      order by certificate_id desc limit ${MAX_SHOWN_CERTIFICATES}
    ) l
    join certificates c on c.brand_id = $1 and c.id = l.certificate_id
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
  ) else '[]' end`;

/** The channel's state of each variant, looked up by key. Why a delivery is delayed is for the operator, not for members. */
const CHANNEL = `(
  select json_build_object('state', d.state, 'reason', case when d.state in ('refused', 'partly_live') then d.reason else '' end)
  from deliveries d where d.brand_id = $1 and d.variant_id = v.id
)`;

/** The response JSON, built by the database: parsing ten rows of columns takes the server 1.5 times as long as one text. */
const VARIANT = `json_build_object(
    'id', v.id, 'gtin', v.gtin, 'name', v.name, 'published', v.published,
    'created_at', to_char(v.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'certifications', ${BADGES}, 'channel', ${CHANNEL}
  )`;

/** For the names of prepared statements: the filters that change their text. */
export function nameOf({ published, hasCerts }: VariantFilters, { column, descending }: VariantOrder): string {
  return `${published} ${hasCerts} ${column} ${descending}`;
}

/** Settings of a transaction that plans each statement for its actual values, which pays off in large brands. */
export const CUSTOM_PLAN_SETTINGS = { plan_cache_mode: 'force_custom_plan', jit: 'off', enable_seqscan: 'off' };

export const PAGE_COLUMNS = 'id, gtin, name, name_key, published, has_certs, created_at';

/** Returns count and page in one row, from the CTEs `totals(count, …)` and `page`. */
export function selectPage({ column, descending }: VariantOrder): string {
  const direction = descending ? 'desc' : 'asc';
  return `
    select totals.*, (
      select coalesce(json_agg(${VARIANT} order by v.${column} ${direction}, v.id ${direction}), '[]')
      from page v
    ) as results
    from totals`;
}

/** Looks up the rows of a few ids by key. */
export function rowsOf(ids: string): string {
  // `offset 0` forces a lookup of each. As a join, the planner would hash a few ids and read a whole small brand.
  const row = `select ${PAGE_COLUMNS} from variants where brand_id = $1 and id = ids.id offset 0`;
  return `select v.* from (${ids}) ids cross join lateral (${row}) v`;
}

/** `totals` has one row, so the result has one too. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('The list query returned no row');
  return row;
}

export async function findVariant(db: Db, brandId: number, variantId: number): Promise<ProductVariant | undefined> {
  const text = `
    with totals as (select 1::bigint as count), page as (
      select ${PAGE_COLUMNS} from variants where brand_id = $1 and id = $2
    ) ${selectPage({ column: 'created_at', descending: true })}`;
  return onlyRow<VariantPage>(await runText(db, text, [brandId, variantId])).results[0];
}

const HAS_VARIANT = { name: 'has variant', text: 'select 1 from variants where brand_id = $1 and id = $2' };

/** There is no index on the variant id alone. Looks the variant up in each of the member's brands, or in the brand of the API key. */
export async function findBrandOfVariant(db: Db, variantId: number, userId: number): Promise<number | undefined> {
  const memberships = await db
    .selectFrom('brand_members')
    .select('brand_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .union(db.selectFrom('api_keys').select('brand_id').where('user_id', '=', userId))
    .orderBy('brand_id')
    .execute();
  for (const { brand_id } of memberships) {
    const found = await runPrepared(db, HAS_VARIANT, [brand_id, variantId]);
    if (found.length > 0) return brand_id;
  }
  return undefined;
}
