import type { ReadinessReason, VariantReason } from '@brand-portal/contract/attention';
import type { ChannelState, VariantPage, VariantState } from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runText } from '../../db/statements.ts';
import {
  onlyRow,
  orderBy,
  PAGE_COLUMNS,
  selectPage,
  type VariantFilters,
  type VariantOrder,
  type Window,
} from './variant-rows.queries.ts';
import { type SearchPatterns, searchCondition } from './variant-search.queries.ts';

/**
 * Why variants need attention, as conditions on a row of `variants v`; $1 is the brand. They are looked at when somebody asks, so that they
 * are always true: nothing is kept that a write could forget to change.
 */

/** Beginnings that are for use inside a company, or for coupons. GTIN-8 have prefixes of their own. */
export const RESTRICTED = `(length(v.gtin) > 8 and v.gtin14 ~ '^.(2|02|04|98[1-4]|99|05)')`;
const hasNo = (detail: string) => `not v.details ? '${detail}'`;
/** Google displays none but those that it has a name for. */
const NOT_DISPLAYED = `(v.has_certs and exists (
  select from variant_certificates l
  join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
  join certifications n on n.id = c.certification_id and n.google_name is null
  where l.brand_id = $1 and l.variant_id = v.id))`;
const PREFIX = 'substr(v.gtin14, 2, 7)';
const MIN_VARIANTS = 50;
const COMMON_SHARE = 0.95;

const SAMPLED_VARIANTS = 1_000;

/** The company prefix that nearly all of the brand's newest GTINs share; null where there is none. Of a bounded number, because each opened variant asks. */
const COMMON_PREFIX = `(
  select prefix from (
    select ${PREFIX} as prefix, count(*) as variants, sum(count(*)) over () as total
    from (
      select gtin, gtin14 from variants where brand_id = $1 order by brand_id desc, id desc limit ${SAMPLED_VARIANTS}
    ) v
    where length(v.gtin) > 8 group by 1
  ) prefixes
  where total >= ${MIN_VARIANTS} and variants >= total * ${COMMON_SHARE})`;

/** What the channel has to have of a variant for each state of the strip that is about the channel. */
export const CHANNEL_GROUPS = {
  live: ['live'],
  on_its_way: ['queued', 'sent'],
  refused: ['refused', 'partly_live'],
} as const satisfies Partial<Record<VariantState, readonly ChannelState[]>>;

/** For a row of `deliveries d`: its state is one of these, and it is of a published variant. */
export const isDelivered = (states: readonly ChannelState[]) =>
  `d.brand_id = $1 and d.wanted = 'present' and d.state in (${states.map((state) => `'${state}'`).join(', ')})`;

const inState = (states: readonly ChannelState[]) =>
  `v.id in (select d.variant_id from deliveries d where ${isDelivered(states)})`;

/** The variants that have a certificate that is invalid; one that has expired is. */
export const WITH_INVALID_CERTIFICATE = `
  select l.variant_id from certificates c
  join variant_certificates l on l.brand_id = $1 and l.certificate_id = c.id
  where c.brand_id = $1 and c.status = 'invalid'`;

const STATES: Readonly<Record<VariantState, string>> = {
  live: inState(CHANNEL_GROUPS.live),
  on_its_way: inState(CHANNEL_GROUPS.on_its_way),
  refused: inState(CHANNEL_GROUPS.refused),
  blocked: RESTRICTED,
  unpublished: 'not v.published',
  certificate_problems: `v.has_certs and v.id in (${WITH_INVALID_CERTIFICATE})`,
};

/** `common`: what gives the common prefix, once. */
const READINESS: Readonly<Record<ReadinessReason, (common: string) => string>> = {
  restricted_gtin: () => RESTRICTED,
  no_image: () => hasNo('image_link'),
  no_description: () => hasNo('description'),
  not_displayed: () => NOT_DISPLAYED,
  prefix_outlier: (common) => `(length(v.gtin) > 8 and ${PREFIX} <> ${common})`,
};

export interface ReasonFilter {
  readonly reason?: VariantReason | undefined;
  /** A type of issue that the channel has found. */
  readonly issue?: string | undefined;
  /** One that they have. */
  readonly certificate?: number | undefined;
  readonly state?: VariantState | undefined;
}

/** For a statement that reads `variants v`. */
export function reasonConditions(
  { reason, issue, certificate, state }: ReasonFilter,
  bind: (value: unknown) => string,
): string[] {
  const conditions: string[] = [];
  if (reason === 'refused' || reason === 'partly_live') conditions.push(inState([reason]));
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

/** For one row of `variants v`, looked up by its keys: where many are in the state, that spares gathering them all. */
export function stateOf(state: VariantState): string {
  if (state === 'certificate_problems')
    return `exists (select from variant_certificates l join certificates c on c.brand_id = $1 and c.id = l.certificate_id and c.status = 'invalid'
      where l.brand_id = $1 and l.variant_id = v.id)`;
  if (state === 'live' || state === 'on_its_way' || state === 'refused')
    return `exists (select from deliveries d where d.variant_id = v.id and ${isDelivered(CHANNEL_GROUPS[state])})`;
  return STATES[state];
}

/** What a list is narrowed down to, whoever reads or changes it. */
export interface VariantMatch {
  readonly filters: VariantFilters;
  readonly reason: ReasonFilter;
  /** Undefined: everything. */
  readonly patterns: SearchPatterns | undefined;
}

/** For a statement that reads `variants v`. */
export function matchConditions(
  { filters, reason, patterns }: VariantMatch,
  bind: (value: unknown) => string,
): string[] {
  const conditions = ['v.brand_id = $1', ...reasonConditions(reason, bind)];
  if (filters.published !== undefined) conditions.push(`v.published = ${filters.published}`);
  if (filters.hasCerts !== undefined) conditions.push(`v.has_certs = ${filters.hasCerts}`);
  if (patterns) conditions.push(searchCondition(patterns, bind));
  return conditions;
}

/** The ids of all that match but the given ones. Reads all of the brand. */
export async function listMatchingIds(
  db: Db,
  brandId: number,
  match: VariantMatch,
  exceptIds: readonly number[],
): Promise<number[]> {
  const values: unknown[] = [brandId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = [...matchConditions(match, bind), `v.id <> all (${bind(exceptIds)}::bigint[])`];
  const text = `select v.id from variants v where ${conditions.join(' and ')} order by v.id`;
  return (await runText<{ id: number }>(db, text, values)).map(({ id }) => id);
}

interface ReasonList extends Omit<VariantMatch, 'reason'> {
  readonly order: VariantOrder;
  readonly window: Window;
}

/** The page of those that need attention for a reason, and how many there are. Reads all of the brand. */
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

/** Of all of the brand's variants, or of one. */
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
  if (!row) throw new Error('Nothing was counted');
  return row;
}
