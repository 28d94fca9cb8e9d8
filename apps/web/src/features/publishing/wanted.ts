import type { VariantAnswer } from '@brand-portal/contract/variants';

/** What a member asks for: one variant published or unpublished, or, without a variant, all of the brand's. */
export interface PublishingChange {
  variant?: VariantAnswer;
  published: boolean;
}

/** A variant as it is right after the server has taken the change. */
export function withPublished(variant: VariantAnswer, published: boolean): VariantAnswer {
  if (variant.published === published) return variant;
  // A server that has not told what the channel has will not tell it now.
  if (variant.channel === undefined) return { ...variant, published };
  if (published) return { ...variant, published, channel: { state: 'queued', reason: '' } };
  return { ...variant, published, channel: variant.channel && { state: 'removing', reason: '' } };
}

/** A variant as it will be when everything under way has succeeded, one after the other. */
export function asWanted(variant: VariantAnswer, underWay: readonly PublishingChange[]): VariantAnswer {
  return underWay
    .filter((change) => change.variant === undefined || change.variant.id === variant.id)
    .reduce((wanted, { published }) => withPublished(wanted, published), variant);
}
