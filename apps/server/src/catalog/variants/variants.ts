import { createHash } from 'node:crypto';
import { DEFAULT_PAGE_SIZE, DEFAULT_VARIANT_ORDERING } from '@brand-portal/contract/constants';
import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type {
  ProductVariant,
  VariantListQuery,
  VariantPage,
  VariantStateCounts,
  VariantStates,
  VariantStatesQuery,
} from '@brand-portal/contract/variants';
import { type Db, inSnapshot } from '../../db/database.ts';
import { selectionOfOtherFilter, variantNotFound } from '../../lib/errors.ts';
import { searchWords } from '../../lib/search-words.ts';
import { findKeptCounts, isLargeBrand } from '../../writes/kept-counts.ts';
import { toPatterns, toTerms } from './search-terms.ts';
import { countVariants, listPage, listWindow, preferOrderedIndexes } from './variant-pages.queries.ts';
import {
  CHANNEL_GROUPS,
  countBlocked,
  countReadiness,
  type KnownState,
  listMatchingIds,
  listVariantsWithReason,
  type ReadinessCounts,
  type ReasonFilter,
  stateOfHits,
  type VariantMatch,
} from './variant-reasons.queries.ts';
import { findBrandOfVariant, findVariant, type VariantFilters, type VariantOrder, type Window } from './variant-rows.queries.ts';
import { type SearchPatterns, toSearchKeys } from './variant-search.queries.ts';
import { type Samples, type SearchChoice, searchVariants } from './variant-search.ts';
import { countIssues, countMatchingStates, countState, countStates, listManyInState, STATES_OF_HITS } from './variant-states.queries.ts';

interface ListOptions {
  readonly searchChoice?: SearchChoice | undefined;
  /** Cached samples of large brands, to choose the search strategy. Undefined: no cache. */
  readonly samples?: Samples | undefined;
  /**
   * Up to this many variants of a state are collected and sorted; with more, the list is read until the page is full. Both return the same
   * result.
   */
  readonly fewInState?: number;
  /** Up to this many ids of a state are compared with; with more, the state of each variant is looked up. Both return the same result. */
  readonly manyCompared?: number;
}

interface List {
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
}

export function listVariants(
  db: Db,
  brandId: number,
  query: VariantListQuery,
  { searchChoice, samples, fewInState = FEW_IN_STATE, manyCompared = MANY_COMPARED }: ListOptions = {},
): Promise<VariantPage> {
  const { page = 1, page_size = DEFAULT_PAGE_SIZE } = query;
  const { ordering = DEFAULT_VARIANT_ORDERING } = query;
  const list: List = {
    filters: toFilters(query),
    order: toOrder(ordering),
    window: { skip: (page - 1) * page_size, take: page_size },
  };
  const { reason, issue, certificate, state } = query;
  const search = query.search?.trim();
  const isJustUnpublished = state === 'unpublished' && query.published !== true;
  if (reason || issue || certificate || (state === 'unpublished' && !isJustUnpublished))
    return listWithReason(db, brandId, { reason, issue, certificate, state }, list, search);
  const options = { choice: searchChoice, samples };
  const known = state === 'unpublished' ? undefined : state;
  const condition = known && stateOfHits(known, list.filters);
  if (search) return searchVariants(db, brandId, { ...list, search, condition }, options);
  if (known) return listInState(db, brandId, known, list, { fewInState, manyCompared });
  return readPage(db, brandId, list);
}

/** A state implies filters that the list indexes can answer. */
function toFilters({ published, has_certs, state }: VariantListQuery): VariantFilters {
  const isDelivered = state !== undefined && state in CHANNEL_GROUPS;
  return {
    published: published ?? (isDelivered ? true : state === 'unpublished' ? false : undefined),
    hasCerts: has_certs ?? (state === 'certificate_problems' ? true : undefined),
  };
}

/** Measured: docs/decisions/0005-variant-list.md. */
const FEW_IN_STATE = 5_000;
const MANY_COMPARED = 200_000;

function listInState(
  db: Db,
  brandId: number,
  state: KnownState,
  list: List,
  { fewInState, manyCompared }: Required<Pick<ListOptions, 'fewInState' | 'manyCompared'>>,
): Promise<VariantPage> {
  return inSnapshot(db, async (db) => {
    const counted = await countState(db, brandId, list.filters, state);
    if (counted.count <= fewInState) return listVariantsWithReason(db, brandId, { state }, { ...list, patterns: undefined });
    await preferOrderedIndexes(db);
    return listManyInState(db, brandId, state, { ...list, ...counted, isCompared: counted.compared <= manyCompared });
  });
}

async function listWithReason(db: Db, brandId: number, filter: ReasonFilter, list: List, search: string | undefined): Promise<VariantPage> {
  return listVariantsWithReason(db, brandId, filter, { ...list, patterns: await findPatterns(db, search) });
}

/** The same for the same search and filters of a brand's list, whatever its page and order. */
export function filterKeyOf(brandId: number, query: VariantListQuery): string {
  const { search, has_certs, published, reason, issue, certificate, state } = query;
  const filter = [brandId, search?.trim() || null, has_certs, published, reason, issue, certificate, state];
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 16);
}

