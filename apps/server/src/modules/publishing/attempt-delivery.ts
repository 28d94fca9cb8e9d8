import { isRejected, type Outcome } from '../writes/delivery-states.ts';
import { type Channel, ChannelRefused, type ChannelSession, ChannelUnavailable } from './channel.ts';
import type { Connection } from './connections.queries.ts';
import type { Delivery } from './deliveries.queries.ts';

/** The connections of a brand to the channel. */
export interface BrandRoute {
  readonly brandId: number;
  readonly channel: Channel;
  /** The connection that products are sent through now. Undefined: none. */
  readonly current: Connection | undefined;
  /** Opens the connection that the resource was sent through. */
  open(connectionId: number): Promise<{ connection: Connection; session: ChannelSession }>;
}

/** Makes the next call to the channel for a delivery and returns its outcome. Never throws. */
export async function attemptDelivery(
  delivery: Delivery,
  route: BrandRoute,
): Promise<{ outcome: Outcome; error?: unknown }> {
  try {
    return { outcome: await call(delivery, route) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ChannelRefused) return { outcome: { kind: 'rejected', reason }, error };
    return {
      outcome: { kind: 'failed', reason, unanswered: error instanceof ChannelUnavailable && !error.answered },
      error,
    };
  }
}

async function call(delivery: Delivery, { channel, current, open }: BrandRoute): Promise<Outcome> {
  const { brand_id, variant_id, wanted, revision, sent_revision, resource, product } = delivery;
  const isInPlace = current && resource === `${channel.resourcePrefix(current)}${brand_id}-${variant_id}`;
  const isUnwanted = wanted === 'absent' || !product || isRejected(delivery);
  if (isUnwanted || !isInPlace) {
    // The current connection has the newest credentials of its account.
    const { connection, session } = await open(isInPlace ? current.id : delivery.connection_id);
    // There are no credentials for an account that was configured earlier: the product stays there.
    if (channel.owns(connection, resource)) await session.withdraw(resource);
    return { kind: isUnwanted ? 'withdrawn' : 'replaced' };
  }
  const { session } = await open(current.id);
  const checkAfterMs = channel.firstCheckMs;
  // What was sent through a former connection has its countries and its name.
  if (sent_revision !== revision || delivery.connection_id !== current.id) {
    await session.send(resource, product);
    return { kind: 'sent', connectionId: current.id, checkAfterMs };
  }
  const verdict = await session.check(resource);
  if (verdict.kind === 'missing') return { kind: 'missing', checkAfterMs };
  return { ...verdict, shownIn: current.countries, checkAfterMs };
}
