import { type Static, Type } from 'typebox';
import { MAX_CHOSEN_ROWS } from './exports.ts';
import { Id } from './paging.ts';

const Count = Type.Integer({ minimum: 0 });

/** Why an action skipped a variant. */
const SKIP_REASONS = ['not_found', 'already_published', 'already_unpublished'] as const;

export const VariantActionResult = Type.Object({
  changed: Count,
  skipped: Type.Array(Type.Object({ reason: Type.Enum([...SKIP_REASONS]), count: Count })),
  deletion_id: Type.Union([Id, Type.Null()], { description: 'Of a delete that deleted something: to be restored by.' }),
  unpublished_ids: Type.Optional(
    Type.Array(Id, {
      description: `Of an unpublish that changed no more than ${MAX_CHOSEN_ROWS}: those that it changed. Publishing them is its undo.`,
    }),
  ),
});
export type VariantActionResult = Static<typeof VariantActionResult>;

export const RestoreResult = Type.Object({
  restored: Count,
  kept: Type.Integer({
    minimum: 0,
    description: 'Not restored: their GTIN was created again meanwhile, or the import that created them was undone.',
  }),
});
export type RestoreResult = Static<typeof RestoreResult>;
