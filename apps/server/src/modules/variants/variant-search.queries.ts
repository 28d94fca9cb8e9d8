import type { VariantPage } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText, setForTransaction } from '../../db/statements.ts';
import {
  FOR_THESE_VALUES,
  nameOf,
  onlyRow,
  orderBy,
  rowsOf,
  selectPage,
  type VariantFilters,
  type VariantOrder,
  type Window,
} from './variant-rows.queries.ts';

/** LIKE patterns; a variant is found by any. The second is absent where what is searched is no part of a GTIN. */
export interface SearchPatterns {
  /** Also of the name of a certification. */
  readonly name: string;
  readonly gtin: string | undefined;
  /** Of the ids of certificates that variants have. */
  readonly certificate: string | undefined;
}

/** Links of variants with certificates whose id, or whose certification, is searched for. */
const linksWith = (isId: string, isName: string) => `variant_certificates l
  join certificates c on c.brand_id = $1 and c.id = l.certificate_id
  where l.brand_id = $1 and (${isId} or c.certification_id in (select n.id from certifications n where ${isName}))`;
const matchingLinks = (certificate: string, name: string) =>
  linksWith(`c.id_key like ${certificate}`, `search_key(n.name) like ${name}`);

/**
 * For a statement that reads `variants v`: what a search finds. `each`: certificates are looked up variant by variant, where the
 * statement ends after a few; otherwise they are gathered first.
 */
export function searchCondition(
  { name, gtin, certificate }: SearchPatterns,
  bind: (value: unknown) => string,
  { each = false } = {},
): string {
  const links = matchingLinks(bind(certificate ?? null), bind(name));
  const certified = each
    ? `exists (select from ${links} and l.variant_id = v.id)`
    : `v.id in (select l.variant_id from ${links})`;
  return `(v.name_key like ${bind(name)} or v.gtin14 like ${bind(gtin ?? null)} or (v.has_certs and ${certified}))`;
}

export interface SearchText {
  readonly name_key: string;
  readonly gtin14: string;
}

interface Search {
  readonly patterns: SearchPatterns;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  /** Whether some are found by their certificates: if so, those are looked for as well. */
  readonly isCertificate: boolean;
  /** What else is asked of them: a condition on a row of `variants v`. */
  readonly condition?: string | undefined;
  /** A select over the CTE `hits`, in place of the page of them. */
  readonly answer?: string | undefined;
}

const MATCHES = '(name_key like $2 or gtin14 like $3)';
/** NULL, which nothing is like. */
const valuesOf = (brandId: number, { name, gtin }: SearchPatterns): unknown[] => [brandId, name, gtin ?? null];

/** How many links there are with certificates that are searched for, counted up to `most`. */
export async function countCertifiedFinds(
  db: Db,
  brandId: number,
  { certificate, name }: SearchPatterns,
  most: number,
): Promise<number> {
  const text = `select count(*) from (select from ${matchingLinks('$2', '$3')} limit $4) links`;
  const [row] = await runText<{ count: number }>(db, text, [brandId, certificate ?? null, name, most]);
  return row?.count ?? 0;
}

interface SmallSearch {
  /** As it was typed. */
  readonly search: string;
  /** What the 14-digit form of a GTIN has to contain; absent where no GTIN can. */
  readonly gtin: string | undefined;
  /** What the id of a certificate has to contain. */
  readonly certificate: string | undefined;
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  readonly condition?: string | undefined;
  readonly answer?: string | undefined;
}

interface Searched {
  /** What names are compared with. */
  readonly key: string;
  readonly total: number;
}

/** Searches a brand of up to `smallBrand` variants in one prepared statement that reads all of them. In larger ones it reads nothing. */
export async function searchSmallBrand<Answer = VariantPage>(
  db: Db,
  brandId: number,
  { search, gtin, certificate, filters, order, window, condition, answer }: SmallSearch,
  smallBrand: number,
): Promise<Answer & Searched> {
  const conditions = [
    ...['brand_id = $1', '(select total from asked) <= $6'],
    `(strpos(name_key, (select key from asked)) > 0 or strpos(gtin14, $5) > 0
      or (has_certs and id in (select variant_id from certified)))`,
    ...flagsOf(filters).map(([flag, wanted]) => `${flag} = ${wanted}`),
    ...(condition ? [condition] : []),
  ];
  const text = `
    with asked as (
      select search_key($4) as key, coalesce((select total from variant_counts where brand_id = $1), 0) as total
    ), certified as materialized (
      select l.variant_id from ${linksWith('strpos(c.id_key, $7) > 0', 'strpos(search_key(n.name), (select key from asked)) > 0')}
        and (select total from asked) <= $6
    ), hits as materialized (
      select id, ${order.column} from variants v ${where(conditions)}
    ), totals as (select (select count(*) from hits) as count, key, total from asked), page as (
      ${rowsOf(`select id from hits order by ${orderBy(order)} limit $2 offset $3`)}
    ) ${answer ? `select key, total, answer.* from asked, (${answer}) answer` : selectPage(order)}`;
  const values = [brandId, window.take, window.skip, search, gtin ?? null, smallBrand, certificate ?? null];
  if (condition) return onlyRow(await runText<Answer & Searched>(db, text, values));
  const name = `search variants ${answer ? 'states ' : ''}${nameOf(filters, order)}`;
  return onlyRow<Answer & Searched>(await runPrepared(db, { name, text }, values));
}

