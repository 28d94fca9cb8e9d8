import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export async function findSecret(db: Db, name: string): Promise<unknown> {
  const row = await db.selectFrom('idp_secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Of two processes that start together one wins; both then read the winner's value. */
export async function insertSecretUnlessPresent(db: Db, name: string, value: unknown): Promise<void> {
  await db
    .insertInto('idp_secrets')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Puts a value in front of a list and keeps the one that was in front before. Nothing happens where there is no such list. */
export async function pushSecret(db: Db, name: string, value: unknown): Promise<void> {
  await db
    .updateTable('idp_secrets')
    .set({ value: sql`jsonb_build_array(${JSON.stringify(value)}::jsonb, value -> 0)` })
    .where('name', '=', name)
    .execute();
}

export async function deleteSecrets(db: Db): Promise<void> {
  await db.deleteFrom('idp_secrets').execute();
}
