import { Type } from 'typebox';
import { MAX_PERSON_NAME_LENGTH } from './constants.ts';

export const EmailAddress = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
/**
 * What makes two spellings of an address one person. Only A to Z are folded, as the database does it in its column
 * `email_key`: Unicode's folding makes "ceo@bigcorp.example" of an address with a dotted capital I, and another person's mailbox
 * would count as one's own.
 */
export function emailKey(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Whether every system reads the address in the same way. Letters that some systems fold into others are refused (a Kelvin sign,
 * a long s, fullwidth letters), and so are capitals beyond A to Z and letters that nobody sees.
 */
export function isUnambiguousEmail(email: string): boolean {
  const key = emailKey(email);
  const folded = key.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded === key && !/\p{Default_Ignorable_Code_Point}/u.test(key);
}

export const PersonName = Type.String({ maxLength: MAX_PERSON_NAME_LENGTH });

/** Empty for someone whose name nobody knows yet. */
export function fullName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`.trim();
}