/** What a search looks into, of about `size` variants spread evenly over the brand. */
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

/** Reads the rows that have the grams of what is searched, and those that the gram index does not have yet. */
export async function searchByGrams<Answer = VariantPage>(
  db: Db,
  brandId: number,
  grams: readonly string[],
  search: Search,
): Promise<Answer> {
  const { patterns, filters, order } = search;
  await setForTransaction(db, {
    ...FOR_THESE_VALUES,
    // A found row is looked up by its key; the other joins would read the whole brand for it.
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    max_parallel_workers_per_gather: '0',
    work_mem: '32MB',
  });
  const flags = flagsOf(filters);
  // One condition each: a single query with `|` in it would read every list in full instead of skipping through the long ones.
  const hasGrams = grams.map((_, index) => `variant_grams(brand_id, name_key, gtin14) @@ $${4 + index}::tsquery`);
  const values = [...valuesOf(brandId, patterns), ...grams];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // Those that are found by their names as well are among the others.
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
      select v.id, v.${order.column} from variant_search_waiting w join variants v on v.brand_id = $1 and v.id = w.variant_id
      where w.brand_id = $1 and ${MATCHES}
      union all
      select id, ${order.column} from variants
      where brand_id = $1 and id > (select indexed_to from variant_counts where brand_id = $1) and ${MATCHES}
      ${certified}
    )${flags.map(([flag]) => findsWith(flag)).join('')}, hits as materialized (
      select id, ${order.column} from found
      ${where(flags.map(([flag, wanted]) => `(id in (select id from ${flag})) is ${wanted}`))}
    ) ${answerOf(search)}`;
  return onlyRow<Answer>(await runText(db, text, values));
}

/**
 * Which of the finds have a flag, by one walk along its index. Whether that is wanted is asked of the result: the index has the
 * rows with the flag only. `is true` keeps the planner from making a join of the comparison with `found`; it hashes instead.
 */
const findsWith = (flag: string) => `, ${flag} as materialized (
      select id from variants where brand_id = $1 and id = any (array(select id from found)) and ${flag}
    )`;

/** Reads all of a large brand's rows: for searches that find so much that looking it up would take longer. */
export async function searchByReading<Answer = VariantPage>(db: Db, brandId: number, search: Search): Promise<Answer> {
  const { patterns, filters, order } = search;
  await setForTransaction(db, { ...FOR_THESE_VALUES, work_mem: '64MB' });
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const matches = search.isCertificate
    ? searchCondition(patterns, bind)
    : `(v.name_key like ${bind(patterns.name)} or v.gtin14 like ${bind(patterns.gtin ?? null)})`;
  const conditions = ['brand_id = $1', matches, ...flagsOf(filters).map(([flag, wanted]) => `${flag} = ${wanted}`)];
  const text = `
    with hits as materialized (select id, ${order.column} from variants v ${where(conditions)}) ${answerOf(search)}`;
  return onlyRow<Answer>(await runText(db, text, values));
}

/** The columns that a filter asks for, with what it wants them to be. */
function flagsOf({ published, hasCerts }: VariantFilters): [column: string, wanted: boolean][] {
  return Object.entries({ published, has_certs: hasCerts }).filter(
    (flag): flag is [string, boolean] => flag[1] !== undefined,
  );
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function answerOf({ order, window: { skip, take }, condition, answer }: Search): string {
  if (answer) return answer;
  const matching = condition
    ? `, matching as materialized (
      select hits.* from hits
      cross join lateral (select * from variants v where v.brand_id = $1 and v.id = hits.id offset 0) v where ${condition}
    )`
    : '';
  const found = condition ? 'matching' : 'hits';
  return `${matching}, totals as (select count(*) from ${found}), page as (
    ${rowsOf(`select id from ${found} order by ${orderBy(order)} limit ${take} offset ${skip}`)}
  ) ${selectPage(order)}`;
}
