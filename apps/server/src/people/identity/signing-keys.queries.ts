import { type Selectable, sql } from 'kysely';
import { type Db, inTransaction } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type NewSigningKey = Pick<Selectable<Schema['signing_keys']>, 'id' | 'secret'>;

/** The database decides whether a key signs: clocks of servers differ, and all servers must know a key before it is used. */
export interface SigningKeyRow extends NewSigningKey {
  readonly is_active: boolean;
}

/** Newest first. */
export function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('signing_keys')
    .select(['id', 'secret', sql<boolean>`active_from <= now()`.as('is_active')])
    .orderBy('active_from', 'desc')
    .execute();
}

export async function insertSigningKey(db: Db, key: NewSigningKey, activeAfterMs = 0): Promise<void> {
  const active_from = sql<Date>`now() + ${activeAfterMs} * interval '1 millisecond'`;
  await db
    .insertInto('signing_keys')
    .values({ ...key, active_from })
    .execute();
}

/** Servers that start at the same time on an empty database get the same key. */
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

export async function deleteSigningKeys(db: Db): Promise<void> {
  await db.deleteFrom('signing_keys').execute();
}

/** Deletes keys whose successor has been signing for that long: their tokens have expired. */
export async function deleteReplacedSigningKeys(db: Db, replacedForMs: number): Promise<void> {
  await sql`
    delete from signing_keys old
    where exists (
      select from signing_keys newer where newer.active_from > old.active_from and newer.active_from < now() - ${replacedForMs} * interval '1 millisecond'
    )
  `.execute(db);
}
