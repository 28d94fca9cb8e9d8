import { type Insertable, type Selectable, sql } from 'kysely';
import { type Db, inTransaction } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type SigningKeyRow = Selectable<Schema['signing_keys']>;
export type NewSigningKey = Insertable<Schema['signing_keys']>;

/** Newest first. */
export function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('active_from', 'desc').execute();
}

export async function insertSigningKey(db: Db, key: NewSigningKey): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

/** Servers that start together on an empty database agree on one key. */
export function insertFirstSigningKey(db: Db, key: NewSigningKey): Promise<void> {
  return inTransaction(db, async (db) => {
    await sql`lock table signing_keys in share row exclusive mode`.execute(db);
    const { keys } = await db
      .selectFrom('signing_keys')
      .select((eb) => eb.fn.countAll<number>().as('keys'))
      .executeTakeFirstOrThrow();
    if (keys === 0) await insertSigningKey(db, key);
  });
}

/** Keys whose successor signs since before the given time have signed nothing that is still valid. */
export async function deleteSigningKeysReplacedBefore(db: Db, time: Date): Promise<void> {
  await sql`
    delete from signing_keys old
    where exists (
      select from signing_keys newer where newer.active_from > old.active_from and newer.active_from < ${time}
    )
  `.execute(db);
}
