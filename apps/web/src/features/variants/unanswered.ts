import type { AcceptedImport, ImportDetail } from '@brand-portal/contract/import';
import { listVariants, type VariantListQuery } from '@brand-portal/contract/variants';
import type { TFunction } from 'i18next';
import { callApi } from '../../lib/api-client.ts';
import { ApiError, type ApiErrorCode } from '../../lib/api-error.ts';
import { toast } from '../../ui/toast-store.ts';
import { forgetImport, rememberImport } from '../import/running-imports-store.ts';

const FROM_PROXIES: readonly number[] = [502, 503, 504];
const ASK_EVERY_MS = 3_000;
const ASK_FOR_MS = 5 * 60_000;

/** The server may do it all the same: no answer, or one of a proxy in front of it. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || (error.isForeign && FROM_PROXIES.includes(error.status)));

const mayBeDone = (error: unknown): boolean => isUnanswered(error) || (error instanceof ApiError && error.status >= 500);

export async function countMatching(brandId: number, query: VariantListQuery, signal?: AbortSignal): Promise<number> {
  const input = { params: { brandId }, query: { ...query, page_size: 1 }, ...(signal && { signal }) };
  return (await callApi(listVariants, input)).count;
}

/** Says that a change of many variants is still running. Returns what takes the message away. */
export const showRunning = (t: TFunction, title: string): (() => void) =>
  toast({ title, description: t('publishing.slow.description'), progress: null, isLasting: true }).dismiss;

interface Change<Answer> {
  call: () => Promise<Answer>;
  /** What it leaves none of. Undefined: no query can tell. */
  leavesNone: VariantListQuery | undefined;
  /** The answer in place of the one that did not come. */
  done: Answer;
  /** It takes longer than a call. Returns what ends with it. */
  onSlow?: (() => () => void) | undefined;
}

type Outcome = NonNullable<ImportDetail['outcome']>;

/** A change that takes longer is answered with its import, so that a reload of the page does not lose its result. */
export const ANSWER_SOON = { prefer: 'respond-async, wait=2' };

/**
 * The answer to a change of many variants. If the server needs longer than the call, it answers with the id of an import: its outcome is the
 * answer then.
 */
export async function outcomeOf<Answer extends object>(
  brandId: number,
  answer: Answer | AcceptedImport,
  toAnswer: (outcome: Outcome) => Answer,
  onSlow?: () => () => void,
): Promise<Answer> {
  if (!('import_id' in answer)) return answer as Answer;
  const end = onSlow?.();
  try {
    const followed = { brandId, importId: answer.import_id };
    rememberImport(followed);
    const { pollImport } = await import('../import/import-queries.ts');
    const { outcome, state, failure } = await pollImport(followed).finally(() => forgetImport(followed.importId));
    if (outcome) return toAnswer(outcome);
    const code = state === 'cancelled' ? 'import_cancelled' : ((failure?.code ?? 'internal_error') as ApiErrorCode);
    throw new ApiError({ code, status: 409, detail: failure?.message ?? '', context: failure?.context ?? {} });
  } finally {
    end?.();
  }
}

/**
 * A change of very many variants. If its answer is lost, the list is asked what became of it before it is said to have failed.
 */
export async function changeMany<Answer>(brandId: number, { call, leavesNone, done, onSlow }: Change<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!leavesNone || !mayBeDone(error)) throw error;
    const until = Date.now() + ASK_FOR_MS;
    let end: (() => void) | undefined;
    try {
      for (;;) {
        // Undefined: the list does not answer either.
        const left = await countMatching(brandId, leavesNone).catch(() => undefined);
        if (left === 0) return done;
        if (!isUnanswered(error) || Date.now() > until) throw error;
        end ??= onSlow?.();
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      }
    } finally {
      end?.();
    }
  }
}
