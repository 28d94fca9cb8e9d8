import { Type } from 'typebox';
import { LONGEST_PERSON_NAME } from './constants.ts';

export const EmailAddress = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
export const PersonName = Type.String({ maxLength: LONGEST_PERSON_NAME });

/** Empty for someone whose name nobody knows yet. */
export function fullName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`.trim();
}
