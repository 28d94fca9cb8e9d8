import { randomUUID } from 'node:crypto';
import { GO_LIVE_DATE } from '@brand-portal/contract/constants';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction } from '../../db/database.ts';
import { queueJob } from '../../jobs/queue.ts';
import { isBrandBusy } from '../writes/brand-lock.ts';
import { claimDeliveries, writeDeliveryResults } from '../writes/deliveries.ts';
import { afterAttempt, type RetryDelays } from '../writes/delivery-states.ts';
import { BUSY_MS, findDueMs, listBrandsWithWork, postponeFailedWork, postponeWork } from '../writes/due-work.ts';
import { dayIn } from '../writes/expiry-days.ts';
import { attemptDelivery, type BrandRoute } from './attempt-delivery.ts';
import { createBulkVerdicts } from './bulk-verdicts.ts';
import { type Channel, type ChannelSession, ChannelUnavailable } from './channel.ts';
import { pauseQuota } from './channel-quota.queries.ts';
import { createQuotaLine } from './channel-quota.ts';
import { type Connection, listConnections, updateRefusal } from './connections.queries.ts';
import { usableConnection } from './connections.ts';
import { type Delivery, listClaimedDeliveries } from './deliveries.queries.ts';

export interface DeliverySettings extends RetryDelays {
  /** Concurrent calls of all brands, and at least one of each. */
  readonly batch: number;
  /** Far longer than a call can take: once a lease has expired, its call is no longer running. */
  readonly leaseMs: number;
  /** How often it is considered to read the list of an account. */
  readonly bulkMs: number;
}

export const DELIVERY_SETTINGS: DeliverySettings = {
  batch: 50,
  leaseMs: 60_000,
  bulkMs: 45_000,
  backoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  recheckMs: 24 * 3_600_000,
};

export interface DeliveryDependencies {
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  readonly channel: Channel;
  readonly settings?: DeliverySettings | undefined;
  readonly now?: (() => Date) | undefined;
  /** No new calls after this; running calls may finish. */
  readonly stopping?: AbortSignal | undefined;
}

/** Deliveries that become due shortly after each other share a job. */
const MIN_WAKE_UP_MS = 500;
const REAUTHORIZE_MS = 15_000;

export interface Deliveries {
  /** Starts the due deliveries of a brand, or of all brands, and does not wait for them. */
  start(brandId?: number): Promise<void>;
  /** Resolves when none is running, with the number of calls made so far. */
  idle(): Promise<number>;
}

/**
 * The deliveries of this process: a lane for each brand that has due ones, which ends when nothing more can be done now. Lanes share the
 * quota and wait for nothing else of each other, so a brand that is busy, slow or refused delays no other. Safe to run on any number of
 * servers: claims are leases in the database.
 */
