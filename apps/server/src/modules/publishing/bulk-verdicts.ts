import { type Db, inTransaction } from '../../db/database.ts';
import { countDueChecks, writeListedVerdicts } from '../writes/deliveries.ts';
import type { Judgement, RetryDelays } from '../writes/delivery-states.ts';
import type { BrandRoute } from './attempt-delivery.ts';
import type { Channel } from './channel.ts';
import { lockQuota, spendQuota } from './channel-quota.queries.ts';

/** Below this, products are checked one by one. */
const MIN_CHECKS = 250;
/** The account may hold many products that wait for no verdict. At most this share of the calls may be wasted on them. */
const WASTED_SHARE = 0.25;

interface Options {
  readonly db: Db;
  readonly channel: Channel;
  readonly settings: RetryDelays & { readonly leaseMs: number };
  readonly stopping?: AbortSignal | undefined;
  readonly routes: readonly BrandRoute[];
}

/** If many products of an account wait for their verdict, one call of the list returns 250 verdicts. */
export async function readVerdictsInBulk(options: Options): Promise<number> {
  const connected = options.routes.filter(({ current }) => current);
  const accounts = Map.groupBy(connected, ({ channel, current }) => (current ? channel.account(current) : ''));
  let calls = 0;
  for (const routes of accounts.values()) calls += await readAccount(options, routes);
  return calls;
}

async function readAccount(options: Options, routes: readonly BrandRoute[]): Promise<number> {
  const { db, channel, settings, stopping } = options;
  const due = await Promise.all(
    routes.map(async (route) => ({ route, checks: await countDueChecks(db, route.brandId) })),
  );
  const waiting = due.filter(({ checks }) => checks > 0);
  const checks = waiting.reduce((sum, { checks }) => sum + checks, 0);
  const first = waiting[0]?.route;
  if (!first?.current || checks < MIN_CHECKS) return 0;
  const { session } = await first.open(first.current.id);
  const startedAt = new Date();
  let calls = 0;
  let answered = 0;
  let pageToken: string | undefined;
  do {
    if (stopping?.aborted || calls > answered + checks * WASTED_SHARE) break;
    if (!(await spendCall(db, channel))) break;
    calls += 1;
    // An error is ignored here: it occurs again, and is recorded, when the verdicts are read one by one.
    const page = await session.list(pageToken).catch(() => undefined);
    if (!page) break;
    const byBrand = Map.groupBy(page.verdicts, ([resource]) => Number(/(\d+)-\d+$/.exec(resource)?.[1]));
    for (const { route } of waiting) {
      const verdicts = new Map<string, Judgement>(byBrand.get(route.brandId));
      if (verdicts.size === 0 || !route.current) continue;
      const { id: connectionId, countries: shownIn } = route.current;
      const written = { connectionId, shownIn, checkAfterMs: channel.firstCheckMs, pauses: settings, startedAt };
      answered += await writeListedVerdicts(db, route.brandId, verdicts, written, { waitMs: settings.leaseMs });
    }
    pageToken = page.nextPageToken;
  } while (pageToken);
  return calls;
}

function spendCall(db: Db, { quota }: Channel): Promise<boolean> {
  return inTransaction(db, async (db) => {
    const { calls, pauseMs } = await lockQuota(db, quota);
    if (calls < 1 || pauseMs > 0) return false;
    await spendQuota(db, 1);
    return true;
  });
}
