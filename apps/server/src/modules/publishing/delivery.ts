import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GO_LIVE_DATE } from '@brand-portal/contract/constants';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction } from '../../db/database.ts';
import { queueJob } from '../../jobs/queue.ts';
import { claimDeliveries, writeDeliveryResults } from '../writes/deliveries.ts';
import { afterAttempt, type RetryDelays } from '../writes/delivery-states.ts';
import { findNextDueMs, listBrandsWithWork, postponeWork } from '../writes/due-work.ts';
import { dayIn } from '../writes/expiry-days.ts';
import { attemptDelivery, type BrandRoute } from './attempt-delivery.ts';
import { readVerdictsInBulk } from './bulk-verdicts.ts';
import { type Channel, type ChannelSession, ChannelUnavailable } from './channel.ts';
import { lockQuota, pauseQuota, spendQuota } from './channel-quota.queries.ts';
import { type Connection, listConnections, updateRefusal } from './connections.queries.ts';
import { usableConnection } from './connections.ts';
import { type Delivery, listClaimedDeliveries } from './deliveries.queries.ts';

export interface DeliverySettings extends RetryDelays {
  /** Concurrent calls. */
  readonly batch: number;
  /** Far longer than a call can take: once a lease has expired, its call is no longer running. */
  readonly leaseMs: number;
  /** A job stops after this long and queues the next one, so that no job runs for hours. */
  readonly runMs: number;
}

export const DELIVERY_SETTINGS: DeliverySettings = {
  batch: 50,
  leaseMs: 60_000,
  runMs: 45_000,
  backoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  recheckMs: 24 * 3_600_000,
};

export interface DeliveryDependencies {
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  /** Undefined: no channel is configured, and deliveries wait. */
  readonly channel?: Channel | undefined;
  readonly settings?: DeliverySettings | undefined;
  readonly now?: (() => Date) | undefined;
  /** No new calls after this; running calls may finish. */
  readonly stopping?: AbortSignal | undefined;
}

const JOB = { queue: 'channel', maxAttempts: 3 } as const;
/** The pause while the quota is used up. */
const QUOTA_REFILL_WAIT_MS = 100;
/** Deliveries that become due shortly after each other share a job. */
const MIN_WAKE_UP_MS = 500;
const REAUTHORIZE_MS = 15_000;

/** Makes one call for every due delivery, and repeats until none is due. Safe to run several times in parallel, on any server. */
export async function deliverDue(deps: DeliveryDependencies): Promise<number> {
  const { db, channel, settings = DELIVERY_SETTINGS, now = () => new Date(), stopping } = deps;
  if (!channel || now() < new Date(GO_LIVE_DATE)) return 0;
  const until = performance.now() + settings.runMs;
  let calls = await readVerdictsInBulk({
    db,
    channel,
    settings,
    stopping,
    routes: await openRoutes(deps, channel, 1_000),
  });
  while (!stopping?.aborted) {
    if (performance.now() >= until) {
      await queueJob(db, 'deliver', {}, { ...JOB, key: 'deliver:any' });
      return calls;
    }
    const routes = await openRoutes(deps, channel, settings.batch);
    const { made, mayCall, pauseMs } = await deliverBatch(deps, settings, channel, routes);
    calls += made;
    if (made > 0) continue;
    if (mayCall || pauseMs > 0) {
      const nextMs = pauseMs || (await findNextDueMs(db, 'deliver'));
      if (nextMs !== undefined) await wakeLater(db, Math.max(nextMs, MIN_WAKE_UP_MS));
      return calls;
    }
    await sleep(QUOTA_REFILL_WAIT_MS);
  }
  return calls;
}

/**
 * Opens a channel session for each brand with due deliveries. A brand without an access token is postponed, without counting failed
 * attempts.
 */
async function openRoutes(
  { db, logger }: DeliveryDependencies,
  channel: Channel,
  limit: number,
): Promise<BrandRoute[]> {
  const brandIds = await listBrandsWithWork(db, 'deliver', { limit });
  const sessions = new Map<number, Promise<ChannelSession>>();
  const openSession = (connection: Connection) => {
    const session = sessions.get(connection.id) ?? channel.open(connection);
    sessions.set(connection.id, session);
    return session;
  };
  const routes = await Promise.all(
    brandIds.map(async (brandId): Promise<BrandRoute[]> => {
      const connections = await listConnections(db, brandId);
      const current = usableConnection(connections);
      const open = async (id: number) => {
        const connection = connections.find((known) => known.id === id);
        if (!connection) throw new Error(`Brand ${brandId} has no connection ${id}.`);
        return { connection, session: await openSession(connection) };
      };
      const route = { brandId, channel, current, open };
      if (!current) return [route];
      try {
        await open(current.id);
        return [route];
      } catch (error) {
        logger.warn({ err: error, brand_id: brandId }, 'No access token: deliveries wait');
        const failed = { delivery: { connection_id: current.id }, outcome: { kind: 'failed' }, error };
        await storeRefusal(db, current, [failed]);
        await postponeWork(db, brandId, 'deliver', REAUTHORIZE_MS);
        return [];
      }
    }),
  );
  return routes.flat();
}

