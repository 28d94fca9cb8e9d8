import type { AcceptedImport } from '@brand-portal/contract/import';
import { publishAllVariants, publishVariant } from '@brand-portal/contract/publishing';
import type { VariantActionResult } from '@brand-portal/contract/variant-action-results';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { appliesTo, type PublishingChange, withPublished } from './optimistic.ts';
import { ANSWER_SOON, changeMany, outcomeOf } from './unanswered.ts';
import { sendAction } from './variant-actions-queries.ts';
import { type VariantList, variantKeys, variantWritesScope } from './variants-queries.ts';

const publishingKey = (brandId: number) => [...variantKeys.ofBrand(brandId), 'publishing'] as const;

interface Outcome {
  onDone: (change: PublishingChange, answer: Answer) => void;
  onFailed: (error: Error, change: PublishingChange) => void;
  /** It takes longer than a call. Returns what ends with it. */
  onSlow: (change: PublishingChange) => () => void;
}

export interface Answer {
  /** Our server answers with the changed variant; others may send a part of it, or nothing. */
  variant?: Partial<VariantAnswer> | null | undefined;
  /** For selected variants, if it is known. */
  result?: VariantActionResult | undefined;
  /** For all: how many were published, if the server sends it. */
  published?: number | undefined;
}

async function send(brandId: number, { variant, selected, published }: PublishingChange, onSlow: () => () => void): Promise<Answer> {
  if (selected) return { result: await sendAction(brandId, published ? 'publish' : 'unpublish', selected.chosen, onSlow) };
  if (variant) return { variant: await callApi(publishVariant, { params: { variantId: variant.id }, body: { published } }) };
  return changeMany<Answer>(brandId, {
    call: async () => {
      // Servers may answer without a body.
      const answer: { published?: number } | AcceptedImport | null | undefined = await callApi(publishAllVariants, {
        params: { brandId },
        headers: ANSWER_SOON,
      });
      return outcomeOf<Answer>(
        brandId,
        answer ?? {},
        (outcome) => ({ published: 'changed' in outcome ? outcome.changed : undefined }),
        onSlow,
      );
    },
    leavesNone: { published: false },
    done: {},
    onSlow,
  });
}

export function usePublishMutation(brandId: number, { onDone, onFailed, onSlow }: Outcome) {
  const queryClient = useQueryClient();
  const lists = { queryKey: variantKeys.lists(brandId) };
  const all = { queryKey: variantKeys.ofBrand(brandId) };
  return useMutation({
    mutationKey: publishingKey(brandId),
    scope: variantWritesScope(brandId),
    mutationFn: (change: PublishingChange) => send(brandId, change, () => onSlow(change)),
    onSuccess: async (answer, change) => {
      // A refetch that started before the change must not overwrite it.
      await queryClient.cancelQueries(all);
      queryClient.setQueriesData<VariantList>(lists, (list) => list && { ...list, results: list.results.map(update) });
      function update(variant: VariantAnswer): VariantAnswer {
        // Only the server knows which rows match a filter: they are refetched.
        if (!appliesTo(change, variant.id)) return variant;
        return {
          ...withPublished(variant, change.published),
          ...(answer.variant?.id === variant.id ? answer.variant : {}),
        };
      }
      onDone(change, answer);
    },
    onError: onFailed,
    onSettled: () => {
      void queryClient.invalidateQueries(all);
      void queryClient.invalidateQueries({ queryKey: variantKeys.states(brandId) });
    },
  });
}

/**
 * Changes that the server has not answered yet, oldest first. Screens apply them to the rows, and the cache keeps the
 * server's data: after a failure there is nothing to roll back, and a refetch meanwhile does not lose the change.
 */
export function usePendingChanges(brandId: number): PublishingChange[] {
  return useMutationState({
    filters: { mutationKey: publishingKey(brandId), status: 'pending' },
    select: ({ state }) => state.variables as PublishingChange,
  });
}
