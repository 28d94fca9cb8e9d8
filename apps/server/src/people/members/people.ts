import { isUnambiguousEmail } from '@brand-portal/contract/people';
import { invalidFields } from '../../lib/errors.ts';
import { singleLine } from '../../mail/single-line.ts';

/** A strict form: no quotes, brackets, lists or stray dots, so that an address cannot be parsed as anything else. */
const MAIL_ADDRESS = /^(?!\.)(?!.*\.[.@])[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

const MAX_ADDRESS_LENGTH = 254;

/** `field`: the name of the field in the request. */
export function toMailAddress(email: string, field: string): string {
  const address = email.trim();
  if (address.length > MAX_ADDRESS_LENGTH || !MAIL_ADDRESS.test(address)) throw invalidFields({ [field]: 'must be an e-mail address' });
  if (!isUnambiguousEmail(address)) {
    throw invalidFields({
      [field]: 'has letters that can be read as others: write those beyond A to Z in lower case, and no forms such as "\u017f" for "s"',
    });
  }
  return address;
}

/** Makes pasted text one line. */
export function toPersonName(name: string | undefined): string {
  return singleLine(name ?? '');
}
