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
