import type { ChannelState } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import { type Db, inTransaction } from '../../db/database.ts';
import { type Patience, retryLockTimeouts, setForTransaction } from '../../db/statements.ts';

export interface DeliveredCertification {
  readonly name: string;
  readonly authority: string;
  readonly code: string;
  /** A date, such as 2027-03-31; null where it never ends. */
  readonly valid_until: string | null;
}

/** What the channel is told of a variant. */
export interface DeliveredProduct {
  readonly gtin: string;
  readonly title: string;
  readonly brand: string;
  readonly category: string;
  readonly certifications: readonly DeliveredCertification[];
}

/** A delivery as it is at the moment of reading. */
export interface Delivery {
  readonly brand_id: number;
  readonly variant_id: number;
  readonly wanted: 'present' | 'absent';
  readonly revision: number;
  readonly sent_revision: number | null;
  readonly state: ChannelState;
  readonly resource: string;
  readonly attempts: number;
  /** Null where there is no such published variant. */
  readonly product: DeliveredProduct | null;
}

interface Claim {
  /** One per batch, so that a result is written only by those who still hold what it is about. */
  readonly claimId: string;
  readonly limit: number;
  readonly leaseMs: number;
  readonly resourcePrefix: string;
}

/**
 * Takes up to `limit` deliveries that are due, and tells how many those are. Half of them from either end of the queue: what
 * was published just now does not wait behind the 100,000 of somebody else.
 */
export async function claimDueDeliveries(db: Db, { claimId, limit, leaseMs, resourcePrefix }: Claim): Promise<number> {
  const isDue = sql`channel = 'google' and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now())`;
  const { numAffectedRows } = await sql`
    with oldest as (
      select brand_id, variant_id from channel_deliveries where ${isDue}
      order by next_attempt_at limit ${Math.ceil(limit / 2)} for update skip locked
    ), newest as (
      select brand_id, variant_id from channel_deliveries where ${isDue}
      order by next_attempt_at desc limit ${Math.floor(limit / 2)} for update skip locked
    )
    update channel_deliveries d
    set claimed_by = ${claimId}, claimed_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      next_attempt_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      resource = coalesce(d.resource, ${resourcePrefix}::text || d.brand_id || '-' || d.variant_id)
    from (table oldest union table newest) due
    where d.brand_id = due.brand_id and d.variant_id = due.variant_id and d.channel = 'google'
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** What was claimed, as it is now. Only certificates that are valid today are told of. */
export async function listClaimedDeliveries(db: Db, claimId: string): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select d.brand_id, d.variant_id, d.wanted, d.revision, d.sent_revision, d.state, d.resource, d.attempts,
      case when v.id is not null then json_build_object(
        'gtin', v.gtin, 'title', v.name, 'brand', b.name, 'category', v.category, 'certifications', (
          select coalesce(json_agg(json_build_object(
            'name', n.name, 'authority', y.name, 'code', c.external_certificate_id, 'valid_until', c.expires_on
          ) order by n.name collate "C", c.external_certificate_id), '[]')
          from variant_certificates l
          join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
          join certifications n on n.id = c.certification_id
          join certifying_bodies y on y.id = n.certifying_body_id
          where l.brand_id = d.brand_id and l.variant_id = d.variant_id
            and c.status = 'validated' and (c.expires_on is null or c.expires_on >= (now() at time zone 'utc')::date)
        )
      ) end as product
    from channel_deliveries d
    left join variants v on v.brand_id = d.brand_id and v.id = d.variant_id and v.published
    left join brands b on b.id = d.brand_id
    where d.claimed_by = ${claimId}
  `.execute(db);
  return rows;
}

/** What became of a claimed delivery. State, reason, attempts and delay count only if it has not changed meanwhile. */
export interface DeliveryResult extends Pick<Delivery, 'brand_id' | 'variant_id' | 'revision' | 'sent_revision'> {
  readonly state: ChannelState;
  readonly reason: string;
  /** Null: the channel has nothing under the name that it was known by. */
  readonly resource: string | null;
  readonly attempts: number;
  /** Null: nothing to do until something changes. */
  readonly delay_ms: number | null;
  /** The call was not answered: nobody touches the delivery before the lease ends. */
  readonly keep_lease: boolean;
  /** Nothing is left to do, ever. */
  readonly done: boolean;
}

/**
 * Gives way to imports, which hold deliveries in an order of their own until they end: whoever waits for one of them lets go of all that
 * it has after half a second, sooner than the database would look for a deadlock (after a second), and tries again.
 */
export function updateClaimedDeliveries(
  db: Db,
  claimId: string,
  results: readonly DeliveryResult[],
  patience: Patience = {},
): Promise<void> {
  return retryLockTimeouts(patience, () =>
    inTransaction(db, async (db) => {
      await setForTransaction(db, { lock_timeout: '500ms' });
      await writeResults(db, claimId, results);
    }),
  );
}

async function writeResults(db: Db, claimId: string, results: readonly DeliveryResult[]): Promise<void> {
  // Locked in the order in which bulk changes lock them, so that nobody waits in a circle.
  const reported = sql`held join
    json_to_recordset(${JSON.stringify(results)}) as r (brand_id bigint, variant_id bigint, revision bigint,
      sent_revision bigint, state text, reason text, resource text, attempts integer, delay_ms double precision,
      keep_lease boolean, done boolean) using (brand_id, variant_id)`;
  await sql`
    with held as materialized (
      select brand_id, variant_id from channel_deliveries where claimed_by = ${claimId}
      order by brand_id, variant_id for update
    ), removed as (
      delete from channel_deliveries d using ${reported}
      where d.brand_id = held.brand_id and d.variant_id = held.variant_id and d.channel = 'google'
        and d.claimed_by = ${claimId} and d.revision = r.revision and r.done
      returning d.brand_id, d.variant_id
    )
    update channel_deliveries d
    set sent_revision = r.sent_revision, resource = r.resource,
      state = case when d.revision = r.revision then r.state else d.state end,
      reason = case when d.revision = r.revision then left(r.reason, 1000) else d.reason end,
      attempts = case when d.revision = r.revision then r.attempts else d.attempts end,
      next_attempt_at = case
        when d.revision <> r.revision then d.next_attempt_at
        when r.keep_lease then greatest(d.claimed_until, clock_timestamp() + r.delay_ms * interval '1 millisecond')
        else clock_timestamp() + r.delay_ms * interval '1 millisecond' end,
      claimed_by = case when r.keep_lease then d.claimed_by end,
      claimed_until = case when r.keep_lease then d.claimed_until end,
      updated_at = clock_timestamp()
    from ${reported}
    where d.brand_id = held.brand_id and d.variant_id = held.variant_id and d.channel = 'google'
      and d.claimed_by = ${claimId} and not (d.revision = r.revision and r.done)
  `.execute(db);
}

/** In how many milliseconds the next delivery is due, if that is within the next minute. */
export async function findNextAttempt(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(greatest(next_attempt_at, claimed_until, now())) - now()) * 1000::double precision as ms
    from channel_deliveries where channel = 'google' and next_attempt_at <= now() + interval '1 minute'
  `.execute(db);
  return rows[0]?.ms ?? undefined;
}
