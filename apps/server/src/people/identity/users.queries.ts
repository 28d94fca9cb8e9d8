import { emailKey } from '@brand-portal/contract/people';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type UserRow = Selectable<Schema['users']>;

export function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserBySubject(db: Db, subject: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('provider_subject', '=', subject).executeTakeFirst();
}

/** Ignores case. `forShare` keeps the user from being linked to an account until the transaction ends. */
export function findUserByEmail(db: Db, email: string, { forShare = false } = {}): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('email_key', '=', emailKey(email))
    .$if(forShare, (query) => query.forShare())
    .executeTakeFirst();
}

/** Inserts nothing and returns undefined if the e-mail or the subject exists. */
export function insertUser(db: Db, user: Insertable<Schema['users']>): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function updateUser(db: Db, id: number, changes: Updateable<Schema['users']>): Promise<UserRow> {
  return db.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}
