import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, inTransaction } from '../db/database.ts';
import { lockQuota, type Quota, spendQuota } from './channel-quota.queries.ts';

/** The pause while the quota is used up. */
const REFILL_WAIT_MS = 100;

/** Hands out calls in the order in which they are asked for. Only the first in line asks the database. */
export function createQuotaLine(db: Db, quota: Quota, stopping: AbortSignal) {
  let line: Promise<unknown> = Promise.resolve();
  let spent = 0;

  const takeNow = (wanted: number) =>
    inTransaction(db, async (db) => {
      const { calls, isPaused } = await lockQuota(db, quota);
      const taken = isPaused ? 0 : Math.min(wanted, calls);
      if (taken > 0) await spendQuota(db, taken);
      return { taken, isPaused };
    });

  return {
    /** Waits for at least one call. Returns 0 if none may be made now: all calls are paused, or the server stops. */
    take(wanted: number): Promise<number> {
      const taking = line.then(async () => {
        while (!stopping.aborted) {
          const { taken, isPaused } = await takeNow(wanted);
          spent += taken;
          if (taken > 0 || isPaused) return taken;
          await sleep(REFILL_WAIT_MS, undefined, { signal: stopping }).catch(() => undefined);
        }
        return 0;
      });
      line = taking.catch(() => undefined);
      return taking;
    },
    async giveBack(calls: number): Promise<void> {
      spent -= calls;
      await spendQuota(db, -calls);
    },
    /** The number of calls that were taken and not given back. */
    spent: () => spent,
  };
}
