import { randomUUID } from 'node:crypto';
import type { ChannelState } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Assignments, Condition, Ids, Rows, Value } from '../db/fragments.ts';
import { readIds } from '../db/statements.ts';
import type { Wait } from '../db/turns.ts';
import { inAnyBrand, isBrandInactive, OPERATOR_WAIT } from './brand-lock.ts';
import {
  type AttemptedDelivery,
  afterAttempt,
  type DeliveryResult,
  type Judgement,
  type RetryDelays,
  TO_SEND,
  TO_WITHDRAW,
} from './delivery-states.ts';
import { scheduleWork, setDueWork, takeDueWork } from './due-work.ts';
import { refreshStatisticsLater } from './statistics.ts';

/**
 * All writes of deliveries. A variant's delivery has `wanted = 'present'` while the variant is published, unless its
 * brand is deleted and can be restored.
 */

export interface VariantKey {
  readonly brand_id: number;
  readonly id: number;
}

/** Literals: Citus drops parameters of an insert without a table, and cannot tell the types of the rest. */
const transitionTo = ({ wanted, state }: typeof TO_SEND, now: Value<Date> = sql`now()`): Assignments =>
  sql`wanted = ${sql.lit(wanted)}, revision = d.revision + 1, state = ${sql.lit(state)}, reason = '', attempts = 0, next_attempt_at = ${now}, updated_at = ${now}`;

/** Queues published variants to be sent, or sent again after a change. */
export async function queueDeliveries(db: Db, brandId: number, published: Rows<VariantKey>): Promise<void> {
  const { numAffectedRows } = await sql`
    -- A new row has the state TO_SEND by the defaults of its columns.
    insert into deliveries as d (brand_id, variant_id) ${published}
    on conflict (brand_id, variant_id) do update set ${transitionTo(TO_SEND, sql`excluded.updated_at`)}
  `.execute(db);
  await refreshStatisticsLater(db, 'deliveries', numAffectedRows);
  if (numAffectedRows) await scheduleWork(db, brandId, 'deliver');
}

/** Marks the deliveries of these variants as outdated, so that they are sent again. Ignores unpublished variants. */
export async function outdateDeliveries(db: Db, brandId: number, variants: Ids): Promise<void> {
  const { numAffectedRows } = await sql`
    update deliveries d set ${transitionTo(TO_SEND)}
    where d.brand_id = ${brandId} and d.wanted = 'present' and d.variant_id = any (${await readIds(db, variants)})
  `.execute(db);
  if (numAffectedRows) await scheduleWork(db, brandId, 'deliver');
}

/** For a change that is part of every product of the brand. */
export function outdateAllDeliveries(db: Db, brandId: number): Promise<void> {
  return outdateDeliveries(db, brandId, sql`select variant_id from deliveries where brand_id = ${brandId}`);
}

/**
 * Deletes deliveries that were never sent, and withdraws the others. If a worker claims a row at this moment, it has set the resource's
 * name, so the row stays and is withdrawn.
 */
export async function withdrawDeliveries(db: Db, brandId: number, variants: Ids): Promise<void> {
  const ids = await readIds(db, variants);
  const isUnsent: Condition = sql`variant_id = any (${ids}) and resource is null`;
  // A new delivery starts at revision 1 again: issues that stay would be shown as its own.
  await sql`
    delete from delivery_issues
    where brand_id = ${brandId} and variant_id = any (array(select variant_id from deliveries where brand_id = ${brandId} and ${isUnsent}))
  `.execute(db);
  await sql`delete from deliveries where brand_id = ${brandId} and ${isUnsent}`.execute(db);
  const { numAffectedRows } = await sql`
    update deliveries d set ${transitionTo(TO_WITHDRAW)}
    where d.brand_id = ${brandId} and d.variant_id = any (${ids}) and d.wanted = 'present'
  `.execute(db);
  if (numAffectedRows) await scheduleWork(db, brandId, 'deliver');
}

/** For a deleted brand that can be restored: its variants stay published, but are withdrawn from the channel. */
export function withdrawAllDeliveries(db: Db, brandId: number): Promise<void> {
  return withdrawDeliveries(db, brandId, sql`select variant_id from deliveries where brand_id = ${brandId}`);
}

/** Reverses `withdrawAllDeliveries`: sends all published variants as if they had just been published. */
export function queueAllPublished(db: Db, brandId: number): Promise<void> {
  return queueDeliveries(db, brandId, sql`select brand_id, id from variants where brand_id = ${brandId} and published`);
}

