import type { VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText, setForTransaction } from '../../db/statements.ts';
import {
  CUSTOM_PLAN_SETTINGS,
  nameOf,
  onlyRow,
  orderBy,
  rowsOf,
  selectPage,
  type VariantFilters,
  type VariantOrder,
  type Window,
} from './variant-rows.queries.ts';

/** LIKE patterns. A variant matches if any of them does. `gtin` is undefined if the search cannot be part of a GTIN. */
export interface SearchPatterns {
  /** All of them match a name of a variant or of a certification. */
  readonly name: readonly string[];
  readonly gtin: string | undefined;
  /** Matched with the ids of a variant's certificates. */
  readonly certificate: string | undefined;
}

/** Links to certificates whose id or certification matches. */
const linksWith = (isId: string, isName: string) => `variant_certificates l
  join certificates c on c.brand_id = $1 and c.id = l.certificate_id
  where l.brand_id = $1 and (${isId} or c.certification_id in (select n.id from certifications n where ${isName}))`;
const matchingLinks = (certificate: string, name: string) =>
  linksWith(`c.id_key like ${certificate}`, `search_key(n.name) like all (${name}::text[])`);

/**
 * The search condition for a statement that reads `variants v`. `each`: certificates are looked up variant by variant, for statements that
 * stop after a few rows; otherwise the matching links are collected first.
 */
export function searchCondition(
  { name, gtin, certificate }: SearchPatterns,
  bind: (value: unknown) => string,
  { each = false } = {},
): string {
  const links = matchingLinks(bind(certificate ?? null), bind(name));
  const certified = each ? `exists (select from ${links} and l.variant_id = v.id)` : `v.id in (select l.variant_id from ${links})`;
  return `(v.name_key like all (${bind(name)}::text[]) or v.gtin14 like ${bind(gtin ?? null)} or (v.has_certs and ${certified}))`;
}

export interface SearchText {
  readonly name_key: string;
  readonly gtin14: string;
}

/** A further condition on the id of a variant, as it is tested for few and for many of them. */
export interface HitCondition {
  few(id: string): string;
  many(id: string): string;
}

interface Search {
  readonly patterns: SearchPatterns;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  /** Whether any certificate matches. If not, certificates are not searched. */
  readonly isCertificate: boolean;
  readonly indexedTo: number;
  /** Up to this many hits, the condition is looked up for each. */
  readonly fewHits: number;
  readonly condition?: HitCondition | undefined;
  /** A select over the CTE `hits`, in place of the page. */
  readonly answer?: string | undefined;
}

const MATCHES = '(name_key like all ($2::text[]) or gtin14 like $3)';
/** Without a GTIN pattern NULL is passed, which LIKE never matches. */
const valuesOf = (brandId: number, { name, gtin }: SearchPatterns): unknown[] => [brandId, name, gtin ?? null];

/** What the choice of a strategy and the search by grams need to know. */
interface SearchScope {
  /** Links to matching certificates, counted up to `most`. */
  readonly certified: number;
  /** Variants with greater ids are not in the gram index yet. */
  readonly indexedTo: number;
}

export async function readSearchScope(db: Db, brandId: number, { certificate, name }: SearchPatterns, most: number): Promise<SearchScope> {
  const text = `
    select (select count(*) from (select from ${matchingLinks('$2', '$3')} limit $4) links) as certified,
      coalesce((select indexed_to from variant_counts where brand_id = $1), 0) as "indexedTo"`;
  return onlyRow(await runText<SearchScope>(db, text, [brandId, certificate ?? null, name, most]));
}

/** Words, normalised like names. */
const SEARCH_KEYS = (words: string) => `array(select search_key(word) from unnest(${words}::text[]) word)`;

export async function toSearchKeys(db: Db, words: readonly string[]): Promise<readonly string[]> {
  return onlyRow(await runText<{ keys: string[] }>(db, `select ${SEARCH_KEYS('$1')} as keys`, [words])).keys;
}

