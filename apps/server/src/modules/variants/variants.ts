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
  getSearched,
  indexWaitingRows,
  type SearchText,
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
/** A wrong guess from so few, or from old ones, costs time, never a row. */
const SAMPLE_SIZE = 400;
const SAMPLE_MS = 10 * 60_000;
/** A brand that grew or shrank by this share is sampled anew. */
const SAMPLE_DRIFT = 0.1;
/** Few enough that nobody waits long for a lock on one of them. */
const INDEX_BATCH = 2_000;

interface List {
  readonly brandId: number;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  readonly searchChoice: SearchChoice;
}

interface Sample {
  readonly texts: readonly SearchText[];
  /** Of how many variants. */
  readonly total: number;
  readonly takenAt: number;
}

interface ListMemory {
  /** First pages that were answered, to answer with them again. */
  readonly firstPages: Map<string, CountedPage>;
  /** By the brand's id; large brands only. */
  readonly samples: Map<number, Sample>;
}

/** What a server remembers between lists; each part has a few megabytes at the most. Nothing of it makes an answer older. */
export function createListMemory(): ListMemory {
  return { firstPages: new BoundedMap(500), samples: new BoundedMap(50) };
}

interface ListOptions {
  readonly searchChoice?: SearchChoice | undefined;
  /** Absent: nothing is remembered. */
  readonly memory?: ListMemory | undefined;
}

export function listVariants(
  db: Db,
  brandId: number,
  query: VariantListQuery,
  { searchChoice = SEARCH_CHOICE, memory }: ListOptions = {},
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
  return readList(db, list, search.trim(), memory);
}

function readList(db: Db, list: List, search: string, memory: ListMemory | undefined): Promise<VariantPage> {
  if (search) return searchList(db, list, search, memory);
  const { brandId, filters, order, window } = list;
  if (window.skip > 0) return inSnapshot(db, (db) => readFurtherPage(db, list));
  const prepared = VARIANT_PAGE_SIZES.some((size) => size === window.take);
  const request = { filters, order, size: window.take, prepared };
  return memory && prepared ? recallFirstPage(db, brandId, request, memory) : listFirstPage(db, brandId, request);
}

/** What was answered before is the answer still where nothing that the list shows was changed since: one small number tells. */
async function recallFirstPage(
  db: Db,
  brandId: number,
  request: FirstPage,
  { firstPages }: ListMemory,
): Promise<VariantPage> {
  const key = `${brandId} ${nameOf(request)}`;
  const known = firstPages.get(key);
  if (known && known.changes === (await countChanges(db, brandId))) return known;
  const page = await listFirstPage(db, brandId, request);
  firstPages.set(key, page);
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

/** The answer is one statement, and so of one moment; what was looked at before it only tells which way is quicker. */
async function searchList(
  db: Db,
  { brandId, searchChoice, ...request }: List,
  search: string,
  memory: ListMemory | undefined,
): Promise<VariantPage> {
  const { key, total } = await getSearched(db, brandId, search);
  const terms = toSearchTerms(search, key);
  const wanted = { ...request, patterns: toPatterns(terms) };
  const readAll = () => inSnapshot(db, (db) => searchByReading(db, brandId, wanted));
  if (total <= searchChoice.smallBrand) return readAll();
  const sample = await recallSample(db, brandId, total, memory);
  if (shareFound(sample, terms) > searchChoice.largeShare) return readAll();
  const grams = toGramQueries(brandId, terms, sample);
  return inSnapshot(db, (db) => searchByGrams(db, brandId, grams, wanted));
}

async function recallSample(
  db: Db,
  brandId: number,
  total: number,
  memory: ListMemory | undefined,
): Promise<readonly SearchText[]> {
  const known = memory?.samples.get(brandId);
  const now = performance.now();
  if (known && now - known.takenAt < SAMPLE_MS && Math.abs(total - known.total) <= known.total * SAMPLE_DRIFT)
    return known.texts;
  const texts = await sampleSearchTexts(db, brandId, SAMPLE_SIZE);
  memory?.samples.set(brandId, { texts, total, takenAt: now });
  return texts;
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
