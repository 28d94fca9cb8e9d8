import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, inTransaction } from '../../db/database.ts';
import { lockQuota, type Quota, spendQuota } from './channel-quota.queries.ts';

/** The pause while the quota is used up. */
const REFILL_WAIT_MS = 100;

interface Allowance {
  /** How many calls may be made now. */
  readonly calls: number;
  /** How long all calls must pause. Then no call may be made. */
  readonly pauseMs: number;
}

/** Hands out calls in the order in which they are asked for. Only the first in line asks the database. */
export function createQuotaLine(db: Db, quota: Quota, stopping: AbortSignal) {
  let line: Promise<unknown> = Promise.resolve();

  const takeNow = (wanted: number) =>
    inTransaction(db, async (db): Promise<Allowance> => {
      const { calls, pauseMs } = await lockQuota(db, quota);
      const taken = pauseMs > 0 ? 0 : Math.min(wanted, calls);
      if (taken > 0) await spendQuota(db, taken);
      return { calls: taken, pauseMs };
    });

  return {
    /** Waits for at least one call, unless all calls must pause. */
    take(wanted: number): Promise<Allowance> {
      const taking = line.then(async () => {
        for (;;) {
          if (stopping.aborted) return { calls: 0, pauseMs: 0 };
          const allowance = await takeNow(wanted);
          if (allowance.calls > 0 || allowance.pauseMs > 0) return allowance;
          await sleep(REFILL_WAIT_MS, undefined, { signal: stopping }).catch(() => undefined);
        }
      });
      line = taking.catch(() => undefined);
      return taking;
    },
    giveBack: (calls: number) => spendQuota(db, -calls),
  };
}
