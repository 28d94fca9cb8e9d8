import type { ChannelState } from '@brand-portal/contract/variants';

/** The state machine of deliveries: what becomes of one after each attempt. The writes of deliveries.ts use its transitions. */

interface Transition {
  readonly wanted: 'present' | 'absent';
  readonly state: ChannelState;
}

/** Published, or changed since it was sent. */
export const TO_SEND: Transition = { wanted: 'present', state: 'queued' };
/** Unpublished or deleted, and possibly known to the channel. Otherwise the row is deleted at once. */
export const TO_WITHDRAW: Transition = { wanted: 'absent', state: 'removing' };

/** A delivery as a worker reads it. */
export interface AttemptedDelivery {
  readonly variant_id: number;
  readonly wanted: 'present' | 'absent';
  readonly revision: number;
  readonly sent_revision: number | null;
  readonly state: ChannelState;
  readonly connection_id: number;
  readonly resource: string;
  readonly attempts: number;
}

export type CountryStatus = 'approved' | 'pending' | 'disapproved';

/** An issue that the channel reports. */
export interface Issue {
  readonly type: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  /** How to resolve it. */
  readonly description: string;
  readonly attribute: string;
  /** The action needed, and by whom. */
  readonly resolution: string;
  /** Empty: all countries. */
  readonly countries: readonly string[];
  readonly since: string | null;
}

/** The channel's verdict on a product. */
export interface Judgement {
  readonly countries: Readonly<Record<string, CountryStatus>>;
  /** The status in all other countries. */
  readonly elsewhere: CountryStatus;
  readonly issues: readonly Issue[];
}

/** The result of one call to the channel. */
export type Outcome =
  /** The channel no longer has it. */
  | { readonly kind: 'withdrawn' }
  /** It was in another account or under another name, and is withdrawn there. It is sent again. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'sent'; readonly connectionId: number; readonly checkAfterMs: number }
  /** `shownIn`: the countries where it should be shown. */
  | ({ readonly kind: 'judged'; readonly shownIn: readonly string[]; readonly checkAfterMs: number } & Judgement)
  /** The channel rejected it when it was sent. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The channel does not know it, yet or any more. */
  | { readonly kind: 'missing'; readonly checkAfterMs: number }
  /** `unanswered`: the call may still take effect later. */
  | { readonly kind: 'failed'; readonly reason: string; readonly unanswered: boolean };

/** The result to write. State, reason, attempts and delay are written only if the delivery has not changed in the meantime. */
export interface DeliveryResult extends Pick<AttemptedDelivery, 'variant_id' | 'revision' | 'sent_revision' | 'state' | 'attempts'> {
  /** Null: unchanged. */
  readonly reason: string | null;
  /** The status in each country of the connection, once there is a verdict. Null: unchanged. */
  readonly countries: Readonly<Record<string, CountryStatus>> | null;
  /** Undefined: no new verdict, so the last issues stay. */
  readonly issues?: readonly Issue[];
  readonly connection_id: number | null;
  /** Null: the channel no longer has the resource. */
  readonly resource: string | null;
  /** Null: no next attempt until something changes. */
  readonly delay_ms: number | null;
  /** No worker may claim the delivery before the lease expires. */
  readonly keep_lease: boolean;
  /** The row can be deleted, with its issues. */
  readonly done: boolean;
}

export interface RetryDelays {
  /** The delay after the first failure. It doubles with each further one. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** Verdicts change over time: the channel may report an issue days later, or withdraw one. */
  readonly recheckMs: number;
}

export const VERDICTS: readonly ChannelState[] = ['live', 'partly_live', 'refused'];

/** Rejected when it was sent: the channel may still show an earlier version, with certificates that are no longer valid. */
export const isRejected = ({ state, sent_revision }: AttemptedDelivery): boolean => state === 'refused' && sent_revision === null;

/** A product that the channel does not know after this many checks is sent again. */
const CHECKS_BEFORE_RESENDING = 6;

