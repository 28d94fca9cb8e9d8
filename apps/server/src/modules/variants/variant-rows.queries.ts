import type { ProductVariant, VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText } from '../../db/statements.ts';

/** What the list can be narrowed down to; a filter that is not set takes both. */
export interface VariantFilters {
  readonly published?: boolean | undefined;
  readonly hasCerts?: boolean | undefined;
}

/** Ties are broken by id in the same direction, so that one index read backwards is the other order. */
export interface VariantOrder {
  readonly column: 'created_at' | 'name_key';
  readonly descending: boolean;
}

/** Which of the ordered rows to answer with. */
export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** Brands of up to this many variants are read in one statement, whatever its plan. */
export const SMALL_BRAND = 16_384;

export function orderBy({ column, descending }: VariantOrder): string {
  const direction = descending ? 'desc' : 'asc';
  return `${column} ${direction}, id ${direction}`;
}

/** The badges of the page's rows, and of no others. */
const BADGES = `
  case when v.has_certs then (
    select coalesce(json_agg(json_build_object(
      'certification_name', n.name, 'certifying_body_name', b.name,
      'status', c.status, 'reason', c.reason, 'external_certificate_id', c.external_certificate_id
    ) order by n.name collate "C", c.external_certificate_id, c.id), '[]')
    from variant_certificates l
    join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
    where l.brand_id = $1 and l.variant_id = v.id
  ) else '[]' end`;

/** What the channel has of each of them. What hinders a delivery for now is for the operator, not for members. */
const CHANNEL = `
  case when d.state is not null
    then json_build_object('state', d.state, 'reason', case when d.state in ('refused', 'partly_live') then d.reason else '' end)
  end`;

/** A variant as it travels, written by the database: reading ten rows of columns takes the server half as long again as one text. */
const VARIANT = `json_build_object(
    'id', v.id, 'gtin', v.gtin, 'name', v.name, 'published', v.published,
    'created_at', to_char(v.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'certifications', ${BADGES}, 'channel', ${CHANNEL}
  )`;

/** For the names of prepared statements: what is part of their text. */
export function nameOf({ published, hasCerts }: VariantFilters, { column, descending }: VariantOrder): string {
  return `${published} ${hasCerts} ${column} ${descending}`;
}

/** Settings of a transaction whose statements are planned again each time, for what they are asked: in large brands that pays. */
export const FOR_THESE_VALUES = { plan_cache_mode: 'force_custom_plan', jit: 'off', enable_seqscan: 'off' };

/** What the page's rows must have. */
export const PAGE_COLUMNS = 'id, gtin, name, name_key, published, has_certs, created_at';

/** The answer in one row, given CTEs `totals(count, …)` and `page` with its columns. */
export function selectPage({ column, descending }: VariantOrder): string {
  const direction = descending ? 'desc' : 'asc';
  return `
    select totals.*, (
      select coalesce(json_agg(${VARIANT} order by v.${column} ${direction}, v.id ${direction}), '[]')
      from page v left join deliveries d on d.brand_id = $1 and d.variant_id = v.id
    ) as results
    from totals`;
}

/** The rows of a few ids, looked up by their key. */
export function rowsOf(ids: string): string {
  // `offset 0`, so that each is looked up: planned as a join, a few ids of a small brand would be hashed and all of the brand read.
  const row = `select ${PAGE_COLUMNS} from variants where brand_id = $1 and id = ids.id offset 0`;
  return `select v.* from (${ids}) ids cross join lateral (${row}) v`;
}

/** `totals` is one row, and so is the answer. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('The list has no answer');
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

/** There is no index on variants' ids alone: it looks the variant up in each of the member's own brands, or in that of a key, and nowhere else. */
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
