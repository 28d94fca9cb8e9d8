import { PASSWORD_MIN_LENGTH } from '@brand-portal/contract/constants';
import { brokenPasswordRules, type PasswordRule } from '@brand-portal/contract/onboarding';
import { AppError } from '../../errors.ts';

const MESSAGES: Readonly<Record<PasswordRule, string>> = {
  length: `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`,
  uppercase: 'Password must contain at least one uppercase letter',
  lowercase: 'Password must contain at least one lowercase letter',
  number: 'Password must contain at least one number',
  special: 'Password must contain at least one special character',
};

/** The browser checks the same rules first. */
export function checkPassword(password: string): void {
  const messages = brokenPasswordRules(password).map((rule) => MESSAGES[rule]);
  if (messages.length > 0) throw passwordTooWeak(messages.join('. '));
}

export function passwordTooWeak(reason: string): AppError {
  return new AppError('password_too_weak', 'Please fix password requirements', { password: reason });
}
