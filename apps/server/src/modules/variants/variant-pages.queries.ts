import { MAX_PAGE_SIZE } from '@brand-portal/contract/paging';
import type { ProductVariant, VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText, setForTransaction } from '../../db/statements.ts';
import {
  FOR_THESE_VALUES,
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

/** The parts of the list indexes that a filter takes: at most four, each in order by itself. */
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

/** One row, also where the brand has never had a variant. */
function totals(filters: VariantFilters): string {
  return `
    select coalesce(sum(${countColumn(filters)}), 0)::bigint as count, coalesce(sum(total), 0)::bigint as total
    from variant_counts where brand_id = $1`;
}

/** Pages that end within so many rows are read in one statement in brands of any size. */
const NEAR_ROWS = 64;

/**
 * A page in one prepared statement: how many there are, and the rows with what belongs to them. Undefined where that could take long,
 * because the page is not among the first ones and the brand not small; then no row was read.
 *
 * PostgreSQL makes one plan for brands of every size (`lists` of db/database.ts). What each part is limited to is written into the text, so that
 * nothing but reading the first entries of its index is worth considering: from a parameter the planner expects a tenth of all rows.
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
  const { total, results, count } = onlyRow<VariantPage & { total: number }>(
    await runPrepared(db, { name, text }, [brandId, take, skip]),
  );
  return isNear || total <= SMALL_BRAND ? { results, count } : undefined;
}

/** Reads all columns at once: the rows are few. */
function nearPage(filters: VariantFilters, order: VariantOrder, reach: number): string {
  return `${orderedVariants(PAGE_COLUMNS, filters, order, { limit: reach })} limit $2 offset $3`;
}

/**
 * Reads what is in the index up to the page, then the page's rows. The second half of the list is read from its end: the last page is as
 * near as the first. Which half it is tells a condition that is looked at once, before anything is read.
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
  // The last limit is for the planner alone: it shall expect few rows.
  return rowsOf(`select id from (${halves}) page limit ${MAX_PAGE_SIZE}`);
}

/**
 * The rows that pass the filters, in order. Only parts that say their order themselves are merged; otherwise the planner would put them
 * together and sort.
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

/** One of few limits, so that there are few texts: 16, 64, 256, … up to all of a small brand. */
function roundUpLimit(rows: number): number {
  return Math.min(Math.max(16, 4 ** Math.ceil(Math.log2(rows) / 2)), SMALL_BRAND);
}

export async function countVariants(db: Db, brandId: number, filters: VariantFilters): Promise<number> {
  const [row] = await runText<{ count: number }>(db, totals(filters), [brandId]);
  return row?.count ?? 0;
}

/** Any part of the ordered list: read from the index alone up to there, then the rows themselves. */
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

/** For this transaction: read the list indexes in their order and nothing else, however far the window is. */
export async function preferOrderedIndexes(db: Db): Promise<void> {
  await setForTransaction(db, {
    ...FOR_THESE_VALUES,
    enable_bitmapscan: 'off',
    enable_sort: 'off',
    // Workers take longer to start than most windows take to read, and would sort instead of merging.
    max_parallel_workers_per_gather: '0',
  });
}
