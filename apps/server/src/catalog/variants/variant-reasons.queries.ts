import type { ReadinessReason, VariantReason } from '@brand-portal/contract/attention';
import type { ChannelState, VariantPage, VariantState } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runText } from '../../db/statements.ts';
import { onlyRow, orderBy, PAGE_COLUMNS, selectPage, type VariantFilters, type VariantOrder, type Window } from './variant-rows.queries.ts';
import { type HitCondition, type SearchPatterns, searchCondition } from './variant-search.queries.ts';

/**
 * Why variants need attention, as conditions on a row of `variants v`; $1 is the brand. They are evaluated on read, so they are always up
 * to date: there is no stored flag that a write could forget to update.
 */

/** Prefixes for use inside a company, or for coupons. GTIN-8 have prefixes of their own. */
export const RESTRICTED = `(length(v.gtin) > 8 and v.gtin14 ~ '^.(2|02|04|98[1-4]|99|05)')`;
const hasNo = (detail: string) => `not v.details ? '${detail}'`;
/**
 * Google displays only certifications that it has a name for. Not a join: until a new table has statistics, the planner would compare each
 * variant with all certificates of the brand.
 */
const NOT_DISPLAYED = `(v.has_certs and exists (
  select from variant_certificates l where l.brand_id = $1 and l.variant_id = v.id and (
    select n.google_name is null from certificates c join certifications n on n.id = c.certification_id
    where c.brand_id = $1 and c.id = l.certificate_id)))`;
const PREFIX = 'substr(v.gtin14, 2, 7)';
const MIN_VARIANTS = 50;
const COMMON_SHARE = 0.95;

const SAMPLED_VARIANTS = 1_000;

/**
 * The company prefix that nearly all of the brand's newest GTINs share, or null. The sample is limited, because every view of a variant
 * runs this.
 */
const COMMON_PREFIX = `(
  select prefix from (
    select ${PREFIX} as prefix, count(*) as variants, sum(count(*)) over () as total
    from (
      select gtin, gtin14 from variants where brand_id = $1 order by brand_id desc, id desc limit ${SAMPLED_VARIANTS}
    ) v
    where length(v.gtin) > 8 group by 1
  ) prefixes
  where total >= ${MIN_VARIANTS} and variants >= total * ${COMMON_SHARE})`;

/** The channel states that belong to each state of the status strip. */
export const CHANNEL_GROUPS = {
  live: ['live'],
  on_its_way: ['queued', 'sent'],
  queued: ['queued'],
  sent: ['sent'],
  refused: ['refused', 'partly_live'],
} as const satisfies Partial<Record<VariantState, readonly ChannelState[]>>;

/** For a row of `deliveries d`: it has one of these states, and its variant is published. */
export const isDelivered = (states: readonly ChannelState[]) =>
  `d.brand_id = $1 and d.wanted = 'present' and d.state in (${states.map((state) => `'${state}'`).join(', ')})`;

const deliveredIds = (states: readonly ChannelState[]) => `select d.variant_id from deliveries d where ${isDelivered(states)}`;
const inState = (states: readonly ChannelState[]) => `v.id in (${deliveredIds(states)})`;

/** For a row of `deliveries d`: the channel fails, again and again. */
const UNREACHABLE = `d.brand_id = $1 and d.attempts >= 3 and d.state in ('queued', 'removing') and d.reason <> ''`;

/** Variants with an invalid certificate. Expired ones are invalid too. */
export const WITH_INVALID_CERTIFICATE = `
  select l.variant_id from certificates c
  join variant_certificates l on l.brand_id = $1 and l.certificate_id = c.id
  where c.brand_id = $1 and c.status = 'invalid'`;

const STATES: Readonly<Record<VariantState, string>> = {
  live: inState(CHANNEL_GROUPS.live),
  on_its_way: inState(CHANNEL_GROUPS.on_its_way),
  queued: inState(CHANNEL_GROUPS.queued),
  sent: inState(CHANNEL_GROUPS.sent),
  refused: inState(CHANNEL_GROUPS.refused),
  blocked: RESTRICTED,
  unpublished: 'not v.published',
  certificate_problems: `v.has_certs and v.id in (${WITH_INVALID_CERTIFICATE})`,
};

