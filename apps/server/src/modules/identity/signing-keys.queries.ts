import { type Selectable, sql } from 'kysely';
import { type Db, inTransaction } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type NewSigningKey = Pick<Selectable<Schema['signing_keys']>, 'id' | 'secret'>;

/** Whether it signs is said by the database: the clocks of servers differ, and a key must not be used before all know it. */
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

export async function deleteSigningKeys(db: Db): Promise<void> {
  await db.deleteFrom('signing_keys').execute();
}

/** Keys whose successor has been signing for so long have signed nothing that is still valid. */
export async function deleteReplacedSigningKeys(db: Db, replacedForMs: number): Promise<void> {
  await sql`
    delete from signing_keys old
    where exists (
      select from signing_keys newer where newer.active_from > old.active_from and newer.active_from < now() - ${replacedForMs} * interval '1 millisecond'
    )
  `.execute(db);
}
