import type { PasswordChange } from '@brand-portal/contract/account';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** Where accounts are made: the identity provider, seen from its back door. */
export interface IdentityDirectory {
  /**
   * Makes an account with a verified e-mail. One that has the e-mail already gets the password instead, as after a reset:
   * whoever asks holds a link that was mailed there. So a call whose answer got lost can be made again.
   */
  createOrUpdateUser(person: Person): Promise<{ subject: string }>;
  /** How an account's password is changed. Absent: not through the portal. */
  passwordChange?(subject: string): PasswordChange;
  /** Has the provider mail a link to change the password by. */
  mailPasswordLink?(email: string): Promise<void>;
  /** Absent: the account there stays, and its next sign-in makes a new user without brands. */
  deleteUser?(subject: string): Promise<void>;
}
