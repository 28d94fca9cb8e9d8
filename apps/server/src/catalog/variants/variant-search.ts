import type { VariantPage } from '@brand-portal/contract/variants';
import { type Db, inSnapshot } from '../../db/database.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { searchWords } from '../../lib/search-words.ts';
import { inAnyBrand, JOB_WAIT } from '../../writes/brand-lock.ts';
import { type BrandByBrand, setDueWork, workBrandByBrand } from '../../writes/due-work.ts';
import { indexPendingVariants } from '../../writes/variants.ts';
import { certificateKey } from '../fields/certificate-ids.ts';
import { shareFound, toGramQueries, toGtinPart, toPatterns, toTerms } from './search-terms.ts';
import { SMALL_BRAND, type VariantFilters, type VariantOrder, type Window } from './variant-rows.queries.ts';
import {
  type HitCondition,
  readSearchScope,
  type SearchText,
  sampleSearchTexts,
  searchByGrams,
  searchByReading,
  searchSmallBrand,
} from './variant-search.queries.ts';

export interface SearchChoice {
  /** Reading this many rows takes about as long as finding out whether that can be avoided. */
  readonly smallBrand: number;
  /** Above this share of matches, reading the whole brand is faster than looking up each row. */
  readonly largeShare: number;
  /** Up to this many hits, a further condition is looked up for each. */
  readonly fewHits?: number;
}

/** Measured: docs/decisions/0005-variant-list.md. Both strategies return the same result. */
const SEARCH_CHOICE = { smallBrand: SMALL_BRAND, largeShare: 0.3, fewHits: 2_000 } satisfies SearchChoice;
/** A wrong estimate, from a small or old sample, costs time but never a row. */
const SAMPLE_SIZE = 400;
const SAMPLE_MS = 10 * 60_000;
/** A brand that grew or shrank by this share is sampled again. */
const SAMPLE_DRIFT = 0.1;
/** Small batches, so that the lock is held briefly. */
const INDEX_BATCH = 2_000;

interface Sample {
  readonly texts: readonly SearchText[];
  /** The number of variants when the sample was taken. */
  readonly total: number;
  readonly takenAt: number;
}

/** Keys are brand ids. */
export type Samples = Map<number, Sample>;

/** About 100 kB per brand, and only for large brands. */
export function createSamples(): Samples {
  return new BoundedMap(50);
}

interface SearchRequest {
  readonly search: string;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  readonly condition?: HitCondition | undefined;
  /** SQL over the matches, in place of the page. */
  readonly answer?: string;
}

interface SearchOptions {
  readonly choice?: SearchChoice | undefined;
  readonly samples?: Samples | undefined;
}

/**
 * The answer comes from one statement. The queries before it choose the faster plan, and read where the gram index ends, in the same
 * snapshot.
 */
export async function searchVariants<Answer = VariantPage>(
  db: Db,
  brandId: number,
  { search, ...request }: SearchRequest,
  { choice = SEARCH_CHOICE, samples }: SearchOptions,
): Promise<Answer> {
  const { fewHits = SEARCH_CHOICE.fewHits } = choice;
  const asked = {
    ...request,
    words: searchWords(search),
    gtin: toGtinPart(search),
    certificate: certificateKey(search),
  };
  const { keys, total, ...found } = await searchSmallBrand<Answer>(db, brandId, asked, choice.smallBrand);
  if (total <= choice.smallBrand) return found as Answer;
  const terms = toTerms(search, keys);
  const patterns = toPatterns(terms);
  const sample = await getCachedSample(db, brandId, total, samples);
  const most = Math.max(total * choice.largeShare, 0);
  return inSnapshot(db, async (db) => {
    const { certified, indexedTo } = await readSearchScope(db, brandId, patterns, Math.ceil(most) + 1);
    const wanted = { ...request, patterns, isCertificate: certified > 0, indexedTo, fewHits };
    if (certified > most || shareFound(sample, terms) > choice.largeShare) return searchByReading<Answer>(db, brandId, wanted);
    return searchByGrams<Answer>(db, brandId, toGramQueries(brandId, terms, sample), wanted);
  });
}

async function getCachedSample(db: Db, brandId: number, total: number, samples: Samples | undefined): Promise<readonly SearchText[]> {
  const known = samples?.get(brandId);
  const now = performance.now();
  if (known && now - known.takenAt < SAMPLE_MS && Math.abs(total - known.total) <= known.total * SAMPLE_DRIFT) return known.texts;
  const texts = await sampleSearchTexts(db, brandId, SAMPLE_SIZE);
  samples?.set(brandId, { texts, total, takenAt: now });
  return texts;
}

/**
 * Adds new and renamed variants to the search index. Searches find them before that too, but slower. Runs in small transactions,
 * each under the brand's lock: safe to stop, repeat and run concurrently.
 */
export function indexNewVariants(db: Db, options?: BrandByBrand): Promise<number> {
  const isMore = (indexed: number) => indexed > 0;
  return workBrandByBrand(db, 'index_variants', (brandId) => indexBatch(db, brandId), { ...options, isMore });
}

function indexBatch(db: Db, brandId: number): Promise<number> {
  const index = async (db: Db) => {
    const indexed = await indexPendingVariants(db, brandId, INDEX_BATCH);
    if (indexed === 0) await setDueWork(db, brandId, 'index_variants', undefined);
    return indexed;
  };
  return inAnyBrand(db, brandId, index, JOB_WAIT);
}
