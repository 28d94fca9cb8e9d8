import type { VariantDetails } from '@brand-portal/contract/variant-fields';
import type { Db } from '../../db/database.ts';
import { runText } from '../../db/statements.ts';
import { orderedVariants } from './variant-pages.queries.ts';
import { isNotAmong, type ReasonFilter, reasonConditions } from './variant-reasons.queries.ts';
import { orderBy, type VariantFilters, type VariantOrder } from './variant-rows.queries.ts';
import { type SearchPatterns, searchCondition } from './variant-search.queries.ts';

export interface ExportedVariant {
  readonly id: number;
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  readonly details: VariantDetails;
  readonly published: boolean;
  readonly channel_state: string | null;
  readonly channel_reason: string | null;
  readonly certificates: readonly {
    readonly certification: string;
    readonly external_id: string;
    readonly link: string;
    readonly status: string;
    readonly expires_on: string | null;
  }[];
  /** The sort column as text: a JavaScript date would lose the microseconds. */
  readonly position: string;
}

interface ExportedList {
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  /** Undefined: no search. */
  readonly patterns: SearchPatterns | undefined;
  readonly reason: ReasonFilter;
  /** Ids to leave out. */
  readonly exceptIds?: readonly number[] | undefined;
}

/** The next variants of the list after the given one. */
export function listExported(
  db: Db,
  brandId: number,
  list: ExportedList,
  after: ExportedVariant | undefined,
  take: number,
): Promise<ExportedVariant[]> {
  const { values, bind } = createValues(brandId);
  const condition = ['true', ...conditionsOf(list, after, bind)].join(' and ');
  return readPage(db, list, `${orderedVariants(COLUMNS, list.filters, list.order, { limit: take, condition })} limit ${take}`, values);
}

/** The same for selected variants. They are few, so they are looked up by id and sorted. */
export function listChosen(
  db: Db,
  brandId: number,
  list: ExportedList,
  ids: readonly number[],
  after: ExportedVariant | undefined,
  take: number,
): Promise<ExportedVariant[]> {
  const { filters, order } = list;
  const { values, bind } = createValues(brandId);
  const conditions = ['brand_id = $1', `id = any(${bind(ids)}::bigint[])`, ...conditionsOf(list, after, bind)];
  if (filters.published !== undefined) conditions.push(`published = ${filters.published}`);
  if (filters.hasCerts !== undefined) conditions.push(`has_certs = ${filters.hasCerts}`);
  const page = `select ${COLUMNS} from variants v where ${conditions.join(' and ')} order by ${orderBy(order)} limit ${take}`;
  return readPage(db, list, page, values);
}

const COLUMNS = 'id, gtin, name, name_key, category, details, published, has_certs, created_at';

type Bind = (value: unknown) => string;

function createValues(brandId: number): { values: unknown[]; bind: Bind } {
  const values: unknown[] = [brandId];
  return { values, bind: (value) => `$${values.push(value)}` };
}

function conditionsOf({ order, patterns, reason, exceptIds }: ExportedList, after: ExportedVariant | undefined, bind: Bind): string[] {
  const { column, descending } = order;
  const conditions = reasonConditions(reason, bind);
  if (exceptIds?.length) conditions.push(isNotAmong(bind(exceptIds)));
  if (after) {
    const type = column === 'created_at' ? 'timestamptz' : 'text';
    const place = `(${bind(after.position)}::text::${type}, ${bind(after.id)}::bigint)`;
    conditions.push(`(${column}, id) ${descending ? '<' : '>'} ${place}`);
  }
  if (patterns) conditions.push(searchCondition(patterns, bind, { each: true }));
  return conditions;
}

/**
 * If a variant has several certificates of one certification, the newest is exported: the import would reject several in one file as a
 * contradiction. Retired certifications are left out, because the import no longer accepts them.
 */
function readPage(db: Db, { order }: ExportedList, page: string, values: unknown[]): Promise<ExportedVariant[]> {
  const direction = order.descending ? 'desc' : 'asc';
  const text = `
    with page as (${page})
    select v.id, v.gtin, v.name, v.category, v.details, v.published, v.${order.column}::text as position,
      d.state as channel_state, case when d.state in ('refused', 'partly_live') then d.reason end as channel_reason,
      case when v.has_certs then (
        select coalesce(json_agg(json_build_object('certification', newest.name, 'external_id', newest.external_certificate_id,
          'link', newest.link, 'status', newest.status, 'expires_on', newest.expires_on) order by newest.name collate "C", newest.external_certificate_id), '[]')
        from (
          select distinct on (c.certification_id) n.name, c.external_certificate_id, c.link, c.status, c.expires_on
          from variant_certificates l
          join certificates c on c.brand_id = $1 and c.id = l.certificate_id
          join certifications n on n.id = c.certification_id and n.retired_at is null
          where l.brand_id = $1 and l.variant_id = v.id
          order by c.certification_id, c.id desc
        ) newest
      ) else '[]' end as certificates
    from page v left join deliveries d on d.brand_id = $1 and d.variant_id = v.id
    order by v.${order.column} ${direction}, v.id ${direction}`;
  return runText<ExportedVariant>(db, text, values);
}
