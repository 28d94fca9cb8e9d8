import { MAX_PAGE_SIZE } from '@brand-portal/contract/paging';
import type { ProductVariant, VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText, setForTransaction } from '../../db/statements.ts';
import {
  CUSTOM_PLAN_SETTINGS,
  nameOf,
  onlyRow,
  orderBy,
  PAGE_COLUMNS,
  rowsOf,
  SMALL_BRAND,
  selectPage,
  type VariantFilters,
  type VariantOrder,
  type Window,
} from './variant-rows.queries.ts';

const BOTH = [false, true];

/** The partial list indexes that a filter needs: at most four, each sorted. */
function branches({ published, hasCerts }: VariantFilters): string[] {
  return (published === undefined ? BOTH : [published]).flatMap((isPublished) =>
    (hasCerts === undefined ? BOTH : [hasCerts]).map(
      (isCertified) => `brand_id = $1 and published = ${isPublished} and has_certs = ${isCertified}`,
    ),
  );
}

/** How many variants pass a filter, from the brand's counts. */
export function countColumn({ published, hasCerts }: VariantFilters): string {
  if (published === undefined) {
    if (hasCerts === undefined) return 'total';
    return hasCerts ? 'certified' : 'total - certified';
  }
  if (hasCerts === undefined) return published ? 'published' : 'total - published';
  if (published) return hasCerts ? 'published_certified' : 'published - published_certified';
  return hasCerts ? 'certified - published_certified' : 'total - certified - published + published_certified';
}

/** Always one row, even if the brand never had a variant. */
function totals(filters: VariantFilters): string {
  return `
    select coalesce(sum(${countColumn(filters)}), 0)::bigint as count, coalesce(sum(total), 0)::bigint as total
    from variant_counts where brand_id = $1`;
}

/** Pages that end within this many rows are read in one statement in brands of any size. */
const NEAR_ROWS = 64;

/**
 * A page in one prepared statement: the total count, and the rows with their related data. Returns undefined, without reading a row, if
 * that could take long: the page is not among the first and the brand is not small.
 *
 * PostgreSQL makes one generic plan for brands of every size (`lists` of db/database.ts). The limits are literals in the text, so that the
 * planner always reads the first entries of the index. For a limit that is a parameter it assumes a tenth of all rows.
 */
export async function listPage(
  db: Db,
  brandId: number,
  filters: VariantFilters,
  order: VariantOrder,
  { skip, take }: Window,
): Promise<VariantPage | undefined> {
  const reach = roundUpLimit(skip + take);
  const isNear = reach <= NEAR_ROWS;
  const page = isNear ? nearPage(filters, order, reach) : distantPage(filters, order, reach);
  const text = `with totals as (${totals(filters)}), page as (${page}) ${selectPage(order)}`;
  const name = `variants ${reach} ${nameOf(filters, order)}`;
  const { total, results, count } = onlyRow<VariantPage & { total: number }>(await runPrepared(db, { name, text }, [brandId, take, skip]));
  return isNear || total <= SMALL_BRAND ? { results, count } : undefined;
}

/** Reads all columns at once: the rows are few. */
function nearPage(filters: VariantFilters, order: VariantOrder, reach: number): string {
  return `${orderedVariants(PAGE_COLUMNS, filters, order, { limit: reach })} limit $2 offset $3`;
}

/**
 * Reads index entries up to the page, then the rows of the page. The second half of the list is read from its end, so the last page is as
 * fast as the first. A one-time filter chooses the half before anything is read.
 */
function distantPage(filters: VariantFilters, order: VariantOrder, reach: number): string {
  const part = (order: VariantOrder, half: string) =>
    orderedVariants('id', filters, order, {
      limit: reach,
      condition: `(select total <= ${SMALL_BRAND} and 2 * $3::bigint ${half} count from totals)`,
    });
  const fromEnd = { ...order, descending: !order.descending };
  const rest = '(select count from totals) - $3';
  const halves = `
    (${part(order, '<=')} limit $2 offset $3) union all
    (${part(fromEnd, '>')} limit greatest(least($2, ${rest}), 0) offset greatest(${rest} - $2, 0))`;
  // The last limit only lowers the planner's row estimate.
  return rowsOf(`select id from (${halves}) page limit ${MAX_PAGE_SIZE}`);
}

/**
 * The rows that pass the filters, in order. Each branch has its own `order by`, so that the planner merges them; otherwise it would append
 * and sort.
 */
export function orderedVariants(
  columns: string,
  filters: VariantFilters,
  order: VariantOrder,
  { limit, condition }: { readonly limit?: number; readonly condition?: string } = {},
): string {
  const parts = branches(filters).map(
    (branch) => `(select ${columns === 'id' ? `id, ${order.column}` : columns} from variants v
      where ${branch} ${condition ? `and ${condition}` : ''} order by ${orderBy(order)} ${limit ? `limit ${limit}` : ''})`,
  );
  return `select ${columns} from (${parts.join(' union all ')}) parts order by ${orderBy(order)}`;
}

/** Rounds to a few limits (16, 64, 256, … up to a small brand), so that there are few prepared statements. */
function roundUpLimit(rows: number): number {
  return Math.min(Math.max(16, 4 ** Math.ceil(Math.log2(rows) / 2)), SMALL_BRAND);
}

export async function countVariants(db: Db, brandId: number, filters: VariantFilters): Promise<number> {
  const [row] = await runText<{ count: number }>(db, totals(filters), [brandId]);
  return row?.count ?? 0;
}

/** Any window of the ordered list: an index-only scan up to it, then the rows. */
export async function listWindow(
  db: Db,
  brandId: number,
  filters: VariantFilters,
  order: VariantOrder,
  { skip, take }: Window,
): Promise<ProductVariant[]> {
  const text = `
    with totals as (select 0::bigint as count), page as (
      ${rowsOf(`${orderedVariants('id', filters, order)} limit ${take} offset ${skip}`)}
    ) ${selectPage(order)}`;
  return onlyRow<VariantPage>(await runText(db, text, [brandId])).results;
}

/** For this transaction: only ordered scans of the list indexes, however far the window is. */
export async function preferOrderedIndexes(db: Db): Promise<void> {
  await setForTransaction(db, {
    ...CUSTOM_PLAN_SETTINGS,
    enable_bitmapscan: 'off',
    enable_sort: 'off',
    // Starting parallel workers takes longer than reading most windows, and they would sort instead of merging.
    max_parallel_workers_per_gather: '0',
  });
}