/** `common`: the SQL of the common prefix, evaluated once. */
const READINESS: Readonly<Record<ReadinessReason, (common: string) => string>> = {
  restricted_gtin: () => RESTRICTED,
  no_image: () => hasNo('image_link'),
  no_description: () => hasNo('description'),
  not_displayed: () => NOT_DISPLAYED,
  prefix_outlier: (common) => `(length(v.gtin) > 8 and ${PREFIX} <> ${common})`,
};

export interface ReasonFilter {
  readonly reason?: VariantReason | undefined;
  /** A type of the channel's issues. */
  readonly issue?: string | undefined;
  /** The id of a certificate that they have. */
  readonly certificate?: number | undefined;
  readonly state?: VariantState | undefined;
}

/** Conditions for a statement that reads `variants v`. */
export function reasonConditions({ reason, issue, certificate, state }: ReasonFilter, bind: (value: unknown) => string): string[] {
  const conditions: string[] = [];
  if (reason === 'refused' || reason === 'partly_live') conditions.push(inState([reason]));
  else if (reason === 'unreachable') conditions.push(`v.id in (select d.variant_id from deliveries d where ${UNREACHABLE})`);
  else if (reason) conditions.push(READINESS[reason](COMMON_PREFIX));
  if (state) conditions.push(STATES[state]);
  if (certificate !== undefined)
    conditions.push(
      `v.id in (select l.variant_id from variant_certificates l where l.brand_id = $1 and l.certificate_id = ${bind(certificate)})`,
    );
  if (issue !== undefined) {
    conditions.push(`v.id in (
      select i.variant_id from delivery_issues i
      join deliveries d on d.brand_id = $1 and d.variant_id = i.variant_id and d.revision = i.revision and d.wanted = 'present'
      where i.brand_id = $1 and i.type = ${bind(issue)})`);
  }
  return conditions;
}

/** States that the published flag alone does not tell. */
export type KnownState = Exclude<VariantState, 'unpublished'>;

/** A condition on the id of a variant, by key lookups: for few variants. */
export function isInState(state: KnownState, id: string): string {
  if (state === 'certificate_problems')
    return `exists (select from variant_certificates l join certificates c on c.brand_id = $1 and c.id = l.certificate_id and c.status = 'invalid'
      where l.brand_id = $1 and l.variant_id = ${id})`;
  if (state === 'blocked')
    return `exists (select from variants b where b.brand_id = $1 and b.id = ${id} and ${RESTRICTED.replaceAll('v.', 'b.')})`;
  return `exists (select from deliveries d where d.variant_id = ${id} and ${isDelivered(CHANNEL_GROUPS[state])})`;
}

/**
 * The same for many variants: compares them with the ids of all that have the state. For `live`, where all are published, with the ids of
 * those that have not: one that is neither on its way nor refused is live. `is true` keeps the planner from turning the comparison into a join; it
 * uses a hashed subplan instead.
 */
export function isAmongState(state: KnownState, id: string): string {
  const { on_its_way, queued, sent, refused } = CHANNEL_GROUPS;
  if (state === 'live') return `(${id} in (${deliveredIds([...on_its_way, ...refused])})) is false`;
  const ids = {
    on_its_way: deliveredIds(on_its_way),
    queued: deliveredIds(queued),
    sent: deliveredIds(sent),
    refused: deliveredIds(refused),
    blocked: `select v.id from variants v where v.brand_id = $1 and ${RESTRICTED}`,
    certificate_problems: WITH_INVALID_CERTIFICATE,
  };
  return `(${id} in (${ids[state]})) is true`;
}

/** For the hits of a search that has the filters. */
export function stateOfHits(state: KnownState, { published }: VariantFilters): HitCondition {
  // Unpublished variants have no delivery either, so for them `isAmongState` would be wrong.
  const isNever = state === 'live' && published === false;
  return { few: (id) => isInState(state, id), many: (id) => (isNever ? 'false' : isAmongState(state, id)) };
}

/** All filters of a list, for reads and for bulk actions. */
export interface VariantMatch {
  readonly filters: VariantFilters;
  readonly reason: ReasonFilter;
  /** Undefined: no search. */
  readonly patterns: SearchPatterns | undefined;
}

