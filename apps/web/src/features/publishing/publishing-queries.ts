import { publishAllVariants, publishVariant } from '@brand-portal/contract/publishing';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { type VariantList, variantKeys } from '../variants/variants-queries.ts';
import { type PublishingChange, withPublished } from './wanted.ts';

const publishingKey = (brandId: number) => [...variantKeys.ofBrand(brandId), 'publishing'] as const;

interface Outcome {
  /** `published`: how many were published by it, where the server says so. */
  onDone: (change: PublishingChange, published: number | undefined) => void;
  onFailed: (error: Error, change: PublishingChange) => void;
}

/** Our server answers with the one variant that was changed, others perhaps with a part of it or nothing. */
type Answer = { variant?: Partial<VariantAnswer> | null; published?: number | undefined };

async function send(brandId: number, { variant, published }: PublishingChange): Promise<Answer> {
  if (variant)
    return { variant: await callApi(publishVariant, { params: { variantId: variant.id }, body: { published } }) };
  const answer: Partial<{ published: number }> | null | undefined = await callApi(publishAllVariants, {
    params: { brandId },
  });
  return { published: answer?.published };
}

export function usePublishMutation(brandId: number, { onDone, onFailed }: Outcome) {
  const queryClient = useQueryClient();
  const lists = { queryKey: variantKeys.ofBrand(brandId) };
  return useMutation({
    mutationKey: publishingKey(brandId),
    // One after the other, in the order in which they were asked for: the last one wins on the server too.
    scope: { id: `publishing-${brandId}` },
    mutationFn: (change: PublishingChange) => send(brandId, change),
    onSuccess: async (answer, change) => {
      // A list that was asked for before the change must not arrive after it.
      await queryClient.cancelQueries(lists);
      queryClient.setQueriesData<VariantList>(lists, (list) => list && { ...list, results: list.results.map(update) });
      function update(variant: VariantAnswer): VariantAnswer {
        if (change.variant !== undefined && change.variant.id !== variant.id) return variant;
        return {
          ...withPublished(variant, change.published),
          ...(answer.variant?.id === variant.id ? answer.variant : {}),
        };
      }
      onDone(change, answer.published);
    },
    onError: onFailed,
    onSettled: () => {
      void queryClient.invalidateQueries(lists);
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
