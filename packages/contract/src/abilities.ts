import type { Role } from './roles.ts';

/**
 * What members may do, by resource and the lowest role that may do it: every endpoint that requires a role belongs to
 * one `tag.access`. Written out, not derived, so that the page that shows it does not load every endpoint.
 * abilities.test.ts compares the two.
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
