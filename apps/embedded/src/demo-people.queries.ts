import type { Db } from '@brand-portal/server/db/database.ts';
import { tables } from './db/tables.ts';

export async function listAccounts(db: Db, emailKeys: readonly string[]): Promise<string[]> {
  const rows = await tables(db).selectFrom('idp_accounts').select('email').where('email_key', 'in', emailKeys).execute();
  return rows.map(({ email }) => email);
}

/** Returns the subjects of the deleted accounts. */
export async function deleteAccounts(db: Db, emailKeys: readonly string[]): Promise<string[]> {
  const rows = await tables(db).deleteFrom('idp_accounts').where('email_key', 'in', emailKeys).returning('subject').execute();
  return rows.map(({ subject }) => subject);
}

export async function listUserIds(db: Db, emailKeys: readonly string[]): Promise<number[]> {
  const rows = await db.selectFrom('users').select('id').where('email_key', 'in', emailKeys).execute();
  return rows.map(({ id }) => id);
}

/** Also deletes their memberships and sessions. */
export async function deleteUsers(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('users').where('id', 'in', ids).execute();
}

interface DemoBrand {
  readonly id: number;
  readonly name: string;
  /** Whether it has other members, and whether one of them is an owner. */
  readonly has_others: boolean;
  readonly has_other_owner: boolean;
}

/** The brands that one of the users is a member of. */
export function listBrandsOfUsers(db: Db, userIds: readonly number[]): Promise<DemoBrand[]> {
  return db
    .selectFrom('brands as b')
    .innerJoin('brand_members as m', 'm.brand_id', 'b.id')
    .select((eb) => [
      'b.id',
      'b.name',
      eb.fn.agg<boolean>('bool_or', [eb('m.user_id', 'not in', userIds)]).as('has_others'),
      eb.fn.agg<boolean>('bool_or', [eb.and([eb('m.user_id', 'not in', userIds), eb('m.role', '=', 'owner')])]).as('has_other_owner'),
    ])
    .groupBy('b.id')
    .having((eb) => eb.fn.agg<boolean>('bool_or', [eb('m.user_id', 'in', userIds)]))
    .orderBy('b.id')
    .execute();
}
