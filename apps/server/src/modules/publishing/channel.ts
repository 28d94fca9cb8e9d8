import type { Quota } from './channel-quota.queries.ts';
import type { DeliveredProduct } from './deliveries.queries.ts';

/** What the channel says of something that was sent. */
export type Verdict =
  | { readonly kind: 'live' | 'pending' | 'missing' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The account at the channel that products are delivered to. */
export interface Channel {
  /** What the name of each resource begins with; the rest is the brand's and the variant's number. */
  readonly resourcePrefix: string;
  /** Whether the account may say nothing of products without a validated certificate. */
  readonly needsCertificate: boolean;
  /** How long it takes the channel to have a verdict, at the best. */
  readonly firstCheckMs: number;
  /** How many calls it takes in how long. */
  readonly quota: Quota;
  /** Whether a resource that was named before the configuration changed is still within reach. */
  owns(resource: string): boolean;
  /** Gets the leave to call. Fails as a whole while that cannot be had, so that no delivery pays for it. */
  authorize(): Promise<ChannelSession>;
}

/** Each is one call, over within a deadline, and may be repeated without harm. */
export interface ChannelSession {
  send(resource: string, product: DeliveredProduct): Promise<void>;
  withdraw(resource: string): Promise<void>;
  check(resource: string): Promise<Verdict>;
}

/** The channel will not take it as it is: trying again would change nothing. */
export class ChannelRefused extends Error {}

/** The channel could not do it now. */
export class ChannelUnavailable extends Error {
  /** No answer: the call may still be carried out, later than we think. */
  readonly answered: boolean;
  /** It asked to be left alone for so long. */
  readonly pauseMs: number | undefined;

  constructor(message: string, { answered, pauseMs }: { answered: boolean; pauseMs?: number | undefined }) {
    super(message);
    this.answered = answered;
    this.pauseMs = pauseMs;
  }
}
