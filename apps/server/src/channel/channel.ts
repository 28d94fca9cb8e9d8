import type { Judgement } from '../writes/delivery-states.ts';
import type { Quota } from './channel-quota.queries.ts';
import type { Connection } from './connections.queries.ts';
import type { DeliveredProduct } from './deliveries.queries.ts';

/** The channel's verdict on a product. `missing`: the channel does not know it. */
export type Verdict = { readonly kind: 'missing' } | ({ readonly kind: 'judged' } & Judgement);

/** Google's Manufacturer Center, for all connections. */
export interface Channel {
  /** The shortest time until the channel has a verdict. */
  readonly firstCheckMs: number;
  readonly quota: Quota;
  /** The account of the connection. */
  account(connection: Connection): string;
  /** The prefix of the connection's resource names. The ids of the brand and the variant follow. */
  resourcePrefix(connection: Connection): string;
  /** Whether the resource is in the connection's account, and not in one configured earlier. */
  owns(connection: Connection, resource: string): boolean;
  /** Gets an access token. Throws without one, before any delivery counts a failed attempt. */
  open(connection: Connection): Promise<ChannelSession>;
}

/** Each method is one call with a deadline, and is idempotent. */
export interface ChannelSession {
  /** Throws `ChannelRefused` if the channel rejects the product. */
  send(resource: string, product: DeliveredProduct): Promise<void>;
  withdraw(resource: string): Promise<void>;
  check(resource: string): Promise<Verdict>;
  /** One page of all products in the account, by resource name. */
  list(pageToken: string | undefined): Promise<{ verdicts: Map<string, Judgement>; nextPageToken: string | undefined }>;
}

/** The channel rejects the product that was sent: no retry. */
export class ChannelRefused extends Error {}

/** A temporary failure of the channel. */
export class ChannelUnavailable extends Error {
  /** False: there was no response, so the call may still take effect later. */
  readonly answered: boolean;
  /** How long to pause all calls, after a 429. */
  readonly pauseMs: number | undefined;
  /** The account, its rights or the link are wrong, which the operator must fix. */
  readonly isConnectionError: boolean;

  constructor(message: string, options: { answered: boolean; pauseMs?: number | undefined; isConnectionError?: boolean }) {
    super(message);
    this.answered = options.answered;
    this.pauseMs = options.pauseMs;
    this.isConnectionError = options.isConnectionError ?? false;
  }
}
