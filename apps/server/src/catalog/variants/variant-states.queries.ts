import {
  VARIANT_STATES,
  type VariantPage,
  type VariantState,
  type VariantStateCounts,
  type VariantStates,
} from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { runPrepared, runText } from '../../db/statements.ts';
import { countColumn, orderedVariants } from './variant-pages.queries.ts';
import {
  CHANNEL_GROUPS,
  isAmongState,
  isDelivered,
  isInState,
  type KnownState,
  matchConditions,
  RESTRICTED,
  type VariantMatch,
  WITH_INVALID_CERTIFICATE,
} from './variant-reasons.queries.ts';
import { onlyRow, rowsOf, selectPage, type VariantFilters, type VariantOrder, type Window } from './variant-rows.queries.ts';

const ZERO = '0::bigint';
const deliveredIn = (group: keyof typeof CHANNEL_GROUPS) =>
  `select d.variant_id from deliveries d where ${isDelivered(CHANNEL_GROUPS[group])}`;

/**
 * `ids`: a subquery of distinct variant ids. Variants with a flag are counted by one index scan; the number without it is the difference.
 */
function countWith(ids: string, flags: Readonly<Record<string, boolean | undefined>>): string {
  const wanted = Object.entries(flags).find(([, value]) => value !== undefined);
  const all = `(select count(*) from (${ids}) s)`;
  if (!wanted) return all;
  const [flag, value] = wanted;
  const having = `(select count(*) from variants v where v.brand_id = $1 and v.${flag} and v.id = any (array(${ids})))`;
  return value ? having : `(${all} - ${having})`;
}

/**
 * The counts of the status strip, for the whole brand or a filter. Never reads the whole brand: published and certified variants are
 * counted in variant_counts, the rest comes from small partial indexes. A published variant that is neither pending nor refused is live.
 */
export function countStates(db: Db, brandId: number, filters: VariantFilters): Promise<VariantStateCounts> {
  return countSome(db, brandId, filters, VARIANT_STATES);
}

async function countSome<State extends VariantState>(
  db: Db,
  brandId: number,
  { published, hasCerts }: VariantFilters,
  wanted: readonly State[],
): Promise<Pick<VariantStateCounts, State>> {
  const kept = (wanted: VariantFilters) =>
    `(select coalesce(sum(${countColumn(wanted)}), 0)::bigint from variant_counts where brand_id = $1)`;
  const delivered = (group: 'queued' | 'sent' | 'refused') =>
    published === false ? ZERO : countWith(deliveredIn(group), { has_certs: hasCerts });
  const invalid = `select distinct variant_id from (${WITH_INVALID_CERTIFICATE}) linked`;
  const blocked = ['v.brand_id = $1', RESTRICTED];
  if (published !== undefined) blocked.push(`v.published = ${published}`);
  if (hasCerts !== undefined) blocked.push(`v.has_certs = ${hasCerts}`);
  const [queued, sent, refused] = ['(select * from queued)', '(select * from sent)', '(select * from refused)'];
  const onItsWay = `(${queued} + ${sent})`;
  const counts: Record<VariantState, string> = {
    live: `${published === false ? ZERO : kept({ published: true, hasCerts })} - ${onItsWay} - ${refused}`,
    on_its_way: onItsWay,
    queued,
    sent,
    refused,
    blocked: `(select count(*) from variants v where ${blocked.join(' and ')})`,
    unpublished: published === true ? ZERO : kept({ published: false, hasCerts }),
    certificate_problems: hasCerts === false ? ZERO : countWith(invalid, { published }),
  };
  const text = `
    with queued as materialized (select ${delivered('queued')}), sent as materialized (select ${delivered('sent')}), refused as materialized (select ${delivered('refused')})
    select ${wanted.map((state) => `${counts[state]} as ${state}`).join(', ')} from (values ($1::bigint)) brand`;
  // PostgreSQL cuts names after 63 characters.
  const which = wanted.length === VARIANT_STATES.length ? 'all' : wanted.join(' ');
  const name = `states ${which} ${published} ${hasCerts}`;
  return onlyRow(await runPrepared<VariantStateCounts>(db, { name, text }, [brandId]));
}

