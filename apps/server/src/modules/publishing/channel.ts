import type { Judgement } from '../writes/delivery-states.ts';
import type { Quota } from './channel-quota.queries.ts';
import type { Connection } from './connections.queries.ts';
import type { DeliveredProduct } from './deliveries.queries.ts';

/** What the channel says of something that was sent; `missing`: it knows nothing of it. */
export type Verdict = { readonly kind: 'missing' } | ({ readonly kind: 'judged' } & Judgement);

/** Google's Manufacturer Center, for all connections. */
export interface Channel {
  /** How long it takes the channel to have a verdict, at the best. */
  readonly firstCheckMs: number;
  /** How many calls it takes in how long. */
  readonly quota: Quota;
  /** The account that the connection leads to. */
  account(connection: Connection): string;
  /** What the name of each resource of the connection begins with; the rest is the brand's and the variant's number. */
  resourcePrefix(connection: Connection): string;
  /** Whether the resource is in the connection's account, and not in one that was configured before. */
  owns(connection: Connection, resource: string): boolean;
  /** Gets an access token. Fails without one, so that no delivery counts a failed attempt. */
  open(connection: Connection): Promise<ChannelSession>;
}

/** Each is one call, over within a deadline, and may be repeated without harm. */
export interface ChannelSession {
  send(resource: string, product: DeliveredProduct): Promise<void>;
  withdraw(resource: string): Promise<void>;
  check(resource: string): Promise<Verdict>;
  /** One page of everything in the account, by the names of the resources. */
  list(pageToken: string | undefined): Promise<{ verdicts: Map<string, Judgement>; nextPageToken: string | undefined }>;
}

/** The channel rejects the product as it is: no retry. */
export class ChannelRefused extends Error {}

/** The channel could not do it now. */
export class ChannelUnavailable extends Error {
  /** No answer: the call may still take effect later. */
  readonly answered: boolean;
  /** How long to pause all calls, after a 429. */
  readonly pauseMs: number | undefined;
  /** The account, its rights or the link are not in order: for the operator to fix. */
  readonly ofConnection: boolean;

  constructor(message: string, options: { answered: boolean; pauseMs?: number | undefined; ofConnection?: boolean }) {
    super(message);
    this.answered = options.answered;
    this.pauseMs = options.pauseMs;
    this.ofConnection = options.ofConnection ?? false;
  }
}
