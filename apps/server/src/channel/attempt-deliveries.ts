import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/database.ts';
import { writeDeliveryResults } from '../writes/deliveries.ts';
import { afterAttempt, isRejected, type Outcome, type RetryDelays } from '../writes/delivery-states.ts';
import { dayIn } from '../writes/expiry-days.ts';
import { type BrandRoute, storeRefusal } from './brand-route.ts';
import { ChannelRefused, ChannelUnavailable } from './channel.ts';
import { pauseQuota } from './channel-quota.queries.ts';
import { type Delivery, listClaimedDeliveries } from './deliveries.queries.ts';

interface Dependencies {
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  readonly settings: RetryDelays & { readonly leaseMs: number };
  readonly now: () => Date;
}

/** Makes the next call to the channel for each claimed delivery and writes the results. Returns how long the brand's own account asks to wait. */
export async function attemptDeliveries({ db, logger, settings, now }: Dependencies, route: BrandRoute, claimId: string): Promise<number> {
  const { brandId, current } = route;
  // Read after the claim and right before the calls. Earlier changes are included; later changes make the delivery due again.
  const today = dayIn(current?.countries ?? [], now());
  const deliveries = await listClaimedDeliveries(db, { brandId, claimId, today });
  const attempts = await Promise.all(deliveries.map(async (delivery) => ({ delivery, ...(await attemptDelivery(delivery, route)) })));
  const errors = attempts.flatMap(({ error }) => error ?? []);
  const ownPauseMs = await pauseIfAsked(db, route, errors, settings);
  const [first] = errors;
  const failed = { brand_id: brandId, failed: errors.length, of: attempts.length };
  if (first) logger.warn({ err: first, ...failed }, 'Deliveries to the channel failed');
  if (current) await storeRefusal(db, current, attempts);
  const results = attempts.map(({ delivery, outcome }) => afterAttempt(delivery, outcome, settings));
  // After the lease, another worker may claim them. Results that are not written by then are fetched again.
  await writeDeliveryResults(db, { brandId, claimId }, results, { waitMs: settings.leaseMs });
  return ownPauseMs;
}

/** The installation's account serves all brands, so all pause. A brand's own account pauses that brand: returns for how long. */
export async function pauseIfAsked(
  db: Db,
  { current }: BrandRoute,
  errors: readonly unknown[],
  { maxBackoffMs }: RetryDelays,
): Promise<number> {
  const pauses = errors.map((error) => (error instanceof ChannelUnavailable ? (error.pauseMs ?? 0) : 0));
  const longest = Math.min(Math.max(0, ...pauses), maxBackoffMs);
  if (current?.kind === 'own') return longest;
  if (longest > 0) await pauseQuota(db, longest);
  return 0;
}

/** Never throws. */
async function attemptDelivery(delivery: Delivery, route: BrandRoute): Promise<{ outcome: Outcome; error?: unknown }> {
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
