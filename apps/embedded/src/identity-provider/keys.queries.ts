import type { Db } from '@brand-portal/server/db/database.ts';
import { tables } from '../db/tables.ts';

export async function findSecret(db: Db, name: string): Promise<unknown> {
  const row = await tables(db).selectFrom('idp_secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** If two processes start together, one insert wins and both read its value. */
export async function insertSecretUnlessPresent(db: Db, name: string, value: unknown): Promise<void> {
  await tables(db)
    .insertInto('idp_secrets')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function deleteSecrets(db: Db): Promise<void> {
  await tables(db).deleteFrom('idp_secrets').execute();
}
