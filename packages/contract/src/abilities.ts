import type { Role } from './roles.ts';

/**
 * What members do, by resource and the lowest role that may: every endpoint that asks for a role belongs to `tag.access`.
 * Written down instead of derived, so that a page that shows it need not load every endpoint; abilities.test.ts compares the two.
 */
export const ABILITIES = [
  'brands_viewer',
  'variants_viewer',
  'certificates_viewer',
  'import_viewer',
  'publishing_viewer',
  'members_viewer',
  'keys_viewer',
  'history_viewer',
  'variants_editor',
  'certificates_editor',
  'import_editor',
  'publishing_editor',
  'brands_editor',
  'brands_admin',
  'members_admin',
  'publishing_admin',
  'keys_admin',
  'brands_owner',
] as const;
export type Ability = (typeof ABILITIES)[number];

export function roleOfAbility(ability: Ability): Role {
  return ability.slice(ability.lastIndexOf('_') + 1) as Role;
}