/** An ended connection is kept while products must be withdrawn through it. A job checks that once an hour. */
export const SWEEP_SECONDS = 3_600;

/** Returns whether there was one. No more products are sent through it; those that were are withdrawn through it. */
export async function endConnection(db: Db, brandId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update channel_connections set ended_at = now() where brand_id = ${brandId} and ended_at is null
  `.execute(db);
  const hadConnection = Number(numAffectedRows) > 0;
  if (hadConnection) await scheduleWork(db, brandId, 'end_connections', { inSeconds: SWEEP_SECONDS });
  return hadConnection;
}

/**
 * For a connection to a stand-in that is no longer there: nothing is withdrawn through it, and published variants wait for another one.
 */
export async function forgetConnection(db: Db, brandId: number, connectionId: number): Promise<void> {
  // First: it waits for workers that claim deliveries for the connection, and what they have claimed is forgotten too.
  await sql`delete from channel_connections where brand_id = ${brandId} and id = ${connectionId}`.execute(db);
  const isSent: Condition = sql`d.brand_id = ${brandId} and d.connection_id = ${connectionId}`;
  await sql`
    delete from delivery_issues where brand_id = ${brandId} and variant_id = any (array(select d.variant_id from deliveries d where ${isSent}))
  `.execute(db);
  await sql`delete from deliveries d where ${isSent} and d.wanted = ${TO_WITHDRAW.wanted}`.execute(db);
  await sql`
    update deliveries d set ${transitionTo(TO_SEND)}, sent_revision = null, connection_id = null, resource = null, countries = '{}',
      sent_at = null, judged_at = null, claimed_by = null, claimed_until = null
    where ${isSent}
  `.execute(db);
  await scheduleNextDelivery(db, brandId);
}

/** For the operator: sends them again, whatever the channel answered before. Returns how many. */
export async function retryDeliveries(
  db: Db,
  brandId: number,
  { variantId, state }: { readonly variantId?: number | undefined; readonly state?: ChannelState | undefined },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries d
    set revision = d.revision + 1, state = case when d.wanted = ${TO_WITHDRAW.wanted} then ${TO_WITHDRAW.state} else ${TO_SEND.state} end,
      reason = '', attempts = 0, next_attempt_at = now(), updated_at = now()
    where d.brand_id = ${brandId} and ${variantId === undefined ? sql`true` : sql`d.variant_id = ${variantId}`}
      and ${state === undefined ? sql`true` : sql`d.state = ${state}`}
  `.execute(db);
  if (numAffectedRows) await scheduleWork(db, brandId, 'deliver');
  return Number(numAffectedRows ?? 0);
}

interface Claim {
  readonly brandId: number;
  /** One per batch. A result is written only if this claim still holds the delivery. */
  readonly claimId: string;
  readonly limit: number;
  readonly leaseMs: number;
  /**
   * Where to send. Nothing is claimed if the connection has ended by now. Undefined: nowhere, so only deliveries that must be withdrawn are
   * claimed.
   */
  readonly place: { readonly connectionId: number; readonly resourcePrefix: string } | undefined;
  /** False: none that wait for a verdict only. */
  readonly withChecks?: boolean;
}

/** Deliveries that can be processed: a brand without a connection can only withdraw. */
const canBeProcessed = (brandId: number): Condition => sql`(connection_id is not null or exists (
  select from channel_connections c
  where c.brand_id = ${brandId} and c.ended_at is null and (c.kind = 'own' or c.client_id is not null)))`;

/** The channel has the current revision. */
const IS_CHECK: Condition = sql`wanted = 'present' and sent_revision is not distinct from revision`;

/**
 * Claims up to `limit` of the brand's due deliveries and returns how many: none while it is inactive. Half of them come from each end of the queue:
 * a new publish does not wait behind 100,000 older ones. Does not take the brand's lock: SKIP LOCKED keeps it from waiting for an
 * import, and a claim changes nothing that other writers decide by.
 */
