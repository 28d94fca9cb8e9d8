import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { MAX_CHOSEN_ROWS } from './exports.ts';
import { ACCEPTED_LATER, AcceptedImport } from './import.ts';
import { Id, Page } from './paging.ts';
import { RestoreResult, VariantActionResult } from './variant-action-results.ts';
import { ListFilterKey, SearchText, VariantStatesQuery } from './variants.ts';

const tag = 'variants';

export const VARIANT_ACTIONS = ['publish', 'unpublish', 'delete'] as const;
export type VariantActionName = (typeof VARIANT_ACTIONS)[number];

/** The filter of the list: its query without page and order. */
export const VariantFilter = VariantStatesQuery;
export type VariantFilter = Static<typeof VariantFilter>;

const Count = Type.Integer({ minimum: 0 });

export const VariantAction = Type.Object({
  action: Type.Enum([...VARIANT_ACTIONS]),
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MAX_CHOSEN_ROWS, description: 'These variants.' })),
  filter: Type.Optional(
    Type.Object(
      { ...VariantFilter.properties, search: Type.Optional(SearchText) },
      { description: 'Instead of ids: all that match when the call is made.' },
    ),
  ),
  except_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_CHOSEN_ROWS, description: 'Left out of those that match.' })),
  expected: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With a filter: how many the caller expects to match, without those of `except_ids`. Another number is refused with `selection_changed`.',
    }),
  ),
  filter_key: ListFilterKey,
});
export type VariantAction = Static<typeof VariantAction>;

export const actOnVariants = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variants/actions/',
  summary: 'Publish, unpublish or delete many variants at once',
  description: `Either \`ids\`, or a \`filter\` of the list with \`except_ids\`. What is published is withdrawn from the channel when it is unpublished or deleted. ${ACCEPTED_LATER}`,
  tag,
  access: 'editor',
  publishes: { action: 'publish' },
  params: BrandParams,
  body: VariantAction,
  status: 200,
  response: VariantActionResult,
  accepted: AcceptedImport,
  errors: ['brand_not_found', 'trial_required', 'selection_changed', 'selection_of_other_filter', 'too_many_imports'],
});

/** How long deleted variants can be restored. */
export const RESTORABLE_DAYS = 30;

export const Deletion = Type.Object({
  id: Id,
  deleted_by: Type.Union([Type.Object({ first_name: Type.String(), last_name: Type.String(), email: Type.String() }), Type.Null()]),
  created_at: Type.String({ format: 'date-time' }),
  variants: Count,
  first_variants: Type.Optional(
    Type.Array(Type.Object({ gtin: Type.String(), name: Type.String() }), {
      description: 'Some of them, to know the deletion by. None once it is restored.',
    }),
  ),
  restored_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  restorable: Type.Boolean(),
});
export type Deletion = Static<typeof Deletion>;

export const listDeletions = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/deletions/',
  summary: `The last ${RESTORABLE_DAYS} days' deletions of variants, newest first`,
  description: 'The newest 100; `count` tells how many there are.',
  tag,
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: Page(Deletion),
  errors: ['brand_not_found'],
});

export const restoreDeletion = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/deletions/:deletionId/restore/',
  summary: 'Bring deleted variants back',
  description: `With their ids and the certificates that still exist; those that were published are sent to the channel again. Restoring twice changes nothing. ${ACCEPTED_LATER}`,
  tag,
  access: 'editor',
  params: Type.Object({ brandId: Id, deletionId: Id }),
  status: 200,
  response: RestoreResult,
  accepted: AcceptedImport,
  errors: ['brand_not_found', 'deletion_not_found', 'too_many_imports'],
});