export function afterAttempt(delivery: AttemptedDelivery, outcome: Outcome, delays: RetryDelays): DeliveryResult {
  const { variant_id, revision, sent_revision, state, connection_id, resource, attempts } = delivery;
  const same = { variant_id, revision, sent_revision, state, connection_id, resource, attempts };
  // Members see the reason, so the channel's message stays until the next verdict.
  const isJudged = VERDICTS.includes(state);
  const none = { reason: isJudged ? null : '', countries: null, delay_ms: null, keep_lease: false, done: false };
  const unchanged: DeliveryResult = { ...same, ...none };
  const reset = { ...unchanged, reason: '', countries: {}, attempts: 0 };
  const cleared = { ...reset, connection_id: null, resource: null, sent_revision: null, issues: [] };
  switch (outcome.kind) {
    case 'withdrawn':
      // Members still see why it was rejected, until it changes or is sent again.
      if (isRejected(delivery)) return { ...cleared, reason: null };
      return { ...cleared, done: true };
    case 'replaced':
      return { ...cleared, state: 'queued', delay_ms: 0 };
    case 'sent': {
      const sent = {
        sent_revision: revision,
        state: 'sent',
        connection_id: outcome.connectionId,
      } as const;
      return { ...reset, ...sent, delay_ms: withJitter(outcome.checkAfterMs) };
    }
    case 'rejected':
      // Due again at once, to be withdrawn.
      return { ...reset, sent_revision: null, state: 'refused', reason: outcome.reason, issues: [], delay_ms: 0 };
    case 'judged': {
      const countries = Object.fromEntries(outcome.shownIn.map((code) => [code, outcome.countries[code] ?? outcome.elsewhere]));
      const statuses = Object.values(countries);
      const judged = { ...unchanged, countries, issues: outcome.issues };
      // A pending country soon has a verdict as well.
      const recheckMs = statuses.includes('pending') ? delays.maxBackoffMs : delays.recheckMs;
      if (statuses.includes('approved')) {
        const isEverywhere = statuses.every((status) => status === 'approved');
        const reason = isEverywhere ? '' : describeIssues(outcome.issues, '');
        return {
          ...judged,
          state: isEverywhere ? 'live' : 'partly_live',
          reason,
          attempts: 0,
          delay_ms: withJitter(recheckMs),
        };
      }
      if (statuses.includes('disapproved')) {
        const reason = describeIssues(outcome.issues, 'Google refused it without naming an issue.');
        return { ...judged, state: 'refused', reason, attempts: 0, delay_ms: withJitter(recheckMs) };
      }
      // Pending everywhere. It may have been live before: then it no longer is.
      return {
        ...judged,
        state: 'sent',
        reason: '',
        attempts: attempts + 1,
        delay_ms: exponentialBackoff(outcome.checkAfterMs, attempts, delays),
      };
    }
    case 'missing':
      if (state !== 'sent' || attempts >= CHECKS_BEFORE_RESENDING) {
        return { ...unchanged, state: 'queued', reason: '', sent_revision: null, attempts: 0, delay_ms: 0 };
      }
      return {
        ...unchanged,
        attempts: attempts + 1,
        delay_ms: exponentialBackoff(outcome.checkAfterMs, attempts, delays),
      };
    case 'failed': {
      const delay_ms = exponentialBackoff(delays.backoffMs, attempts, delays);
      const reason = isJudged ? null : outcome.reason;
      return { ...unchanged, reason, attempts: attempts + 1, delay_ms, keep_lease: outcome.unanswered };
    }
  }
}

/** Joins the errors into one text, or all issues if none is an error. */
function describeIssues(issues: readonly Issue[], unnamed: string): string {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const texts = (errors.length > 0 ? errors : issues).map(
    ({ title, description, type }) => [title, description].filter(Boolean).join(': ') || type,
  );
  return texts.filter(Boolean).join(' · ') || unnamed;
}

function exponentialBackoff(firstMs: number, attempts: number, { maxBackoffMs }: RetryDelays): number {
  return withJitter(Math.min(firstMs * 2 ** Math.min(attempts, 30), maxBackoffMs));
}

/** Adds jitter, so that products sent together are not all checked at the same time. */
function withJitter(ms: number): number {
  return Math.round(ms * (0.75 + Math.random() / 2));
}