export async function claimDeliveries(db: Db, claim: Claim): Promise<number> {
  const { brandId, claimId, limit, leaseMs, place, withChecks = true } = claim;
  if (!(await takeDueWork(db, brandId, 'deliver'))) return 0;
  if (await isBrandInactive(db, brandId)) {
    await setDueWork(db, brandId, 'deliver', undefined);
    return 0;
  }
  if (place && !(await lockConnection(db, brandId, place.connectionId))) return 0;
  const due = (direction: 'asc' | 'desc', rows: number): Rows<{ variant_id: number }> => sql`
    select variant_id from deliveries
    where brand_id = ${brandId} and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now())
      and ${place ? sql`true` : sql`connection_id is not null`}
      and ${withChecks ? sql`true` : sql`not (${IS_CHECK})`}
    order by next_attempt_at ${sql.raw(direction)} limit ${rows} for update skip locked`;
  const { numAffectedRows } = await sql`
    with oldest as (${due('asc', Math.ceil(limit / 2))}), newest as (${due('desc', Math.floor(limit / 2))})
    update deliveries d
    set claimed_by = ${claimId}, claimed_until = now() + ${leaseMs} * interval '1 millisecond',
      next_attempt_at = now() + ${leaseMs} * interval '1 millisecond',
      connection_id = coalesce(d.connection_id, ${place?.connectionId ?? null}::bigint),
      resource = coalesce(d.resource, ${place?.resourcePrefix ?? null}::text || d.brand_id || '-' || d.variant_id)
    from (select variant_id from oldest union select variant_id from newest) due
    where d.brand_id = ${brandId} and d.variant_id = due.variant_id
  `.execute(db);
  await scheduleNextDelivery(db, brandId);
  return Number(numAffectedRows ?? 0);
}

/**
 * Keeps the connection from being ended before the transaction is. False if it has ended, or is being ended: what is sent through it would
 * have former countries and a former name.
 */
async function lockConnection(db: Db, brandId: number, connectionId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from channel_connections where brand_id = ${brandId} and id = ${connectionId} and ended_at is null
    for share skip locked
  `.execute(db);
  return rows.length > 0;
}

async function scheduleNextDelivery(db: Db, brandId: number): Promise<void> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(next_attempt_at) as next from deliveries
    where brand_id = ${brandId} and next_attempt_at is not null and ${canBeProcessed(brandId)}
  `.execute(db);
  await setDueWork(db, brandId, 'deliver', rows[0]?.next ?? undefined);
}

/** Waiting for a verdict, and due for a check. */
const DUE_CHECK: Condition = sql`${IS_CHECK} and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now())`;

export async function countDueChecks(db: Db, brandId: number): Promise<number> {
  const { rows } = await sql<{ checks: number }>`
    select count(*) as checks from deliveries where brand_id = ${brandId} and ${DUE_CHECK}
  `.execute(db);
  return rows[0]?.checks ?? 0;
}

interface Listed {
  /** The connection that they were sent through. */
  readonly connectionId: number;
  readonly shownIn: readonly string[];
  readonly checkAfterMs: number;
  readonly pauses: RetryDelays;
  /** When the list was requested. Deliveries that became due later are not covered by it. */
  readonly startedAt: Date;
}

/** Writes verdicts by resource name, for deliveries that are due for a check. Returns how many. */
export function writeListedVerdicts(
  db: Db,
  brandId: number,
  verdicts: ReadonlyMap<string, Judgement>,
  { connectionId, shownIn, checkAfterMs, pauses, startedAt }: Listed,
  wait: Wait = OPERATOR_WAIT,
): Promise<number> {
  // Without a lease: the brand's lock is held until the results are written.
  const claimId = randomUUID();
  const ids = [...verdicts.keys()].map((resource) => Number(resource.slice(resource.lastIndexOf('-') + 1)));
  const write = async (db: Db) => {
    const { rows } = await sql<AttemptedDelivery>`
        update deliveries d set claimed_by = ${claimId}
        where d.brand_id = ${brandId} and d.variant_id = any (${ids}::bigint[]) and d.resource = any (${[...verdicts.keys()]}::text[])
          and d.connection_id = ${connectionId} and ${DUE_CHECK} and next_attempt_at <= ${startedAt}
        returning variant_id, wanted, revision, sent_revision, state, connection_id, resource, attempts
      `.execute(db);
    const results = rows.flatMap((delivery) => {
      const judgement = verdicts.get(delivery.resource);
      return judgement ? afterAttempt(delivery, { kind: 'judged', shownIn, checkAfterMs, ...judgement }, pauses) : [];
    });
    await writeResults(db, brandId, claimId, results);
    // The brand is due no later than before, so its row stays: with each page, a lane would look for checks that wait for the list.
    return results.length;
  };
  return inAnyBrand(db, brandId, write, wait);
}

