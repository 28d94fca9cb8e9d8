import type { PasswordChange } from '@brand-portal/contract/account';
import { PASSWORD_MIN_LENGTH } from '@brand-portal/contract/constants';
import { brokenPasswordRules, type PasswordRule } from '@brand-portal/contract/onboarding';
import { AppError } from '../../lib/errors.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** The management side of the identity provider: creates and changes accounts. */
export interface IdentityDirectory {
  /**
   * Creates an account with a verified e-mail. If it exists, its password is set, as after a reset: the caller has a link that was sent
   * to that e-mail. So the call can be repeated if its response was lost.
   */
  createOrUpdateUser(person: Person): Promise<{ subject: string }>;
  /** How an account's password is changed. Undefined: not through the portal. */
  passwordChange?(subject: string): PasswordChange;
  /** Makes the provider send a link to change the password. */
  mailPasswordLink?(email: string): Promise<void>;
  /** Undefined: the account at the provider stays, and its next sign-in creates a new user without brands. */
  deleteUser?(subject: string): Promise<void>;
}

const PASSWORD_MESSAGES: Readonly<Record<PasswordRule, string>> = {
  length: `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`,
  uppercase: 'Password must contain at least one uppercase letter',
  lowercase: 'Password must contain at least one lowercase letter',
  number: 'Password must contain at least one number',
  special: 'Password must contain at least one special character',
};

/** The browser checks the same rules first. */
export function checkPassword(password: string): void {
  const messages = brokenPasswordRules(password).map((rule) => PASSWORD_MESSAGES[rule]);
  if (messages.length > 0) throw passwordTooWeak(messages.join('. '));
}

export function passwordTooWeak(reason: string): AppError {
  return new AppError('password_too_weak', 'Please fix password requirements', { password: reason });
}
