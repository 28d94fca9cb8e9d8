import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GO_LIVE_DATE } from '@brand-portal/contract/constants';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction } from '../db/database.ts';
import { isBrandBusy } from '../writes/brand-lock.ts';
import { claimDeliveries } from '../writes/deliveries.ts';
import type { RetryDelays } from '../writes/delivery-states.ts';
import { listBrandsWithWork, postponeFailedWork, postponeWork } from '../writes/due-work.ts';
import { attemptDeliveries, pauseIfAsked } from './attempt-deliveries.ts';
import { type BrandRoute, findRoute, storeRefusal } from './brand-route.ts';
import { createBulkVerdicts } from './bulk-verdicts.ts';
import type { Channel } from './channel.ts';
import { isQuotaPaused } from './channel-quota.queries.ts';
import { createQuotaLine } from './channel-quota.ts';

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

/** A publish waits for half of it on average. Each look costs a server two short queries. */
const LOOK_EVERY_MS = 500;
/** The database is probably down, and each failure is logged. */
const LOOK_AFTER_FAILURE_MS = 5_000;
const REAUTHORIZE_MS = 15_000;

export interface Deliveries {
  /** Starts a lane for each brand that is due and has none in this process. Does not wait for them. */
  start(): Promise<void>;
  /** Does that twice a second, until the server stops. */
  watch(): Promise<void>;
  /** Resolves when nothing is running, with the number of calls made so far. */
  idle(): Promise<number>;
}

/**
 * The deliveries of this process. A brand is delivered because its row in `due_work` is due, and for no other reason: a lane leaves nothing
 * behind that a killed server could lose. Safe to run on any number of servers: claims are leases in the database.
 */
export function createDeliveries(deps: DeliveryDependencies): Deliveries {
  const { db, logger, channel, settings = DELIVERY_SETTINGS, now = () => new Date() } = deps;
  const stopping = deps.stopping ?? new AbortController().signal;
  const quota = createQuotaLine(db, channel.quota, stopping);
  const lanes = new Map<number, Promise<void>>();

  const bulk = createBulkVerdicts({
    db,
    channel,
    settings,
    stopping,
    takeCall: async () => (await quota.take(1)) > 0,
    onFailure: async (error, route) => {
      logger.warn({ err: error }, 'The verdicts of an account could not be read in bulk');
      await pauseIfAsked(db, route, [error], settings).catch(() => undefined);
    },
  });

  async function start(): Promise<void> {
    if (now() < new Date(GO_LIVE_DATE) || (await isQuotaPaused(db))) return;
    for (const brandId of await listBrandsWithWork(db, 'deliver')) {
      if (!stopping.aborted && !lanes.has(brandId)) lanes.set(brandId, runLane(brandId));
    }
  }

  /** Lanes share the quota and wait for nothing else of each other, so a brand that is busy, slow or refused delays no other. */
  async function runLane(brandId: number): Promise<void> {
    try {
      while (await deliverBatch(brandId));
    } catch (error) {
      logger.warn({ err: error, brand_id: brandId }, 'The deliveries of a brand failed and are tried again later');
      const postpone = isBrandBusy(error) ? postponeWork : postponeFailedWork;
      // Without a database, the brand stays due.
      await postpone(db, brandId, 'deliver').catch(() => undefined);
    }
    lanes.delete(brandId);
    bulk.leave(brandId);
  }

  /** Makes one call for each of the brand's due deliveries that its share of the quota allows. False: nothing more can be done now. */
  async function deliverBatch(brandId: number): Promise<boolean> {
    const route = await openRoute(brandId);
    if (!route) return false;
    await bulk.join(route);
    const claimId = randomUUID();
    const claimed = await claim(route, claimId);
    if (claimed === 0) {
      // Its checks are due, but wait for the list. If anything is published before the list has been read, the brand is due again.
      if (bulk.isReading(route)) await postponeWork(db, brandId, 'deliver');
      return false;
    }
    const pauseMs = await attemptDeliveries({ db, logger, settings, now }, route, claimId);
    if (pauseMs > 0) await postponeWork(db, brandId, 'deliver', pauseMs);
    return pauseMs === 0 && !stopping.aborted;
  }

  /** Undefined without an access token: the brand is postponed, and no failed attempts are counted. */
  async function openRoute(brandId: number): Promise<BrandRoute | undefined> {
    const route = await findRoute(db, channel, brandId);
    const { current } = route;
    if (!current) return route;
    try {
      await route.open(current.id);
      return route;
    } catch (error) {
      logger.warn({ err: error, brand_id: brandId }, 'No access token: deliveries wait');
      const failed = { delivery: { connection_id: current.id }, outcome: { kind: 'failed' }, error };
      await storeRefusal(db, current, [failed]);
      await postponeWork(db, brandId, 'deliver', REAUTHORIZE_MS);
      return undefined;
    }
  }

  /** Returns how many were claimed: at most the share of a running lane. */
  async function claim(route: BrandRoute, claimId: string): Promise<number> {
    const share = await quota.take(Math.ceil(settings.batch / lanes.size));
    if (share === 0) return 0;
    const { brandId, current } = route;
    const place = current && { connectionId: current.id, resourcePrefix: channel.resourcePrefix(current) };
    const withChecks = !bulk.isReading(route);
    const wanted = { brandId, claimId, limit: share, leaseMs: settings.leaseMs, place, withChecks };
    const claimed = await inTransaction(db, (db) => claimDeliveries(db, wanted));
    if (claimed < share) await quota.giveBack(share - claimed);
    return claimed;
  }

  return {
    start,
    async watch() {
      while (!stopping.aborted) {
        let pauseMs = LOOK_EVERY_MS;
        try {
          await start();
        } catch (error) {
          logger.warn({ err: error }, 'The due deliveries could not be read');
          pauseMs = LOOK_AFTER_FAILURE_MS;
        }
        await sleep(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
      }
    },
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes.values());
      await bulk.idle();
      return quota.spent();
    },
  };
}
