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
}
