import { DEFAULT_PAGE_SIZE, DEFAULT_VARIANT_ORDERING, VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import type { ProductVariant, VariantListQuery, VariantPage } from '@brand-portal/contract/variants';
import { BoundedMap } from '../../bounded-map.ts';
import { type Db, inSnapshot } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { shareFound, toGramQueries, toPatterns, toSearchTerms } from './search-terms.ts';
import {
  type CountedPage,
  countChanges,
  countVariants,
  type FirstPage,
  listFirstPage,
  listWindow,
  nameOf,
  preferOrderedIndexes,
} from './variant-pages.queries.ts';
import { findVariant, type VariantFilters, type VariantOrder, type Window } from './variant-rows.queries.ts';
import {
  getSearchKey,
  indexWaitingRows,
  sampleSearchTexts,
  searchByGrams,
  searchByReading,
} from './variant-search.queries.ts';

interface SearchChoice {
  /** Reading this many rows takes about as long as finding out whether that can be avoided. */
  readonly smallBrand: number;
  /** Beyond this share of a brand, reading all of it is quicker than looking each row up. */
  readonly largeShare: number;
}

/** Measured: docs/decisions/0005-variant-list.md. Either way of searching gives the same answer. */
const SEARCH_CHOICE: SearchChoice = { smallBrand: 20_000, largeShare: 0.3 };
/** A wrong guess from so few costs time, never a row. */
const SAMPLE_SIZE = 100;
/** Few enough that nobody waits long for a lock on one of them. */
const INDEX_BATCH = 2_000;

interface List {
  readonly brandId: number;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  readonly searchChoice: SearchChoice;
}

type FirstPages = Map<string, CountedPage>;

/** A few megabytes: most have ten rows. */
const REMEMBERED_PAGES = 500;

/** For first pages that were answered, to answer with them again. */
export function createFirstPages(): FirstPages {
  return new BoundedMap(REMEMBERED_PAGES);
}

interface ListOptions {
  readonly searchChoice?: SearchChoice | undefined;
  /** Absent: nothing is remembered. */
  readonly pages?: FirstPages | undefined;
}

export function listVariants(
  db: Db,
  brandId: number,
  query: VariantListQuery,
  { searchChoice = SEARCH_CHOICE, pages }: ListOptions = {},
): Promise<VariantPage> {
  const { page = 1, page_size = DEFAULT_PAGE_SIZE, search = '', has_certs, published } = query;
  const { ordering = DEFAULT_VARIANT_ORDERING } = query;
  const list: List = {
    brandId,
    filters: { published, hasCerts: has_certs },
    order: { column: ordering.endsWith('name') ? 'name_key' : 'created_at', descending: ordering.startsWith('-') },
    window: { skip: (page - 1) * page_size, take: page_size },
    searchChoice,
  };
  return readList(db, list, search.trim(), pages);
}

function readList(db: Db, list: List, search: string, pages: FirstPages | undefined): Promise<VariantPage> {
  if (search) return inSnapshot(db, (db) => searchList(db, list, search));
  const { brandId, filters, order, window } = list;
  if (window.skip > 0) return inSnapshot(db, (db) => readFurtherPage(db, list));
  const prepared = VARIANT_PAGE_SIZES.some((size) => size === window.take);
  const request = { filters, order, size: window.take, prepared };
  return pages && prepared ? recallFirstPage(db, brandId, request, pages) : listFirstPage(db, brandId, request);
}

/** What was answered before is the answer still where nothing that the list shows was changed since: one small number tells. */
async function recallFirstPage(db: Db, brandId: number, request: FirstPage, pages: FirstPages): Promise<VariantPage> {
  const key = `${brandId} ${nameOf(request)}`;
  const known = pages.get(key);
  if (known && known.changes === (await countChanges(db, brandId))) return known;
  const page = await listFirstPage(db, brandId, request);
  pages.set(key, page);
  return page;
}

/** The second half of the list is read from its end: the last page is as near as the first. */
async function readFurtherPage(db: Db, { brandId, filters, order, window }: List): Promise<VariantPage> {
  const count = await countVariants(db, brandId, filters);
  const take = Math.min(window.take, count - window.skip);
  if (take <= 0) return { results: [], count };
  await preferOrderedIndexes(db);
  if (window.skip <= count / 2)
    return { results: await listWindow(db, brandId, filters, order, { ...window, take }), count };
  const reversed = { ...order, descending: !order.descending };
  const rows = await listWindow(db, brandId, filters, reversed, { skip: count - window.skip - take, take });
  return { results: rows.reverse(), count };
}

async function searchList(db: Db, list: List, search: string): Promise<VariantPage> {
  const { brandId, searchChoice, ...request } = list;
  const terms = toSearchTerms(search, await getSearchKey(db, search));
  const patterns = toPatterns(terms);
  const total = await countVariants(db, brandId, {});
  if (total <= searchChoice.smallBrand) return searchByReading(db, brandId, { ...request, patterns });
  const sample = await sampleSearchTexts(db, brandId, SAMPLE_SIZE);
  if (shareFound(sample, terms) > searchChoice.largeShare)
    return searchByReading(db, brandId, { ...request, patterns });
  return searchByGrams(db, brandId, toGramQueries(brandId, terms, sample), { ...request, patterns });
}

/**
 * Puts variants that were written in bulk into the search index. Searches find them before as well, only slower, so that
 * this is for a job after an import. In small transactions of its own: safe to stop, to repeat and to run twice at once.
 */
export async function indexNewVariants(db: Db, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  while (!stopping?.aborted) {
    const indexed = await indexWaitingRows(db, INDEX_BATCH);
    total += indexed;
    if (indexed < INDEX_BATCH) break;
  }
  return total;
}

export async function getVariant(db: Db, brandId: number, variantId: number): Promise<ProductVariant> {
  const variant = await findVariant(db, brandId, variantId);
  if (!variant) throw new AppError('variant_not_found', 'There is no such product variant.');
  return variant;
}