/** Also for a deleted brand, whose deliveries have no other writer. */
export function writeDeliveryResults(
  db: Db,
  { brandId, claimId }: Pick<Claim, 'brandId' | 'claimId'>,
  results: readonly DeliveryResult[],
  wait: Wait = OPERATOR_WAIT,
): Promise<void> {
  const write = async (db: Db) => {
    await writeResults(db, brandId, claimId, results);
    await scheduleNextDelivery(db, brandId);
  };
  return inAnyBrand(db, brandId, write, wait);
}

interface Reported extends DeliveryResult {
  readonly at: Date;
  readonly next_at: Date | null;
}

async function writeResults(db: Db, brandId: number, claimId: string, results: readonly DeliveryResult[]): Promise<void> {
  // Citus allows now() here, but not in a `case` of the update.
  const reported = sql<Reported>`
    select *, now() as at, now() + delay_ms * interval '1 millisecond' as next_at
    from json_to_recordset(${JSON.stringify(results)}) as x (variant_id bigint, revision bigint, sent_revision bigint,
      state text, reason text, countries jsonb, issues jsonb, connection_id bigint, resource text, attempts integer,
      delay_ms double precision, keep_lease boolean, done boolean)`;
  const isReported: Condition = sql`d.brand_id = ${brandId} and d.variant_id = r.variant_id and d.claimed_by = ${claimId}`;
  await writeIssues(db, brandId, claimId, results);
  // A product that was withdrawn for another reason and is unpublished by now is done as well: without a connection it is not claimed again.
  await sql`
    delete from deliveries d using (${reported}) r
    where ${isReported} and (d.revision = r.revision and r.done or d.wanted = 'absent' and r.resource is null)
  `.execute(db);
  await sql`
    update deliveries d
    set sent_revision = r.sent_revision,
      sent_at = case when r.sent_revision is distinct from d.sent_revision and r.sent_revision is not null then r.at else d.sent_at end,
      judged_at = case
        when d.revision = r.revision and r.state <> d.state and r.state in ('live', 'partly_live', 'refused') then r.at
        else d.judged_at end,
      connection_id = r.connection_id, resource = r.resource,
      countries = case when d.revision = r.revision then coalesce(r.countries, d.countries) else d.countries end,
      state = case when d.revision = r.revision then r.state else d.state end,
      reason = case when d.revision = r.revision then coalesce(left(r.reason, 1000), d.reason) else d.reason end,
      attempts = case when d.revision = r.revision then r.attempts else d.attempts end,
      next_attempt_at = case
        when d.revision <> r.revision then d.next_attempt_at
        when r.keep_lease then greatest(d.claimed_until, r.next_at)
        else r.next_at end,
      claimed_by = case when r.keep_lease then d.claimed_by end,
      claimed_until = case when r.keep_lease then d.claimed_until end,
      updated_at = r.at
    from (${reported}) r where ${isReported}
  `.execute(db);
}

/** Replaces the issues of the last verdict. Deletes them when the product is withdrawn. */
async function writeIssues(db: Db, brandId: number, claimId: string, results: readonly DeliveryResult[]): Promise<void> {
  const judged = results.filter(({ issues }) => issues);
  if (judged.length === 0) return;
  // Only while the claim still holds the delivery.
  const isClaimed: Condition = sql`d.brand_id = ${brandId} and d.claimed_by = ${claimId}`;
  const replaced = judged.map(({ variant_id, revision }) => ({ variant_id, revision }));
  await sql`
    delete from delivery_issues i
    using json_to_recordset(${JSON.stringify(replaced)}) as r (variant_id bigint, revision bigint)
    where i.brand_id = ${brandId} and i.variant_id = r.variant_id
      and exists (
        select from deliveries d where ${isClaimed} and d.variant_id = r.variant_id and (d.revision = r.revision or d.wanted = 'absent')
      )
  `.execute(db);
  const rows = judged.flatMap(({ variant_id, revision, issues = [] }) =>
    issues.map((issue, position) => ({ ...issue, variant_id, revision, position })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into delivery_issues (brand_id, variant_id, position, revision, type, severity, title, description, attribute,
      resolution, countries, since)
    select ${brandId}, i.variant_id, i.position, i.revision, left(i.type, 200), i.severity, left(i.title, 500),
      left(i.description, 2000), left(i.attribute, 200), left(i.resolution, 200), i.countries, i.since
    from json_to_recordset(${JSON.stringify(rows)}) as i (variant_id bigint, position integer, revision bigint, type text,
      severity text, title text, description text, attribute text, resolution text, countries text[], since timestamptz)
    where exists (select from deliveries d where ${isClaimed} and d.variant_id = i.variant_id and d.revision = i.revision)
  `.execute(db);
}