interface SmallSearch {
  /** The words as typed. */
  readonly words: readonly string[];
  /** The part of a 14-digit GTIN to find. Undefined if no GTIN can match. */
  readonly gtin: string | undefined;
  /** The part of a certificate id to find. */
  readonly certificate: string | undefined;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  readonly condition?: HitCondition | undefined;
  readonly answer?: string | undefined;
}

interface Searched {
  /** The words, normalised like names. */
  readonly keys: readonly string[];
  readonly total: number;
}

/** Searches a brand of up to `smallBrand` variants by reading all of it in one prepared statement. Reads nothing in larger ones. */
export async function searchSmallBrand<Answer = VariantPage>(
  db: Db,
  brandId: number,
  { words, gtin, certificate, filters, order, window, condition, answer }: SmallSearch,
  smallBrand: number,
): Promise<Answer & Searched> {
  const conditions = [
    'brand_id = $1',
    '(select total from asked) <= $6',
    `(name_key like all ((select patterns from asked)::text[]) or strpos(gtin14, $5) > 0
      or (has_certs and id in (select variant_id from certified)))`,
    ...flagsOf(filters).map(([flag, wanted]) => `${flag} = ${wanted}`),
    ...(condition ? [condition.few('v.id')] : []),
  ];
  const text = `
    with asked as (
      select keys, total, array(select '%' || regexp_replace(key, '([\\\\%_])', '\\\\\\1', 'g') || '%' from unnest(keys) key) as patterns
      from (
        select ${SEARCH_KEYS('$4')} as keys, coalesce((select total from variant_counts where brand_id = $1), 0) as total offset 0
      ) given
    ), certified as materialized (
      select l.variant_id from ${linksWith('strpos(c.id_key, $7) > 0', 'search_key(n.name) like all ((select patterns from asked)::text[])')}
        and (select total from asked) <= $6
    ), hits as materialized (
      select id, ${order.column} from variants v ${where(conditions)}
    ), totals as (select (select count(*) from hits) as count, keys, total from asked), page as (
      ${rowsOf(`select id from hits order by ${orderBy(order)} limit $2 offset $3`)}
    ) ${answer ? `select keys, total, answer.* from asked, (${answer}) answer` : selectPage(order)}`;
  const values = [brandId, window.take, window.skip, words, gtin ?? null, smallBrand, certificate ?? null];
  if (condition) return onlyRow(await runText<Answer & Searched>(db, text, values));
  const name = `search variants ${answer ? 'states ' : ''}${nameOf(filters, order)}`;
  return onlyRow<Answer & Searched>(await runPrepared(db, { name, text }, values));
}

/** The searched texts of about `size` variants, spread evenly over the brand. */
export async function sampleSearchTexts(db: Db, brandId: number, size: number): Promise<SearchText[]> {
  const text = `
    with ends as (
      select (select variant_id from variant_search where brand_id = $1 order by variant_id limit 1) as low,
        (select variant_id from variant_search where brand_id = $1 order by variant_id desc limit 1) as high
    )
    select sampled.*
    from ends, generate_series(low, high, greatest((high - low) / $2, 1)) as at,
      lateral (
        select name_key, gtin14 from variant_search
        where brand_id = $1 and variant_id >= at order by variant_id limit 1
      ) sampled`;
  return runText<SearchText>(db, text, [brandId, size]);
}

/**
 * Reads the rows that contain the grams of the search, and those not in the gram index: renamed ones, and new ones beyond its end. Both are
 * written so that the planner takes them by their ids. It reads the whole brand instead if the renamed ones are a join, or if the end is a
 * subquery, for which it assumes a third of the brand.
 */
