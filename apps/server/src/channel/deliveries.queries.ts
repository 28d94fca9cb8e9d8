import type { VariantDetails } from '@brand-portal/contract/variant-fields';
import type { ChannelState } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Value } from '../db/fragments.ts';
import type { AttemptedDelivery } from '../writes/delivery-states.ts';

export interface DeliveredCertification {
  readonly name: string;
  readonly authority: string;
  readonly code: string;
  /** The certificate's page at the issuer; empty if unknown. */
  readonly link: string;
  /** A date, such as 2027-03-31. Null: it does not expire. */
  readonly valid_until: string | null;
}

/** The data of a variant that is sent to the channel. */
export interface DeliveredProduct {
  readonly gtin: string;
  readonly title: string;
  readonly category: string;
  readonly details: VariantDetails;
  readonly certifications: readonly DeliveredCertification[];
}

/** A delivery at the time of reading. */
export interface Delivery extends AttemptedDelivery {
  readonly brand_id: number;
  /** Null if there is no such published variant. */
  readonly product: DeliveredProduct | null;
}

/**
 * Google names no limit, but "may only display the first few values" of a repeated attribute (6124116), and a request that is too large for
 * it would be a refusal, which takes the product off.
 */
const MAX_CERTIFICATIONS = 50;

/**
 * The validated certificates of a variant that are sent to Google. Leaves out those that expired before `today`, even if their status is
 * not updated yet. Of very many, at least one of each certification.
 */
export function certificationsOf(brandId: number, variantId: Value<number>, today: string): Value<DeliveredCertification[]> {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'name', f.name, 'authority', f.authority, 'code', f.code, 'link', f.link, 'valid_until', f.expires_on
    ) order by f.certification collate "C", f.code), '[]')
    from (
      select n.name as certification, coalesce(n.google_name, n.name) as name, coalesce(n.google_authority, y.name) as authority,
        c.external_certificate_id as code, c.link, c.expires_on
      from variant_certificates l
      join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id
      join certifying_bodies y on y.id = n.certifying_body_id
      where l.brand_id = ${brandId} and l.variant_id = ${variantId} and c.status = 'validated' and (c.expires_on is null or c.expires_on >= ${today}::date)
      order by row_number() over (partition by n.id order by c.external_certificate_id), n.name collate "C"
      limit ${sql.lit(MAX_CERTIFICATIONS)}
    ) f
  )`;
}

/** The claimed deliveries with their current data. */
export async function listClaimedDeliveries(
  db: Db,
  { brandId, claimId, today }: { brandId: number; claimId: string; today: string },
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select d.brand_id, d.variant_id, d.wanted, d.revision, d.sent_revision, d.state, d.connection_id, d.resource, d.attempts,
      case when v.id is not null then json_build_object(
        'gtin', v.gtin, 'title', v.name, 'category', v.category, 'details', v.details,
        'certifications', ${certificationsOf(brandId, sql`d.variant_id`, today)}
      ) end as product
    from deliveries d
    left join variants v on v.brand_id = d.brand_id and v.id = d.variant_id and v.published
    where d.brand_id = ${brandId} and d.claimed_by = ${claimId}
  `.execute(db);
  return rows;
}

export interface DeliveryFilter {
  readonly variantId?: number | undefined;
  readonly state?: ChannelState | undefined;
}

export interface ListedDelivery {
  readonly brand_id: number;
  readonly variant_id: number;
  /** Null if the variant was deleted. */
  readonly gtin: string | null;
  readonly state: ChannelState;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly reason: string;
}

export async function listDeliveryRows(
  db: Db,
  brandId: number,
  { variantId, state }: DeliveryFilter,
  limit: number,
): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    select d.brand_id, d.variant_id, v.gtin, d.state, d.attempts, d.next_attempt_at, d.reason
    from deliveries d left join variants v on v.brand_id = d.brand_id and v.id = d.variant_id
    where d.brand_id = ${brandId} and ${variantId === undefined ? sql`true` : sql`d.variant_id = ${variantId}`}
      and ${state === undefined ? sql`true` : sql`d.state = ${state}`}
    order by d.variant_id limit ${limit}
  `.execute(db);
  return rows;
}

export interface FailedDelivery extends ListedDelivery {
  /** When it was last tried. */
  readonly since: Date;
}

/**
 * Deliveries that the channel refused, or that wait for a retry after a failure. Each half has its index. Oldest first. A product that
 * waits for its first verdict is checked again and again: that is no failure, and it has no reason.
 */
export async function listFailedRows(
  db: Db,
  brandIds: readonly number[],
  limit: number,
): Promise<{ results: FailedDelivery[]; count: number }> {
  const { rows } = await sql<FailedDelivery & { count: number }>`
    with failed as materialized (
      select brand_id, variant_id, state, attempts, next_attempt_at, reason, updated_at from deliveries
      where brand_id = any (${brandIds}::bigint[]) and wanted = 'present' and state = 'refused'
      union all
      select brand_id, variant_id, state, attempts, next_attempt_at, reason, updated_at from deliveries
      where brand_id = any (${brandIds}::bigint[]) and next_attempt_at is not null and attempts > 0 and not (wanted = 'present' and state = 'refused')
        and not (state = 'sent' and reason = '')
    )
    select d.brand_id, d.variant_id, v.gtin, d.state, d.attempts, d.next_attempt_at, d.reason, d.updated_at as since,
      (select count(*) from failed) as count
    from failed d left join variants v on v.brand_id = d.brand_id and v.id = d.variant_id
    order by d.updated_at, d.brand_id, d.variant_id limit ${limit}
  `.execute(db);
  return { results: rows.map(({ count: _count, ...delivery }) => delivery), count: rows[0]?.count ?? 0 };
}
