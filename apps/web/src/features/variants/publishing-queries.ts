import { publishAllVariants, publishVariant } from '@brand-portal/contract/publishing';
import type { VariantActionResult } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { concerns, type PublishingChange, withPublished } from './optimistic.ts';
import { sendAction } from './variant-actions-queries.ts';
import { type VariantList, variantKeys } from './variants-queries.ts';

const publishingKey = (brandId: number) => [...variantKeys.ofBrand(brandId), 'publishing'] as const;

interface Outcome {
  onDone: (change: PublishingChange, answer: Answer) => void;
  onFailed: (error: Error, change: PublishingChange) => void;
}

export interface Answer {
  /** Our server answers with the one variant that was changed, others perhaps with a part of it or nothing. */
  variant?: Partial<VariantAnswer> | null | undefined;
  /** Of selected ones. */
  result?: VariantActionResult;
  /** Of all: how many were published by it, where the server says so. */
  published?: number | undefined;
}

async function send(brandId: number, { variant, selected, published }: PublishingChange): Promise<Answer> {
  if (selected) return { result: await sendAction(brandId, published ? 'publish' : 'unpublish', selected.chosen) };
  if (variant)
    return { variant: await callApi(publishVariant, { params: { variantId: variant.id }, body: { published } }) };
  const answer: Partial<{ published: number }> | null | undefined = await callApi(publishAllVariants, {
    params: { brandId },
  });
  return { published: answer?.published };
}

export function usePublishMutation(brandId: number, { onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  const lists = { queryKey: variantKeys.lists(brandId) };
  const all = { queryKey: variantKeys.ofBrand(brandId) };
  return useMutation({
    mutationKey: publishingKey(brandId),
    // One after the other, in the order in which they were asked for: the last one wins on the server too.
    scope: { id: `publishing-${brandId}` },
    mutationFn: (change: PublishingChange) => send(brandId, change),
    onSuccess: async (answer, change) => {
      // A list that was asked for before the change must not arrive after it.
      await queryClient.cancelQueries(all);
      queryClient.setQueriesData<VariantList>(lists, (list) => list && { ...list, results: list.results.map(update) });
      function update(variant: VariantAnswer): VariantAnswer {
        // Which rows match a filter only the server knows: they are read again.
        if (!concerns(change, variant.id)) return variant;
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
 * Changes that the server has not answered yet, oldest first. Screens show rows with them applied, and the cache keeps
 * what the server said: a failure is undone by being forgotten, and a list that arrives meanwhile undoes nothing.
 */
export function useChangesUnderWay(brandId: number): PublishingChange[] {
  return useMutationState({
    filters: { mutationKey: publishingKey(brandId), status: 'pending' },
    select: ({ state }) => state.variables as PublishingChange,
  });
}