/** The same for search results, given a CTE `hits` with their ids. */
export const STATES_OF_HITS = `
  select published - queued - sent - refused as live, queued + sent as on_its_way, queued, sent, refused, blocked, total - published as unpublished, certificate_problems
  from (
    select count(*) as total,
      count(*) filter (where id in (${deliveredIn('queued')})) as queued,
      count(*) filter (where id in (${deliveredIn('sent')})) as sent,
      count(*) filter (where id in (${deliveredIn('refused')})) as refused,
      count(*) filter (where id in (select v.id from variants v where v.brand_id = $1 and ${RESTRICTED})) as blocked,
      count(*) filter (where id in (${WITH_INVALID_CERTIFICATE})) as certificate_problems
    from hits
  ) counted,
  (select count(*) as published from variants v where v.brand_id = $1 and v.published and v.id = any (array(select id from hits))) p`;

/** The same for a reason or an issue. Reads the whole brand. */
export async function countMatchingStates(db: Db, brandId: number, match: VariantMatch): Promise<VariantStateCounts> {
  const values: unknown[] = [brandId];
  const conditions = matchConditions(match, (value) => `$${values.push(value)}`);
  const text = `
    with hits as materialized (select v.id from variants v where ${conditions.join(' and ')}) ${STATES_OF_HITS}`;
  return onlyRow(await runText<VariantStateCounts>(db, text, values));
}

/** Why the matching variants are refused: the types of their errors, most frequent first. */
export function countIssues(db: Db, brandId: number, match: VariantMatch): Promise<NonNullable<VariantStates['issues']>> {
  const values: unknown[] = [brandId];
  const conditions = matchConditions(match, (value) => `$${values.push(value)}`);
  const text = `
    select i.type, min(i.title) as title, count(distinct i.variant_id) as count
    from deliveries d
    join delivery_issues i on i.brand_id = $1 and i.variant_id = d.variant_id and i.revision = d.revision
    join variants v on v.brand_id = $1 and v.id = d.variant_id
    where ${isDelivered(CHANNEL_GROUPS.refused)} and ${conditions.join(' and ')}
    group by i.type having bool_or(i.severity = 'error')
    order by count desc, i.type`;
  return runText(db, text, values);
}

/** How many variants have a state, and how many ids `isAmongState` compares with. */
export async function countState(
  db: Db,
  brandId: number,
  filters: VariantFilters,
  state: KnownState,
): Promise<{ count: number; compared: number }> {
  if (state !== 'live') {
    const { [state]: count } = await countSome(db, brandId, filters, [state]);
    return { count, compared: count };
  }
  const { live, on_its_way, refused } = await countSome(db, brandId, filters, ['live', 'on_its_way', 'refused']);
  return { count: live, compared: on_its_way + refused };
}

interface StatePage {
  readonly filters: VariantFilters;
  readonly order: VariantOrder;
  readonly window: Window;
  readonly count: number;
  /** Whether all ids of the state are compared with, or the state of each variant is looked up. */
  readonly isCompared: boolean;
}

/** A page of a state that many variants have: reads the list in order, until the page is full. */
export async function listManyInState(
  db: Db,
  brandId: number,
  state: KnownState,
  { filters, order, window, count, isCompared }: StatePage,
): Promise<VariantPage> {
  // The second half is read from its end, as in the whole list.
  const take = Math.max(Math.min(window.take, count - window.skip), 0);
  const isNear = window.skip <= count / 2;
  const read = isNear ? order : { ...order, descending: !order.descending };
  const skip = isNear ? window.skip : count - window.skip - take;
  const condition = isCompared ? isAmongState(state, 'v.id') : `(select ${isInState(state, 'v.id')} offset 0)`;
  const text = `
    with totals as (select ${count}::bigint as count), page as (
      ${rowsOf(`${orderedVariants('id', filters, read, { condition })} limit ${take} offset ${Math.max(skip, 0)}`)}
    ) ${selectPage(order)}`;
  return onlyRow(await runText<VariantPage>(db, text, [brandId]));
}
