import type { VariantCertification } from '@brand-portal/contract/certificates';
import type { ProductVariant } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runText } from '../../db/statements.ts';

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

export interface VariantRow {
  readonly id: number;
  readonly gtin: string;
  readonly name: string;
  readonly published: boolean;
  readonly created_at: Date;
  readonly certifications: VariantCertification[];
  readonly channel: ProductVariant['channel'];
}

export interface CountedRows {
  readonly rows: VariantRow[];
  readonly count: number;
}

/** A row of the answer; an empty page is one row that has a count only. */
export type CountedRow = Omit<VariantRow, 'id'> & { readonly id: number | null; readonly count: number };

export function toCountedRows(rows: readonly CountedRow[]): CountedRows {
  const found = rows.filter((row): row is CountedRow & { id: number } => row.id !== null);
  return { rows: found, count: rows[0]?.count ?? 0 };
}

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
  ) else '[]' end as certifications`;

/** What the channel has of each of them, by its key. What hinders a delivery for now is for the operator, not for members. */
const CHANNEL = `(
    select json_build_object('state', d.state, 'reason', case when d.state = 'refused' then d.reason else '' end)
    from channel_deliveries d where d.brand_id = $1 and d.variant_id = v.id and d.channel = 'google'
  ) as channel`;

/** The answer, given CTEs `totals(count)` and `page(id, <order column>)`. */
export function selectPage(order: VariantOrder): string {
  const direction = order.descending ? 'desc' : 'asc';
  return `
    select totals.count, v.id, v.gtin, v.name, v.published, v.created_at, ${BADGES}, ${CHANNEL}
    from totals
    left join (page join variants v on v.brand_id = $1 and v.id = page.id) on true
    order by page.${order.column} ${direction}, page.id ${direction}`;
}

export async function findVariantRow(db: Db, brandId: number, variantId: number): Promise<VariantRow | undefined> {
  const text = `
    with totals as (select 1::bigint as count), page as (
      select id, created_at from variants where brand_id = $1 and id = $2
    ) ${selectPage({ column: 'created_at', descending: true })}`;
  return toCountedRows(await runText<CountedRow>(db, text, [brandId, variantId])).rows[0];
}
