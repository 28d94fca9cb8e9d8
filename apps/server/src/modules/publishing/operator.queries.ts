import type { ChannelState } from '@brand-portal/contract/variants';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export interface DeliveryFilter {
  readonly brandId?: number | undefined;
  readonly variantId?: number | undefined;
  readonly state?: ChannelState | undefined;
}

export interface ListedDelivery {
  readonly brand_id: number;
  readonly variant_id: number;
  /** Null where the variant is gone. */
  readonly gtin: string | null;
  readonly state: ChannelState;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly reason: string;
}

function matches({ brandId, variantId, state }: DeliveryFilter): RawBuilder<boolean> {
  return sql<boolean>`(
    ${brandId === undefined} or d.brand_id = ${brandId ?? 0}) and (
    ${variantId === undefined} or d.variant_id = ${variantId ?? 0}) and (
    ${state === undefined} or d.state = ${state ?? ''})`;
}

export async function listDeliveryRows(db: Db, filter: DeliveryFilter, limit: number): Promise<ListedDelivery[]> {
  const { rows } = await sql<ListedDelivery>`
    select d.brand_id, d.variant_id, v.gtin, d.state, d.attempts, d.next_attempt_at, d.reason
    from channel_deliveries d left join variants v on v.brand_id = d.brand_id and v.id = d.variant_id
    where ${matches(filter)} order by d.brand_id, d.variant_id limit ${limit}
  `.execute(db);
  return rows;
}

/** As if they had just changed: sent or withdrawn anew, whatever the channel said before. Tells how many those are. */
export async function requeueDeliveryRows(db: Db, filter: DeliveryFilter): Promise<number> {
  const { numAffectedRows } = await sql`
    update channel_deliveries d
    set revision = d.revision + 1, state = case d.wanted when 'absent' then 'removing' else 'queued' end, reason = '',
      attempts = 0, next_attempt_at = now(), updated_at = now()
    from (
      select d.brand_id, d.variant_id, d.channel from channel_deliveries d
      where ${matches(filter)} order by d.brand_id, d.variant_id for update
    ) chosen
    where d.brand_id = chosen.brand_id and d.variant_id = chosen.variant_id and d.channel = chosen.channel
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
