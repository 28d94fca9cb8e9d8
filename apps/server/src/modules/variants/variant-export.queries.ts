import type { Db } from '../../db/database.ts';
import { runText } from '../../db/statements.ts';
import { orderedVariants } from './variant-pages.queries.ts';
import type { VariantFilters, VariantOrder } from './variant-rows.queries.ts';
import type { SearchPatterns } from './variant-search.queries.ts';

export interface ExportedVariant {
  readonly id: number;
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  readonly published: boolean;
  readonly channel_state: string | null;
  readonly channel_reason: string | null;
  readonly certificates: readonly {
    readonly certification: string;
    readonly external_id: string;
    readonly status: string;
    readonly expires_on: string | null;
  }[];
  /** What the list is ordered by, as text: a JavaScript date would lose the microseconds. */
  readonly position: string;
}

interface ExportedList {
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  /** Undefined: everything. */
  readonly patterns: SearchPatterns | undefined;
}

/** What names are compared with. */
export async function toSearchKey(db: Db, search: string): Promise<string> {
  const [row] = await runText<{ key: string }>(db, 'select search_key($1) as key', [search]);
  return row?.key ?? '';
}

/**
 * The next variants of the list behind the given one. Of a certification that a variant has several certificates of, the newest counts: the import
 * would take several in one file for a contradiction. Retired certifications are left out, because it knows them no more.
 */
export async function listExported(
  db: Db,
  brandId: number,
  { filters, order, patterns }: ExportedList,
  after: ExportedVariant | undefined,
  take: number,
): Promise<ExportedVariant[]> {
  const { column, descending } = order;
  const type = column === 'created_at' ? 'timestamptz' : 'text';
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['true'];
  if (after) {
    const place = `(${bind(after.position)}::text::${type}, ${bind(after.id)}::bigint)`;
    conditions.push(`(${column}, id) ${descending ? '<' : '>'} ${place}`);
  }
  if (patterns) conditions.push(`(name_key like ${bind(patterns.name)} or gtin14 like ${bind(patterns.gtin ?? null)})`);
  const columns = 'id, gtin, name, name_key, category, published, has_certs, created_at';
  const page = orderedVariants(columns, filters, order, { limit: take, condition: conditions.join(' and ') });
  const direction = descending ? 'desc' : 'asc';
  const text = `
    with page as (${page} limit ${take})
    select v.id, v.gtin, v.name, v.category, v.published, v.${column}::text as position,
      d.state as channel_state, case when d.state = 'refused' then d.reason end as channel_reason,
      case when v.has_certs then (
        select coalesce(json_agg(json_build_object('certification', newest.name, 'external_id', newest.external_certificate_id,
          'status', newest.status, 'expires_on', newest.expires_on) order by newest.name collate "C", newest.external_certificate_id), '[]')
        from (
          select distinct on (c.certification_id) n.name, c.external_certificate_id, c.status, c.expires_on
          from variant_certificates l
          join certificates c on c.brand_id = $1 and c.id = l.certificate_id
          join certifications n on n.id = c.certification_id and n.retired_at is null
          where l.brand_id = $1 and l.variant_id = v.id
          order by c.certification_id, c.id desc
        ) newest
      ) else '[]' end as certificates
    from page v left join deliveries d on d.brand_id = $1 and d.variant_id = v.id
    order by v.${column} ${direction}, v.id ${direction}`;
  return runText<ExportedVariant>(db, text, values);
}
