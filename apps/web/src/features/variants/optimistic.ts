import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { isSameFilter } from './variant-actions-queries.ts';
import type { ChosenAction } from './variants-queries.ts';

/** A requested change: publish or unpublish one variant or the selected ones; without either, all of the brand. */
export interface PublishingChange {
  variant?: VariantAnswer;
  selected?: ChosenAction;
  published: boolean;
}

/**
 * Whether a change applies to a variant. `filter`: the filter of the list that shows it. For a selection by another
 * filter only the server knows.
 */
export function appliesTo({ variant, selected }: PublishingChange, id: number, filter?: VariantFilter): boolean {
  if (variant) return variant.id === id;
  if (!selected) return true;
  const { chosen } = selected;
  if ('ids' in chosen) return chosen.ids.includes(id);
  return filter !== undefined && isSameFilter(filter, chosen.filter) && !chosen.except_ids.includes(id);
}

/** A variant as the list shows it until the server has answered. */
export function withPublished(variant: VariantAnswer, published: boolean): VariantAnswer {
  if (variant.published === published) return variant;
  // A server that does not send channel states will not send one after the change either.
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
    .filter((change) => appliesTo(change, variant.id, filter))
    .reduce((changed, { published }) => withPublished(changed, published), variant);
}