export function createDeliveries(deps: DeliveryDependencies): Deliveries {
  const { db, logger, channel, settings = DELIVERY_SETTINGS, now = () => new Date() } = deps;
  const stopping = deps.stopping ?? new AbortController().signal;
  const quota = createQuotaLine(db, channel.quota, stopping);
  /** By brand: whether more may have become due since the lane last looked. */
  const lanes = new Map<number, { isOutdated: boolean }>();
  const running = new Set<Promise<void>>();
  let calls = 0;

  const track = (work: Promise<void>) => {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  };

  const bulk = createBulkVerdicts({
    ...{ db, channel, settings, stopping },
    takeCall: async () => {
      const { calls: taken } = await quota.take(1);
      calls += taken;
      return taken > 0;
    },
    onFailure: async (error, route) => {
      logger.warn({ err: error }, 'The verdicts of an account could not be read in bulk');
      await pauseIfAsked([error], route).catch(() => undefined);
    },
    resume: startLane,
  });

  function startLane(brandId: number): void {
    const lane = lanes.get(brandId);
    if (lane) lane.isOutdated = true;
    else if (!stopping.aborted) track(runLane(brandId));
  }

  async function runLane(brandId: number): Promise<void> {
    const lane = { isOutdated: true };
    lanes.set(brandId, lane);
    try {
      while (lane.isOutdated && !stopping.aborted) {
        lane.isOutdated = false;
        await deliverBrand(brandId);
      }
    } catch (error) {
      logger.warn({ err: error, brand_id: brandId }, 'The deliveries of a brand failed and are tried again later');
      const postpone = isBrandBusy(error) ? postponeWork : postponeFailedWork;
      // Without a database, the scheduled job finds the work when it is back.
      await postpone(db, brandId, 'deliver')
        .then((ms) => wakeLater(brandId, ms))
        .catch(() => undefined);
    }
    lanes.delete(brandId);
    bulk.leave(brandId);
  }

  /** Makes one call for every due delivery, and repeats until none is due. */
  async function deliverBrand(brandId: number): Promise<void> {
    let lookAt = Number.NEGATIVE_INFINITY;
    while (!stopping.aborted) {
      const route = await openRoute(brandId);
      if (!route) return;
      if (performance.now() >= lookAt) {
        const { reading } = await bulk.join(route);
        if (reading) track(reading);
        lookAt = performance.now() + settings.bulkMs;
      }
      const { calls: share, pauseMs } = await quota.take(Math.ceil(settings.batch / lanes.size));
      if (pauseMs > 0) return wakeLater(brandId, pauseMs);
      if (share === 0) return;
      const claimId = randomUUID();
      const claimed = await claim(route, claimId, share);
      if (claimed < share) await quota.giveBack(share - claimed);
      if (claimed === 0) {
        const dueMs = await findDueMs(db, brandId, 'deliver');
        // A brand whose work is due has a writer, or waits for its account's list.
        if (dueMs !== undefined) await wakeLater(brandId, dueMs > 0 ? dueMs : BUSY_MS);
        return;
      }
      calls += claimed;
      const ownPauseMs = await deliverBatch(route, claimId);
      if (ownPauseMs > 0) return wakeLater(brandId, await postponeWork(db, brandId, 'deliver', ownPauseMs));
    }
  }

  /** Undefined without an access token: the brand is postponed, and no failed attempts are counted. */
  async function openRoute(brandId: number): Promise<BrandRoute | undefined> {
    const connections = await listConnections(db, brandId);
    const current = usableConnection(connections);
    const sessions = new Map<number, Promise<ChannelSession>>();
    const open = async (id: number) => {
      const connection = connections.find((known) => known.id === id);
      if (!connection) throw new Error(`Brand ${brandId} has no connection ${id}.`);
      const session = sessions.get(id) ?? channel.open(connection);
      sessions.set(id, session);
      return { connection, session: await session };
    };
    const route = { brandId, channel, current, open };
    if (!current) return route;
    try {
      await open(current.id);
      return route;
    } catch (error) {
      logger.warn({ err: error, brand_id: brandId }, 'No access token: deliveries wait');
      const failed = { delivery: { connection_id: current.id }, outcome: { kind: 'failed' }, error };
      await storeRefusal(db, current, [failed]);
      await wakeLater(brandId, await postponeWork(db, brandId, 'deliver', REAUTHORIZE_MS));
      return undefined;
    }
  }

  function claim(route: BrandRoute, claimId: string, limit: number): Promise<number> {
    const { brandId, current } = route;
    const place = current && { connectionId: current.id, resourcePrefix: channel.resourcePrefix(current) };
    const { leaseMs } = settings;
    const withChecks = !bulk.isReading(route);
    return inTransaction(db, (db) => claimDeliveries(db, { brandId, claimId, limit, leaseMs, place, withChecks }));
  }

  /** Returns how long the brand's own account asks to wait. */
  async function deliverBatch(route: BrandRoute, claimId: string): Promise<number> {
    const { brandId, current } = route;
    // Read after the claim and right before the calls. Earlier changes are included; later changes make the delivery due again.
    const today = dayIn(current?.countries ?? [], now());
    const deliveries = await listClaimedDeliveries(db, { brandId, claimId, today });
    const attempts = await Promise.all(
      deliveries.map(async (delivery) => ({ delivery, ...(await attemptDelivery(delivery, route)) })),
    );
    const errors = attempts.flatMap(({ error }) => error ?? []);
    const ownPauseMs = await pauseIfAsked(errors, route);
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
  async function pauseIfAsked(errors: readonly unknown[], { current }: BrandRoute): Promise<number> {
    const pauses = errors.map((error) => (error instanceof ChannelUnavailable ? (error.pauseMs ?? 0) : 0));
    const longest = Math.min(Math.max(0, ...pauses), settings.maxBackoffMs);
    if (current?.kind === 'own') return longest;
    if (longest > 0) await pauseQuota(db, longest);
    return 0;
  }

  /** Replaces the brand's previous wake-up. With a key that no writer uses: queueing a job waits for a transaction that queues the same. */
  function wakeLater(brandId: number, ms: number): Promise<void> {
    const afterMs = Math.max(ms, MIN_WAKE_UP_MS);
    return queueJob(db, 'deliver', { brand_id: brandId }, { key: `deliver:${brandId}:later`, maxAttempts: 3, afterMs });
  }

  return {
    async start(brandId) {
      if (now() < new Date(GO_LIVE_DATE)) return;
      const brandIds = brandId === undefined ? await listBrandsWithWork(db, 'deliver') : [brandId];
      for (const id of brandIds) startLane(id);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
      return calls;
    },
  };
}

/** Delivers what is due now, and waits for it. */
export async function deliverDue(deps: DeliveryDependencies): Promise<number> {
  const deliveries = createDeliveries(deps);
  await deliveries.start();
  return deliveries.idle();
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
