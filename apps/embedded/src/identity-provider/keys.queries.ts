import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
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

/** Does nothing if there is no such secret. */
export function updateSecret<T>(db: Db, name: string, change: (value: T) => T): Promise<void> {
  return inTransaction(db, async (db) => {
    const row = await tables(db).selectFrom('idp_secrets').select('value').where('name', '=', name).forUpdate().executeTakeFirst();
    if (!row) return;
    const value = JSON.stringify(change(row.value as T));
    await tables(db).updateTable('idp_secrets').set({ value }).where('name', '=', name).execute();
  });
}

export async function deleteSecrets(db: Db): Promise<void> {
  await tables(db).deleteFrom('idp_secrets').execute();
}
