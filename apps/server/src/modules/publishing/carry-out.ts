import type { Outcome } from '../writes/delivery-states.ts';
import { type Channel, ChannelRefused, type ChannelSession, ChannelUnavailable } from './channel.ts';
import type { Delivery } from './deliveries.queries.ts';

/** Makes the one call that brings the delivery forward, and tells what came of it. Never throws. */
export async function carryOut(
  delivery: Delivery,
  channel: Channel,
  session: ChannelSession,
): Promise<{ outcome: Outcome; error?: unknown }> {
  try {
    return { outcome: await call(delivery, channel, session) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ChannelRefused && delivery.wanted === 'present') {
      return { outcome: { kind: 'refused', reason, recheck: false }, error };
    }
    return {
      outcome: { kind: 'failed', reason, unanswered: error instanceof ChannelUnavailable && !error.answered },
      error,
    };
  }
}

async function call(delivery: Delivery, channel: Channel, session: ChannelSession): Promise<Outcome> {
  const { brand_id, variant_id, wanted, revision, sent_revision, resource, product } = delivery;
  const withdraw = async () => {
    if (channel.owns(resource)) await session.withdraw(resource);
  };
  if (wanted === 'absent' || !product) {
    await withdraw();
    return { kind: 'withdrawn' };
  }
  if (resource !== `${channel.resourcePrefix}${brand_id}-${variant_id}`) {
    // Sent before the configured account, country or language changed.
    await withdraw();
    return { kind: 'replaced' };
  }
  if (channel.needsCertificate && product.certifications.length === 0) {
    await withdraw();
    return { kind: 'uncertified' };
  }
  const checkAfterMs = channel.firstCheckMs;
  if (sent_revision !== revision) {
    await session.send(resource, product);
    return { kind: 'sent', checkAfterMs };
  }
  const verdict = await session.check(resource);
  if (verdict.kind === 'refused') return { ...verdict, recheck: true };
  return verdict.kind === 'live' ? { kind: 'live' } : { kind: verdict.kind, checkAfterMs };
}
