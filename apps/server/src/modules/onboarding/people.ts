import { AppError } from '../../errors.ts';
import { singleLine } from '../mail/single-line.ts';

/** What mail servers take: no quotes, no brackets, no lists, so that nothing in an address can be read as anything else. */
const MAIL_ADDRESS = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

export function toMailAddress(email: string): string {
  const address = email.trim();
  if (!MAIL_ADDRESS.test(address)) {
    throw new AppError('validation_failed', 'email must be an e-mail address', {
      email: 'must be an e-mail address',
    });
  }
  return address;
}

/** A name is one line, whatever was pasted into its field. */
export function toPersonName(name: string | undefined): string {
  return singleLine(name ?? '');
}
