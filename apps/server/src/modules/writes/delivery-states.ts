import type { ChannelState } from '@brand-portal/contract/variants';

/** What a delivery becomes, whatever happens to it. No other file decides that. */

interface Becomes {
  readonly wanted: 'present' | 'absent';
  readonly state: ChannelState;
}

/** Published, or the channel has to know of a change. */
export const TO_SEND: Becomes = { wanted: 'present', state: 'queued' };
/** Unpublished or deleted, where the channel may have heard of it. Otherwise its row goes at once. */
export const TO_WITHDRAW: Becomes = { wanted: 'absent', state: 'removing' };

/** A delivery as a worker finds it. */
export interface AttemptedDelivery {
  readonly variant_id: number;
  readonly wanted: 'present' | 'absent';
  readonly revision: number;
  readonly sent_revision: number | null;
  readonly state: ChannelState;
  readonly resource: string;
  readonly attempts: number;
}

/** What came of one call to the channel. */
export type Outcome =
  /** The channel has nothing of it any more, and shall not. */
  | { readonly kind: 'withdrawn' }
  /** It was there under a name, or is of a kind, that is no longer right: it begins anew. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'uncertified' }
  | { readonly kind: 'sent'; readonly checkAfterMs: number }
  | { readonly kind: 'live' }
  | { readonly kind: 'refused'; readonly reason: string; readonly recheck: boolean }
  /** The channel has no verdict yet, or does not know it (yet, or any more). */
  | { readonly kind: 'pending' | 'missing'; readonly checkAfterMs: number }
  /** `unanswered`: the call may still be carried out, later than we think. */
  | { readonly kind: 'failed'; readonly reason: string; readonly unanswered: boolean };

/** What is written about an attempt. State, reason, attempts and delay count only if the delivery has not changed meanwhile. */
export interface DeliveryResult
  extends Pick<AttemptedDelivery, 'variant_id' | 'revision' | 'sent_revision' | 'state' | 'attempts'> {
  readonly reason: string;
  /** Null: the channel has nothing under the name that it was known by. */
  readonly resource: string | null;
  /** Null: nothing to do until something changes. */
  readonly delay_ms: number | null;
  /** Nobody touches the delivery before the lease ends. */
  readonly keep_lease: boolean;
  /** Nothing is left to do, ever. */
  readonly done: boolean;
}

export interface Pauses {
  /** After the first failure; twice as long after each further one. */
  readonly backoffMs: number;
  readonly longestMs: number;
  /** Verdicts change in time: the channel may find an issue days later, or take one back. */
  readonly recheckMs: number;
}

/** A resource that the channel still does not know after so many looks was lost there, and is sent again. */
const LOOKS_BEFORE_SENDING_AGAIN = 6;

export function afterAttempt(delivery: AttemptedDelivery, outcome: Outcome, pauses: Pauses): DeliveryResult {
  const { variant_id, revision, sent_revision, state, resource, attempts } = delivery;
  const same = { variant_id, revision, sent_revision, state, resource, attempts };
  const unchanged: DeliveryResult = { ...same, reason: '', delay_ms: null, keep_lease: false, done: false };
  const gone = { ...unchanged, resource: null, sent_revision: null, attempts: 0 };
  switch (outcome.kind) {
    case 'withdrawn':
      return { ...gone, done: true };
    case 'replaced':
      return { ...gone, state: 'queued', delay_ms: 0 };
    case 'uncertified':
      return { ...gone, state: 'queued', reason: 'It waits for a validated certificate.' };
    case 'sent': {
      const sent = { sent_revision: revision, state: 'sent', attempts: 0 } as const;
      return { ...unchanged, ...sent, delay_ms: spread(outcome.checkAfterMs) };
    }
    case 'live':
      return { ...unchanged, state: 'live', attempts: 0, delay_ms: spread(pauses.recheckMs) };
    case 'refused': {
      const delay_ms = outcome.recheck ? spread(pauses.recheckMs) : null;
      return { ...unchanged, state: 'refused', reason: outcome.reason, attempts: 0, delay_ms };
    }
    case 'missing':
      if (state !== 'sent' || attempts >= LOOKS_BEFORE_SENDING_AGAIN) {
        return { ...unchanged, state: 'queued', sent_revision: null, attempts: 0, delay_ms: 0 };
      }
      return { ...unchanged, attempts: attempts + 1, delay_ms: growing(outcome.checkAfterMs, attempts, pauses) };
    case 'pending':
      return { ...unchanged, attempts: attempts + 1, delay_ms: growing(outcome.checkAfterMs, attempts, pauses) };
    case 'failed': {
      const delay_ms = growing(pauses.backoffMs, attempts, pauses);
      return { ...unchanged, reason: outcome.reason, attempts: attempts + 1, delay_ms, keep_lease: outcome.unanswered };
    }
  }
}

/** Exponential backoff. */
function growing(firstMs: number, attempts: number, { longestMs }: Pauses): number {
  return spread(Math.min(firstMs * 2 ** Math.min(attempts, 30), longestMs));
}

/** Jitter: what was sent together is not asked for together. */
function spread(ms: number): number {
  return Math.round(ms * (0.75 + Math.random() / 2));
}
