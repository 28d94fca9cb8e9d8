import { type Channel, ChannelRefused, type ChannelSession, ChannelUnavailable } from './channel.ts';
import type { Delivery, DeliveryResult } from './deliveries.queries.ts';

export interface Pauses {
  /** After the first failure; twice as long after each further one. */
  readonly backoffMs: number;
  readonly longestMs: number;
  /** Verdicts change in time: the channel may find an issue days later, or take one back. */
  readonly recheckMs: number;
}

/** A resource that the channel still does not know after so many looks was lost there, and is sent again. */
const LOOKS_BEFORE_SENDING_AGAIN = 6;

/** Makes the one call that brings the delivery forward, and tells what is to be written about it. Never throws. */
export async function carryOut(
  delivery: Delivery,
  channel: Channel,
  session: ChannelSession,
  pauses: Pauses,
): Promise<{ result: DeliveryResult; error?: unknown }> {
  try {
    return { result: { ...unchanged(delivery), ...(await nextStep(delivery, channel, session, pauses)) } };
  } catch (error) {
    return { result: { ...unchanged(delivery), ...afterFailure(delivery, error, pauses) }, error };
  }
}

function unchanged({ brand_id, variant_id, revision, sent_revision, state, resource, attempts }: Delivery) {
  const rest = { reason: '', attempts, delay_ms: null, keep_lease: false, done: false };
  return { brand_id, variant_id, revision, sent_revision, state, resource, ...rest };
}

async function nextStep(
  delivery: Delivery,
  channel: Channel,
  session: ChannelSession,
  pauses: Pauses,
): Promise<Partial<DeliveryResult>> {
  const { brand_id, variant_id, wanted, revision, sent_revision, resource, product } = delivery;
  const gone = { resource: null, sent_revision: null, attempts: 0 };
  if (wanted === 'absent' || !product) {
    await withdraw(resource, channel, session);
    return { ...gone, done: true };
  }
  if (resource !== `${channel.resourcePrefix}${brand_id}-${variant_id}`) {
    // Sent before the configured account, country or language changed.
    await withdraw(resource, channel, session);
    return { ...gone, state: 'queued', delay_ms: 0 };
  }
  if (channel.needsCertificate && product.certifications.length === 0) {
    await withdraw(resource, channel, session);
    return { ...gone, state: 'queued', reason: 'It waits for a validated certificate.' };
  }
  if (sent_revision !== revision) {
    await session.send(resource, product);
    return { sent_revision: revision, state: 'sent', attempts: 0, delay_ms: spread(channel.firstCheckMs) };
  }
  return checkVerdict(delivery, channel, session, pauses);
}

async function withdraw(resource: string, channel: Channel, session: ChannelSession): Promise<void> {
  if (channel.owns(resource)) await session.withdraw(resource);
}

async function checkVerdict(
  { resource, state, attempts }: Delivery,
  channel: Channel,
  session: ChannelSession,
  { longestMs, recheckMs }: Pauses,
): Promise<Partial<DeliveryResult>> {
  const verdict = await session.check(resource);
  if (verdict.kind === 'live') return { state: 'live', attempts: 0, delay_ms: spread(recheckMs) };
  if (verdict.kind === 'refused') {
    return { state: 'refused', reason: verdict.reason, attempts: 0, delay_ms: spread(recheckMs) };
  }
  const isLost = verdict.kind === 'missing' && (state !== 'sent' || attempts >= LOOKS_BEFORE_SENDING_AGAIN);
  if (isLost) return { state: 'queued', sent_revision: null, attempts: 0, delay_ms: 0 };
  return { attempts: attempts + 1, delay_ms: growing(channel.firstCheckMs, attempts, longestMs) };
}

function afterFailure({ wanted, attempts }: Delivery, error: unknown, pauses: Pauses): Partial<DeliveryResult> {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof ChannelRefused && wanted === 'present') return { state: 'refused', reason, attempts: 0 };
  return {
    reason,
    attempts: attempts + 1,
    delay_ms: growing(pauses.backoffMs, attempts, pauses.longestMs),
    keep_lease: error instanceof ChannelUnavailable && !error.answered,
  };
}

function growing(firstMs: number, attempts: number, longestMs: number): number {
  return spread(Math.min(firstMs * 2 ** Math.min(attempts, 30), longestMs));
}

/** What was sent together is not asked for together. */
function spread(ms: number): number {
  return Math.round(ms * (0.75 + Math.random() / 2));
}
