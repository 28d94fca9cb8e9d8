import type { Role } from '@brand-portal/contract/roles';
import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export function findMembership(db: Db, brandId: number, userId: number): Promise<{ role: Role } | undefined> {
  return db
    .selectFrom('brand_members')
    .select('role')
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
}

export async function insertMembership(db: Db, membership: Insertable<Schema['brand_members']>): Promise<void> {
  await db.insertInto('brand_members').values(membership).execute();
}