/** Refuses a selection of all that match if it was made with another filter. `key`: as the list was answered with. */
export function requireFilterKey(brandId: number, query: VariantListQuery, key: string | undefined): void {
  if (key !== undefined && key !== filterKeyOf(brandId, query)) throw selectionOfOtherFilter();
}

/** The ids of all variants that match the filter now, except the given ones. */
export async function listVariantIds(db: Db, brandId: number, filter: VariantFilter, exceptIds: readonly number[] = []): Promise<number[]> {
  return listMatchingIds(db, brandId, await toMatch(db, filter), exceptIds);
}

/** Converts the list's query for the SQL functions. */
export async function toMatch(
  db: Db,
  { search, has_certs, published, reason, issue, certificate, state }: { [Name in keyof VariantFilter]: VariantFilter[Name] | undefined },
): Promise<VariantMatch> {
  const filters = { published, hasCerts: has_certs };
  return { filters, reason: { reason, issue, certificate, state }, patterns: await findPatterns(db, search?.trim()) };
}

async function findPatterns(db: Db, search: string | undefined): Promise<SearchPatterns | undefined> {
  return search ? toPatterns(toTerms(search, await toSearchKeys(db, searchWords(search)))) : undefined;
}

/** The list's counts per state, with the same search and filters. With `state: 'refused'` also the reasons. */
export async function countVariantStates(
  db: Db,
  brandId: number,
  query: VariantStatesQuery,
  options: ListOptions = {},
): Promise<VariantStates> {
  const counts = await countEachState(db, brandId, query, options);
  if (query.state !== 'refused') return counts;
  const match = await toMatch(db, { ...query, issue: undefined, state: undefined });
  return { ...counts, issues: await countIssues(db, brandId, match) };
}

async function countEachState(
  db: Db,
  brandId: number,
  { state: _state, ...query }: VariantStatesQuery,
  { searchChoice, samples }: ListOptions,
): Promise<VariantStateCounts> {
  if (query.reason || query.issue || query.certificate) return countMatchingStates(db, brandId, await toMatch(db, query));
  const filters = toFilters(query);
  const search = query.search?.trim();
  if (!search) return countStates(db, brandId, filters);
  const request = { filters, order: toOrder(DEFAULT_VARIANT_ORDERING), window: { skip: 0, take: 0 }, search };
  const options = { choice: searchChoice, samples };
  return searchVariants<VariantStateCounts>(db, brandId, { ...request, answer: STATES_OF_HITS }, options);
}

export function toOrder(ordering: NonNullable<VariantListQuery['ordering']>): VariantOrder {
  return { column: ordering.endsWith('name') ? 'name_key' : 'created_at', descending: ordering.startsWith('-') };
}

async function readPage(db: Db, brandId: number, { filters, order, window }: List): Promise<VariantPage> {
  const page = await listPage(db, brandId, filters, order, window);
  return page ?? inSnapshot(db, (db) => readDistantPage(db, brandId, { filters, order, window }));
}

/** The second half of the list is read from its end, so the last page is as fast as the first. */
async function readDistantPage(db: Db, brandId: number, { filters, order, window }: List): Promise<VariantPage> {
  const count = await countVariants(db, brandId, filters);
  const take = Math.min(window.take, count - window.skip);
  if (take <= 0) return { results: [], count };
  await preferOrderedIndexes(db);
  if (window.skip <= count / 2) return { results: await listWindow(db, brandId, filters, order, { ...window, take }), count };
  const reversed = { ...order, descending: !order.descending };
  const rows = await listWindow(db, brandId, filters, reversed, { skip: count - window.skip - take, take });
  return { results: rows.reverse(), count };
}

/** Whether Google would accept them, before anything is sent: all of the brand's, or one. */
export function countReadyVariants(db: Db, brandId: number, variantId?: number): Promise<ReadinessCounts> {
  return countReadiness(db, brandId, variantId);
}

interface Readiness extends ReadinessCounts {
  readonly counted_at?: string | null;
}

export async function readReadiness(db: Db, brandId: number, variantId: number | undefined): Promise<Readiness> {
  if (variantId !== undefined || !(await isLargeBrand(db, brandId))) return countReadyVariants(db, brandId, variantId);
  const kept = await findKeptCounts<ReadinessCounts>(db, brandId, 'readiness');
  const { total, published, blocked } = await countBlocked(db, brandId);
  const { remarked = 0, no_image = 0, no_description = 0, not_displayed = 0, prefix_outlier = 0 } = kept?.counts ?? {};
  return {
    total,
    published,
    blocked,
    restricted_gtin: blocked,
    remarked: Math.min(remarked, total - blocked),
    no_image,
    no_description,
    not_displayed,
    prefix_outlier,
    counted_at: kept?.counted_at.toISOString() ?? null,
  };
}

export async function getVariant(db: Db, brandId: number, variantId: number): Promise<ProductVariant> {
  const variant = await findVariant(db, brandId, variantId);
  if (!variant) throw variantNotFound();
  return variant;
}

/** The error is the same for a variant of another's brand and for one that does not exist. */
export async function getBrandIdOfVariant(db: Db, variantId: number, userId: number): Promise<number> {
  const brandId = await findBrandOfVariant(db, variantId, userId);
  if (brandId === undefined) throw variantNotFound();
  return brandId;
}