export async function searchByGrams<Answer = VariantPage>(
  db: Db,
  brandId: number,
  grams: readonly string[],
  search: Search,
): Promise<Answer> {
  const { patterns, filters, order, indexedTo } = search;
  await setForTransaction(db, {
    ...CUSTOM_PLAN_SETTINGS,
    // A match is looked up by its key; other joins would read the whole brand.
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    max_parallel_workers_per_gather: '0',
    work_mem: '32MB',
  });
  const flags = flagsOf(filters);
  // One condition per query: a single tsquery with `|` would read every posting list in full instead of skipping through the long ones.
  const hasGrams = grams.map((_, index) => `variant_grams(brand_id, name_key, gtin14) @@ $${4 + index}::tsquery`);
  const values = [...valuesOf(brandId, patterns), ...grams];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // Matches by name are found above, so these are only the others.
  const certified = search.isCertificate
    ? `union all
      select v.id, v.${order.column} from variants v
      where v.brand_id = $1 and v.id = any (array(
        select l.variant_id from ${matchingLinks(bind(patterns.certificate ?? null), '$2')})) and (${MATCHES}) is not true`
    : '';
  const text = `
    with found as materialized (
      select variant_id as id, ${order.column} from variant_search where brand_id = $1 and ${MATCHES} and (${hasGrams.join(' or ')})
      union all
      select id, ${order.column} from variants
      where brand_id = $1 and id = any (array(select variant_id from variant_search_waiting where brand_id = $1)) and ${MATCHES}
      union all
      select id, ${order.column} from variants
      where brand_id = $1 and id > ${bind(indexedTo)}::bigint and ${MATCHES}
      ${certified}
    )${flags.map(([flag]) => matchesWithFlag(flag)).join('')}, hits as materialized (
      select id, ${order.column} from found
      ${where(flags.map(([flag, wanted]) => `(id in (select id from ${flag})) is ${wanted}`))}
    ) ${answerOf(search)}`;
  return onlyRow<Answer>(await runText(db, text, values));
}

/**
 * Which of the matches have a flag, by one index scan. The filter is applied to the result, because the partial index has only rows with
 * the flag. `is true` keeps the planner from turning the comparison with `found` into a join; it uses a hashed subplan instead.
 */
const matchesWithFlag = (flag: string) => `, ${flag} as materialized (
      select id from variants where brand_id = $1 and id = any (array(select id from found)) and ${flag}
    )`;

/** Reads all rows of a large brand: for searches with so many matches that lookups would take longer. */
export async function searchByReading<Answer = VariantPage>(db: Db, brandId: number, search: Search): Promise<Answer> {
  const { patterns, filters, order } = search;
  await setForTransaction(db, { ...CUSTOM_PLAN_SETTINGS, work_mem: '64MB' });
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const matches = search.isCertificate
    ? searchCondition(patterns, bind)
    : `(v.name_key like all (${bind(patterns.name)}::text[]) or v.gtin14 like ${bind(patterns.gtin ?? null)})`;
  const conditions = ['brand_id = $1', matches, ...flagsOf(filters).map(([flag, wanted]) => `${flag} = ${wanted}`)];
  const text = `
    with hits as materialized (select id, ${order.column} from variants v ${where(conditions)}) ${answerOf(search)}`;
  return onlyRow<Answer>(await runText(db, text, values));
}

/** The flags that the filters set, with their values. */
function flagsOf({ published, hasCerts }: VariantFilters): [column: string, wanted: boolean][] {
  return Object.entries({ published, has_certs: hasCerts }).filter((flag): flag is [string, boolean] => flag[1] !== undefined);
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function answerOf({ order, window: { skip, take }, condition, fewHits, answer }: Search): string {
  if (answer) return answer;
  const matching = condition
    ? `, matching as materialized (
      select * from hits where case when (select count(*) from hits) <= ${fewHits}
        then ${condition.few('hits.id')} else ${condition.many('hits.id')} end
    )`
    : '';
  const found = condition ? 'matching' : 'hits';
  return `${matching}, totals as (select count(*) from ${found}), page as (
    ${rowsOf(`select id from ${found} order by ${orderBy(order)} limit ${take} offset ${skip}`)}
  ) ${selectPage(order)}`;
}
