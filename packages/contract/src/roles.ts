import { type Static, Type } from 'typebox';

/** In ascending order: each role may do everything that the roles before it may. */
export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;

export const Role = Type.Enum(ROLES);
export type Role = Static<typeof Role>;

export function roleIncludes(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
