import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GO_LIVE_DATE } from '@brand-portal/contract/constants';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction } from '../../db/database.ts';
import { queueJob } from '../../jobs/queue.ts';
import { claimDeliveries, writeDeliveryResults } from '../writes/deliveries.ts';
import { afterAttempt, type Pauses } from '../writes/delivery-states.ts';
import { findNextDueMs, listBrandsWithWork } from '../writes/due-work.ts';
import { carryOut } from './carry-out.ts';
import { type Channel, type ChannelSession, ChannelUnavailable } from './channel.ts';
import { lockQuota, pauseQuota, spendQuota } from './channel-quota.queries.ts';
import { listClaimedDeliveries } from './deliveries.queries.ts';

export interface DeliverySettings extends Pauses {
  /** Calls under way at once. */
  readonly batch: number;
  /** Far longer than a call may take: whoever comes next can be sure that nothing is under way any more. */
  readonly leaseMs: number;
  /** One job works for so long and then queues the next one, so that no job is ever old. */
  readonly runMs: number;
}

export const DELIVERY_SETTINGS: DeliverySettings = {
  batch: 50,
  leaseMs: 60_000,
  runMs: 45_000,
  backoffMs: 5_000,
  longestMs: 3_600_000,
  recheckMs: 24 * 3_600_000,
};

export interface DeliveryDependencies {
  readonly db: Db;
  readonly logger: FastifyBaseLogger;
  /** Absent: nothing is configured, and deliveries wait. */
  readonly channel?: Channel | undefined;
  readonly settings?: DeliverySettings | undefined;
  readonly now?: (() => Date) | undefined;
  /** Nothing new is begun after this; what is under way may end. */
  readonly stopping?: AbortSignal | undefined;
}

const JOB = { queue: 'channel', maxAttempts: 1 } as const;
const QUOTA_PATIENCE_MS = 100;
const WAKE_UP_MS = 500;
const AUTHORIZE_AGAIN_MS = 15_000;

/** Brings every delivery that is due one call forward, again and again until none is. Several may run at once, anywhere. */
export async function deliverDue(deps: DeliveryDependencies): Promise<number> {
  const { db, channel, settings = DELIVERY_SETTINGS, now = () => new Date(), stopping } = deps;
  if (!channel || now() < new Date(GO_LIVE_DATE)) return 0;
  const until = performance.now() + settings.runMs;
  let calls = 0;
  while (!stopping?.aborted) {
    if (performance.now() >= until) {
      await queueJob(db, 'deliver', {}, { ...JOB, key: 'deliver:any' });
      return calls;
    }
    const session = await authorize(deps, channel);
    if (!session) return calls;
    const { made, mayCall, pauseMs } = await deliverBatch(deps, settings, channel, session);
    calls += made;
    if (made > 0) continue;
    if (mayCall || pauseMs > 0) {
      const nextMs = pauseMs || (await findNextDueMs(db, 'deliver'));
      if (nextMs !== undefined) await wakeLater(db, Math.max(nextMs, WAKE_UP_MS));
      return calls;
    }
    await sleep(QUOTA_PATIENCE_MS);
  }
  return calls;
}

async function authorize({ db, logger }: DeliveryDependencies, channel: Channel): Promise<ChannelSession | undefined> {
  try {
    return await channel.authorize();
  } catch (error) {
    logger.warn({ err: error }, 'The channel gave no leave to call: deliveries wait');
    await wakeLater(db, AUTHORIZE_AGAIN_MS);
    return undefined;
  }
}

/** Instead of when it was to be woken up before. */
function wakeLater(db: Db, afterMs: number): Promise<void> {
  return queueJob(db, 'deliver', {}, { ...JOB, key: 'deliver-later', afterMs });
}

async function deliverBatch(
  { db, logger, stopping }: DeliveryDependencies,
  settings: DeliverySettings,
  channel: Channel,
  session: ChannelSession,
): Promise<{ made: number; mayCall: boolean; pauseMs: number }> {
  const claimId = randomUUID();
  const { brands, made, ...leave } = await claimBatch(db, claimId, settings, channel);
  const errors: unknown[] = [];
  const deliverBrand = async (brandId: number) => {
    // Read after the claim and right before the calls: what has changed until now is in it, what changes from now on makes it due again.
    const deliveries = await listClaimedDeliveries(db, brandId, claimId);
    const results = await Promise.all(
      deliveries.map(async (delivery) => {
        const { outcome, error } = await carryOut(delivery, channel, session);
        if (error) errors.push(error);
        return afterAttempt(delivery, outcome, settings);
      }),
    );
    // Once the lease is over, somebody else may have claimed them: what is not noted by then is asked again.
    await writeDeliveryResults(db, { brandId, claimId }, results, { forMs: settings.leaseMs, stopping });
  };
  await Promise.all(brands.map(deliverBrand));
  const pauses = errors.map((error) => (error instanceof ChannelUnavailable ? (error.pauseMs ?? 0) : 0));
  const longestPause = Math.min(Math.max(0, ...pauses), settings.longestMs);
  if (longestPause > 0) await pauseQuota(db, longestPause);
  const [first] = errors;
  if (first) logger.warn({ err: first, failed: errors.length, of: made }, 'Deliveries to the channel failed');
  return { made, ...leave };
}

/** As many as the channel takes now, the same share of each brand that has some: nobody waits behind the 100,000 of somebody else. */
function claimBatch(db: Db, claimId: string, { batch, leaseMs }: DeliverySettings, { quota, resourcePrefix }: Channel) {
  return inTransaction(db, async (db) => {
    const { calls, pauseMs } = await lockQuota(db, quota);
    if (calls < 1 || pauseMs > 0) return { brands: [], made: 0, mayCall: false, pauseMs };
    const limit = Math.min(batch, calls);
    const due = await listBrandsWithWork(db, 'deliver', limit);
    const brands: number[] = [];
    let left = limit;
    for (const [index, brandId] of due.entries()) {
      const share = Math.ceil(left / (due.length - index));
      const claimed = await claimDeliveries(db, { brandId, claimId, limit: share, leaseMs, resourcePrefix });
      if (claimed > 0) brands.push(brandId);
      left -= claimed;
    }
    await spendQuota(db, limit - left);
    return { brands, made: limit - left, mayCall: true, pauseMs };
  });
}
