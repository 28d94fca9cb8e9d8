import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { isSameFilter } from './variant-actions-queries.ts';
import type { ChosenAction } from './variants-queries.ts';

/** What a member asks for: one variant published or unpublished, or those that are selected; without either, all of the brand's. */
export interface PublishingChange {
  variant?: VariantAnswer;
  selected?: ChosenAction;
  published: boolean;
}

/** `filter`: of the list that shows the variant. Of all that match another filter, only the server knows whether it is one. */
export function concerns({ variant, selected }: PublishingChange, id: number, filter?: VariantFilter): boolean {
  if (variant) return variant.id === id;
  if (!selected) return true;
  const { chosen } = selected;
  if ('ids' in chosen) return chosen.ids.includes(id);
  return filter !== undefined && isSameFilter(filter, chosen.filter) && !chosen.except_ids.includes(id);
}

/** A variant as it is right after the server has taken the change. */
export function withPublished(variant: VariantAnswer, published: boolean): VariantAnswer {
  if (variant.published === published) return variant;
  // A server that has not told what the channel has will not tell it now.
  if (variant.channel === undefined) return { ...variant, published };
  if (published) return { ...variant, published, channel: { state: 'queued', reason: '' } };
  return { ...variant, published, channel: variant.channel && { state: 'removing', reason: '' } };
}

/** A variant with all pending changes applied, oldest first: an optimistic update. */
export function applyPending(
  variant: VariantAnswer,
  filter: VariantFilter | undefined,
  pending: readonly PublishingChange[],
): VariantAnswer {
  return pending
    .filter((change) => concerns(change, variant.id, filter))
    .reduce((changed, { published }) => withPublished(changed, published), variant);
}