/** Conditions for a statement that reads `variants v`. */
export function matchConditions({ filters, reason, patterns }: VariantMatch, bind: (value: unknown) => string): string[] {
  const conditions = ['v.brand_id = $1', ...reasonConditions(reason, bind)];
  if (filters.published !== undefined) conditions.push(`v.published = ${filters.published}`);
  if (filters.hasCerts !== undefined) conditions.push(`v.has_certs = ${filters.hasCerts}`);
  if (patterns) conditions.push(searchCondition(patterns, bind));
  return conditions;
}

/** A subquery, which is hashed: with `<> all`, a generic plan (PLAN_ONCE) would compare each variant with each id. */
export const isNotAmong = (ids: string) => `v.id not in (select unnest(${ids}::bigint[]))`;

/** The ids of all matches except the given ones. Reads the whole brand. */
export async function listMatchingIds(db: Db, brandId: number, match: VariantMatch, exceptIds: readonly number[]): Promise<number[]> {
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [...matchConditions(match, bind), isNotAmong(bind(exceptIds))];
  const text = `select v.id from variants v where ${conditions.join(' and ')} order by v.id`;
  return (await runText<{ id: number }>(db, text, values)).map(({ id }) => id);
}

interface ReasonList extends Omit<VariantMatch, 'reason'> {
  readonly order: VariantOrder;
  readonly window: Window;
}

/** The page of variants that need attention for a reason, and their number. Reads the whole brand. */
export async function listVariantsWithReason(
  db: Db,
  brandId: number,
  filter: ReasonFilter,
  { filters, order, window, patterns }: ReasonList,
): Promise<VariantPage> {
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = matchConditions({ filters, reason: filter, patterns }, bind);
  const text = `
    with matching as materialized (
      select ${PAGE_COLUMNS.split(', ')
        .map((column) => `v.${column}`)
        .join(', ')} from variants v where ${conditions.join(' and ')}
    ), totals as (select count(*) from matching), page as (
      select * from matching order by ${orderBy(order)} limit ${window.take} offset ${window.skip}
    ) ${selectPage(order)}`;
  return onlyRow<VariantPage>(await runText(db, text, values));
}

export interface ReadinessCounts extends Readonly<Record<ReadinessReason, number>> {
  readonly total: number;
  readonly published: number;
  readonly blocked: number;
  readonly remarked: number;
}

/** Of large brands, whose remarks are kept: what is counted without reading all variants. */
export async function countBlocked(db: Db, brandId: number): Promise<Pick<ReadinessCounts, 'total' | 'published' | 'blocked'>> {
  const text = `
    select coalesce(sum(total), 0)::bigint as total, coalesce(sum(published), 0)::bigint as published,
      (select count(*) from variants v where v.brand_id = $1 and ${RESTRICTED}) as blocked
    from variant_counts where brand_id = $1`;
  return onlyRow(await runText(db, text, [brandId]));
}

/** Counts all variants of the brand, or checks one. */
export async function countReadiness(db: Db, brandId: number, variantId?: number): Promise<ReadinessCounts> {
  const common = '(select * from common)';
  const flags = Object.entries(READINESS).map(([reason, condition]) => `${condition(common)} as ${reason}`);
  const { restricted_gtin, ...remarks } = READINESS;
  const text = `
    with common as materialized (select ${COMMON_PREFIX}), flagged as (
      select v.published, ${flags.join(', ')} from variants v where v.brand_id = $1 ${variantId === undefined ? '' : 'and v.id = $2'}
    )
    select count(*) as total, count(*) filter (where published) as published, count(*) filter (where restricted_gtin) as blocked,
      count(*) filter (where restricted_gtin is not true and (${Object.keys(remarks).join(' or ')})) as remarked,
      ${Object.keys(READINESS)
        .map((reason) => `count(*) filter (where ${reason}) as ${reason}`)
        .join(', ')}
    from flagged`;
  const [row] = await runText<ReadinessCounts>(db, text, variantId === undefined ? [brandId] : [brandId, variantId]);
  if (!row) throw new Error('The count returned no row');
  return row;
}
