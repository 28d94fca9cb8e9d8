import type { Db } from '../../db/database.ts';
import type { Wait } from '../../db/turns.ts';
import { isBrandBusy, JOB_WAIT } from '../writes/brand-lock.ts';
import { countDueChecks, writeListedVerdicts } from '../writes/deliveries.ts';
import type { Judgement, RetryDelays } from '../writes/delivery-states.ts';
import type { BrandRoute } from './attempt-delivery.ts';
import type { Channel } from './channel.ts';

/** Below this, products are checked one by one. */
const MIN_CHECKS = 250;
/** The account may hold many products that wait for no verdict. At most this share of the calls may be wasted on them. */
const WASTED_SHARE = 0.25;
/** A brand's own deliveries go on meanwhile, and lock it for moments. */
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
  /** The account's products are read, and the brand's single checks may go on. */
  resume(brandId: number): void;
}

/** The brands of an account whose deliveries are running, with their due checks. */
interface Account {
  readonly brands: Map<number, { readonly route: BrandRoute; readonly checks: number }>;
  reading: boolean;
  readAt: number;
}

/** If many products of an account wait for their verdict, one call of the list returns 250 verdicts. One list per account is read at a time. */
export function createBulkVerdicts(options: Options) {
  const { db, channel, settings, stopping } = options;
  const accounts = new Map<string, Account>();
  const accountOf = ({ current }: BrandRoute): Account | undefined => {
    if (!current) return undefined;
    const name = channel.account(current);
    const account = accounts.get(name) ?? { brands: new Map(), reading: false, readAt: Number.NEGATIVE_INFINITY };
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
        // Its products are checked one by one later, as fast as its lock allows.
        account.brands.delete(brandId);
        options.resume(brandId);
      }
      pageToken = page.nextPageToken;
    } while (pageToken);
  }

  async function read(account: Account, route: BrandRoute): Promise<void> {
    account.reading = true;
    await readList(account, route).catch((error: unknown) => options.onFailure(error, route));
    account.reading = false;
    account.readAt = performance.now();
    const brandIds = [...account.brands.keys()];
    account.brands.clear();
    for (const brandId of brandIds) options.resume(brandId);
  }

  return {
    /** Counts the brand's due checks. If that makes them enough, the reading of its account's list begins, for which the brand does not wait. */
    async join(route: BrandRoute): Promise<{ readonly reading?: Promise<void> }> {
      const account = accountOf(route);
      if (!account) return {};
      account.brands.set(route.brandId, { route, checks: await countDueChecks(db, route.brandId) });
      const isTooSoon = performance.now() - account.readAt < settings.bulkMs;
      if (account.reading || isTooSoon || countChecks(account) < MIN_CHECKS) return {};
      return { reading: read(account, route) };
    },
    /** Then the brand makes no single checks. */
    isReading: (route: BrandRoute) =>
      accountOf(route)?.brands.has(route.brandId) === true && accountOf(route)?.reading === true,
    leave(brandId: number) {
      for (const { brands, reading } of accounts.values()) if (!reading) brands.delete(brandId);
    },
  };
}
