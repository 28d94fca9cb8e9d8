import type { RestoreResult, VariantActionResult } from '@brand-portal/contract/variant-action-results';
import { actOnVariants, restoreDeletion, type VariantActionName, type VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantListQuery } from '@brand-portal/contract/variants';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError, requireAnswer } from '../../lib/api-error.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { ANSWER_SOON, changeMany, countMatching, outcomeOf } from './unanswered.ts';
import type { ChosenVariants } from './variant-selection.tsx';
import { variantKeys, variantWritesScope } from './variants-queries.ts';

/** Undefined: it was done, but the answer was lost. */
export function sendAction(
  brandId: number,
  action: VariantActionName,
  chosen: ChosenVariants,
  onSlow?: () => () => void,
): Promise<VariantActionResult | undefined> {
  return changeMany<VariantActionResult | undefined>(brandId, {
    call: async () => {
      const answer = requireAnswer(
        await callApi(actOnVariants, { params: { brandId }, body: { action, ...chosen }, headers: ANSWER_SOON }),
      );
      return outcomeOf<VariantActionResult>(brandId, answer, (outcome) => outcome as VariantActionResult, onSlow);
    },
    leavesNone: remainder(action, chosen),
    done: undefined,
    onSlow,
  });
}

/** What an action on all that match leaves none of, if none is excepted. */
function remainder(action: VariantActionName, chosen: ChosenVariants): VariantListQuery | undefined {
  if ('ids' in chosen || chosen.except_ids.length > 0) return undefined;
  return action === 'delete' ? chosen.filter : { ...chosen.filter, published: action === 'unpublish' };
}

/** Whether two lists show the same variants, ignoring page and order. Both come from `toFilter`, so their keys have the same order. */
export const isSameFilter = (a: VariantFilter, b: VariantFilter) => JSON.stringify(a) === JSON.stringify(b);

/** The current number of matches, if the action was refused because it has changed. */
export function matchingNow(error: unknown): number | undefined {
  return error instanceof ApiError && error.code === 'selection_changed' ? Number(error.context.count) : undefined;
}

export interface VariantsToDelete {
  chosen: ChosenVariants;
  count: number;
  /**
   * How many of them are published, if `chosen` has ids. For a filter the server is asked, and `published` counts the
   * excepted ones.
   */
  published: number;
  /** Name of a single variant, for the confirmation. */
  name?: string;
  onDeleted: () => void;
}

/** Callbacks of the mutation, not of `mutate`: they also run after the component that started it is unmounted. */
interface Callbacks<Answer, Sent> {
  onSuccess: (answer: Answer, sent: Sent) => void;
  onError?: (error: Error, sent: Sent) => void;
  /** It takes longer than a call. Returns what ends with it. */
  onSlow: () => () => void;
}

export function useDeleteVariants(brandId: number, { onSlow, ...callbacks }: Callbacks<VariantActionResult, VariantsToDelete>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    ...callbacks,
    scope: variantWritesScope(brandId),
    mutationFn: async ({ chosen, count }: VariantsToDelete): Promise<VariantActionResult> =>
      (await sendAction(brandId, 'delete', chosen, onSlow)) ?? { changed: count, skipped: [], deletion_id: null },
    onSettled: (answer, _error, { chosen }) => {
      // The panel of a deleted variant is about to close: a refetch would show "not found" in it.
      const gone = answer && 'ids' in chosen ? chosen.ids.map((id) => String(variantKeys.detail(brandId, id))) : [];
      void queryClient.invalidateQueries({
        queryKey: brandKeys.detail(brandId),
        predicate: ({ queryKey }) => !gone.includes(String(queryKey)),
      });
    },
  });
}

export function useRestoreDeletion(brandId: number, { onSlow, ...callbacks }: Callbacks<RestoreResult, number>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    ...callbacks,
    mutationFn: async (deletionId: number) => {
      const answer = requireAnswer(await callApi(restoreDeletion, { params: { brandId, deletionId }, headers: ANSWER_SOON }));
      return outcomeOf<RestoreResult>(brandId, answer, (outcome) => outcome as RestoreResult, onSlow);
    },
    // Pending until the history shows the entry as restored: its button must not restore it again.
    onSettled: () => queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }),
  });
}

/** How many variants of the brand match a filter, and how many of those are published. */
export function variantTotalsQuery(brandId: number, filter: VariantListQuery) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'variant-totals', filter],
    queryFn: async ({ signal }) => {
      const count = (query: VariantListQuery) => countMatching(brandId, query, signal);
      const isOnlyUnpublished = filter.published === false;
      const [total, published] = await Promise.all([count(filter), isOnlyUnpublished ? 0 : count({ ...filter, published: true })]);
      return { total, published };
    },
    staleTime: 0,
  });
}
