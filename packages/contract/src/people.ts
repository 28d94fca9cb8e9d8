import { Type } from 'typebox';
import { MAX_PERSON_NAME_LENGTH } from './constants.ts';

export const EmailAddress = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
/**
 * Two email addresses with the same key belong to the same person. Only A to Z are lowercased, like the database column
 * `email_key`: Unicode case folding turns an address with a dotted capital I into "ceo@bigcorp.example", so another
 * person's mailbox would count as one's own.
 */
export function emailKey(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Whether all systems read the address in the same way. Refused are letters that some systems fold into others (Kelvin
 * sign, long s, fullwidth letters), capitals other than A to Z, and invisible characters.
 */
export function isUnambiguousEmail(email: string): boolean {
  const key = emailKey(email);
  const folded = key.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded === key && !/\p{Default_Ignorable_Code_Point}/u.test(key);
}

export const PersonName = Type.String({ maxLength: MAX_PERSON_NAME_LENGTH });

/** Empty if the name is not known yet. */
export function fullName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`.trim();
}