/** Replaces the previous wake-up job. */
function wakeLater(db: Db, afterMs: number): Promise<void> {
  return queueJob(db, 'deliver', {}, { ...JOB, key: 'deliver-later', afterMs });
}

async function deliverBatch(
  { db, logger, now = () => new Date() }: DeliveryDependencies,
  settings: DeliverySettings,
  channel: Channel,
  routes: readonly BrandRoute[],
): Promise<{ made: number; mayCall: boolean; pauseMs: number }> {
  const claimId = randomUUID();
  const { claimed, made, ...allowance } = await claimBatch(db, claimId, settings, channel, routes);
  const errors: unknown[] = [];
  const deliverBrand = async (route: BrandRoute) => {
    const { brandId, current } = route;
    // Read after the claim and right before the calls. Earlier changes are included; later changes make the delivery due again.
    const deliveries = await listClaimedDeliveries(db, {
      ...{ brandId, claimId },
      today: dayIn(current?.countries ?? [], now()),
    });
    const attempts = await Promise.all(
      deliveries.map(async (delivery) => ({ delivery, ...(await attemptDelivery(delivery, route)) })),
    );
    const results = attempts.map(({ delivery, outcome }) => afterAttempt(delivery, outcome, settings));
    // After the lease, another worker may claim them. Results that are not written by then are fetched again.
    await writeDeliveryResults(db, { brandId, claimId }, results, { waitMs: settings.leaseMs });
    if (current) await storeRefusal(db, current, attempts);
    errors.push(...attempts.flatMap(({ error }) => error ?? []));
  };
  await Promise.all(claimed.map(deliverBrand));
  const pauses = errors.map((error) => (error instanceof ChannelUnavailable ? (error.pauseMs ?? 0) : 0));
  const longestPause = Math.min(Math.max(0, ...pauses), settings.maxBackoffMs);
  if (longestPause > 0) await pauseQuota(db, longestPause);
  const [first] = errors;
  if (first) logger.warn({ err: first, failed: errors.length, of: made }, 'Deliveries to the channel failed');
  return { made, ...allowance };
}

interface Attempt {
  readonly delivery: Pick<Delivery, 'connection_id'>;
  readonly outcome: { readonly kind: string };
  readonly error?: unknown;
}

/** Stores whether Google accepts products through the connection. Members and the operator see its message until it does. */
async function storeRefusal(
  db: Db,
  { brand_id, id, refusal }: Connection,
  attempts: readonly Attempt[],
): Promise<void> {
  // Failures while withdrawing from a former connection say nothing about this one.
  const own = attempts.filter(({ delivery }) => delivery.connection_id === id);
  const refusals = own.flatMap(({ error }) =>
    error instanceof ChannelUnavailable && error.isConnectionError ? [error] : [],
  );
  const isAccepted = own.some(({ outcome }) => outcome.kind === 'sent' || outcome.kind === 'judged');
  const message = refusals[0]?.message ?? (isAccepted ? '' : refusal);
  if (message !== refusal) await updateRefusal(db, brand_id, id, message);
}

/** Claims as many as the quota allows, an equal share for each brand, so that no brand waits behind another's 100,000 deliveries. */
function claimBatch(
  db: Db,
  claimId: string,
  { batch, leaseMs }: DeliverySettings,
  { quota, resourcePrefix }: Channel,
  routes: readonly BrandRoute[],
) {
  return inTransaction(db, async (db) => {
    const { calls, pauseMs } = await lockQuota(db, quota);
    if (calls < 1 || pauseMs > 0) return { claimed: [], made: 0, mayCall: false, pauseMs };
    const limit = Math.min(batch, calls);
    const claimed: BrandRoute[] = [];
    let left = limit;
    for (const [index, route] of routes.entries()) {
      const { brandId, current } = route;
      const place = current && { connectionId: current.id, resourcePrefix: resourcePrefix(current) };
      const share = Math.ceil(left / (routes.length - index));
      const count = await claimDeliveries(db, { brandId, claimId, limit: share, leaseMs, place });
      if (count > 0) claimed.push(route);
      left -= count;
    }
    await spendQuota(db, limit - left);
    return { claimed, made: limit - left, mayCall: true, pauseMs };
  });
}
