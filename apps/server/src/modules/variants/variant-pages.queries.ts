import type { ProductVariant, VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText, setForTransaction } from '../../db/statements.ts';
import {
  onlyRow,
  orderBy,
  PAGE_COLUMNS,
  rowsOf,
  selectPage,
  type VariantFilters,
  type VariantOrder,
  type Window,
} from './variant-rows.queries.ts';

const EITHER = [false, true];

/** The parts of the list indexes that a filter takes: at most four, each in order by itself. */
function branches({ published, hasCerts }: VariantFilters): string[] {
  return (published === undefined ? EITHER : [published]).flatMap((isPublished) =>
    (hasCerts === undefined ? EITHER : [hasCerts]).map(
      (isCertified) => `brand_id = $1 and published = ${isPublished} and has_certs = ${isCertified}`,
    ),
  );
}

/** How many variants pass a filter, from the brand's counts. */
function countColumn({ published, hasCerts }: VariantFilters): string {
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
  return `select coalesce((select ${countColumn(filters)} from variant_counts where brand_id = $1), 0) as count`;
}

export interface FirstPage {
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly size: number;
  /** Sizes that anybody may ask for would fill a connection's memory with plans. */
  readonly prepared: boolean;
}

/**
 * The page that nearly every call asks for, in one statement. Its size is written into the text: with a parameter in its
 * place the planner would assume a tenth of all rows. Each part has its own limit, so that no plan for it but the
 * first entries of its index is worth considering, whatever the size of the brand that the plan was made for. The rows come
 * with them: looking ten up again by their key costs more than the few that are read for nothing.
 */
export async function listFirstPage(
  db: Db,
  brandId: number,
  { filters, order, size, prepared }: FirstPage,
): Promise<VariantPage> {
  const parts = branches(filters).map(
    (branch) => `(select ${PAGE_COLUMNS} from variants where ${branch} order by ${orderBy(order)} limit ${size})`,
  );
  const text = `
    with totals as (${totals(filters)}), page as (
      select * from (${parts.join(' union all ')}) parts order by ${orderBy(order)} limit ${size}
    ) ${selectPage(order)}`;
  const name = nameOf({ filters, order, size });
  return onlyRow<VariantPage>(
    prepared ? await runPrepared(db, { name, text }, [brandId]) : await runText(db, text, [brandId]),
  );
}

/** The same for the same page of every brand. */
function nameOf({ filters, order, size }: Omit<FirstPage, 'prepared'>): string {
  return `variants ${filters.published} ${filters.hasCerts} ${order.column} ${order.descending} ${size}`;
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
  // Only parts that say their order themselves are merged; otherwise the planner would put them together and sort.
  const parts = branches(filters).map(
    (branch) => `(select id, ${order.column} from variants where ${branch} order by ${orderBy(order)})`,
  );
  const text = `
    with totals as (select 0::bigint as count), page as (
      ${rowsOf(`select id from (${parts.join(' union all ')}) parts order by ${orderBy(order)} limit ${take} offset ${skip}`)}
    ) ${selectPage(order)}`;
  return onlyRow<VariantPage>(await runText(db, text, [brandId])).results;
}

/** For this transaction: read the list indexes in their order and nothing else, however far the window is. */
export async function preferOrderedIndexes(db: Db): Promise<void> {
  await setForTransaction(db, {
    jit: 'off',
    enable_seqscan: 'off',
    enable_bitmapscan: 'off',
    enable_sort: 'off',
    // Workers take longer to start than most windows take to read, and would sort instead of merging.
    max_parallel_workers_per_gather: '0',
  });
}
