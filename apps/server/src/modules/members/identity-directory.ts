import type { PasswordChange } from '@brand-portal/contract/account';

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
