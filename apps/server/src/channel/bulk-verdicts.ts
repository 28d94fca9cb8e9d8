import type { Db } from '../db/database.ts';
import type { Wait } from '../db/turns.ts';
import { isBrandBusy, JOB_WAIT } from '../writes/brand-lock.ts';
import { countDueChecks, writeListedVerdicts } from '../writes/deliveries.ts';
import type { Judgement, RetryDelays } from '../writes/delivery-states.ts';
import type { BrandRoute } from './brand-route.ts';
import type { Channel } from './channel.ts';

/** Below this, products are checked one by one. */
const MIN_CHECKS = 250;
/** The account may hold many products that wait for no verdict. At most this share of the calls may be wasted on them. */
const WASTED_SHARE = 0.25;
/** The brand's own deliveries continue while the list is read, and lock it briefly. */
const OWN_WRITES_WAIT: Wait = { waitMs: 500, waiting: 20 };

interface Options {
  readonly db: Db;
  readonly channel: Channel;
  readonly settings: RetryDelays & { readonly bulkMs: number };
  readonly stopping: AbortSignal;
  /** Waits for a call. False: none may be made. */
  takeCall(): Promise<boolean>;
  /** A page could not be read, through this brand's connection. */
  onFailure(error: unknown, route: BrandRoute): Promise<void>;
}

interface WaitingBrand {
  readonly route: BrandRoute;
  /** The number of its due checks, and when they were counted. */
  readonly checks: number;
  readonly countedAt: number;
}

interface Account {
  /** Brands with a running lane. Until the list has been read, also those whose lane has ended since. */
  readonly brands: Map<number, WaitingBrand>;
  /** Brands that were too busy for the list that is being read. Their products are checked one by one. */
  readonly leftOut: Set<number>;
  reading: Promise<void> | undefined;
  readAt: number;
}

/** If many products of an account wait for their verdict, one call of the list returns 250 verdicts. One list per account is read at a time. */
export function createBulkVerdicts(options: Options) {
  const { db, channel, settings, stopping } = options;
  const accounts = new Map<string, Account>();
  const accountOf = ({ current }: BrandRoute): Account | undefined => {
    if (!current) return undefined;
    const name = channel.account(current);
    const unread = { reading: undefined, readAt: Number.NEGATIVE_INFINITY };
    const account = accounts.get(name) ?? { brands: new Map(), leftOut: new Set(), ...unread };
    accounts.set(name, account);
    return account;
  };
  const countChecks = ({ brands }: Account) => [...brands.values()].reduce((sum, { checks }) => sum + checks, 0);

  async function readList(account: Account, route: BrandRoute): Promise<void> {
    if (!route.current) return;
    const { session } = await route.open(route.current.id);
    const startedAt = new Date();
    let calls = 0;
    let answered = 0;
    let pageToken: string | undefined;
    do {
      if (stopping.aborted || calls > answered + countChecks(account) * WASTED_SHARE) return;
      if (!(await options.takeCall())) return;
      calls += 1;
      const page = await session.list(pageToken);
      const byBrand = Map.groupBy(page.verdicts, ([resource]) => Number(/(\d+)-\d+$/.exec(resource)?.[1]));
      const busy: BrandRoute[] = [];
      const write = async (route: BrandRoute, wait: Wait): Promise<void> => {
        const verdicts = new Map<string, Judgement>(byBrand.get(route.brandId));
        if (verdicts.size === 0 || !route.current) return;
        const { id: connectionId, countries: shownIn } = route.current;
        const listed = { connectionId, shownIn, checkAfterMs: channel.firstCheckMs, pauses: settings, startedAt };
        try {
          answered += await writeListedVerdicts(db, route.brandId, verdicts, listed, wait);
        } catch (error) {
          if (!isBrandBusy(error)) throw error;
          busy.push(route);
        }
      };
      for (const { route } of account.brands.values()) await write(route, JOB_WAIT);
      for (const route of busy.splice(0)) await write(route, OWN_WRITES_WAIT);
      for (const { brandId } of busy) {
        account.brands.delete(brandId);
        account.leftOut.add(brandId);
      }
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  async function read(account: Account, route: BrandRoute): Promise<void> {
    await readList(account, route).catch((error: unknown) => options.onFailure(error, route));
    account.reading = undefined;
    account.readAt = performance.now();
    account.brands.clear();
    account.leftOut.clear();
  }

  return {
    /** Counts the brand's due checks. If that makes them enough, the reading of its account's list begins, for which the brand does not wait. */
    async join(route: BrandRoute): Promise<void> {
      const { brandId } = route;
      const account = accountOf(route);
      if (!account || account.leftOut.has(brandId)) return;
      const known = account.brands.get(brandId);
      if (known && (account.reading || performance.now() - known.countedAt < settings.bulkMs)) return;
      const checks = await countDueChecks(db, brandId);
      account.brands.set(brandId, { route, checks, countedAt: performance.now() });
      const isTooSoon = performance.now() - account.readAt < settings.bulkMs;
      if (account.reading || isTooSoon || countChecks(account) < MIN_CHECKS) return;
      account.reading = read(account, route);
    },
    /** Then the brand makes no single checks. */
    isReading(route: BrandRoute): boolean {
      const account = accountOf(route);
      return account?.reading !== undefined && account.brands.has(route.brandId);
    },
    leave(brandId: number) {
      for (const { brands, reading } of accounts.values()) if (!reading) brands.delete(brandId);
    },
    /** Resolves when no list is being read. */
    async idle(): Promise<void> {
      await Promise.all([...accounts.values()].map(({ reading }) => reading));
    },
  };
}
