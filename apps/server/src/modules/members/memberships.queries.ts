import type { Role } from '@brand-portal/contract/roles';
import type { Insertable } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { runPrepared } from '../../db/statements.ts';

/** Asked before nearly every call, so each connection plans it once. */
const FIND_MEMBERSHIP = {
  name: 'membership',
  text: `select role from brand_members where brand_id = $1 and user_id = $2 and status = 'active'`,
};

export async function findMembership(db: Db, brandId: number, userId: number): Promise<{ role: Role } | undefined> {
  const [membership] = await runPrepared<{ role: Role }>(db, FIND_MEMBERSHIP, [brandId, userId]);
  return membership;
}

export async function insertMembership(db: Db, membership: Insertable<Schema['brand_members']>): Promise<void> {
  await db.insertInto('brand_members').values(membership).execute();
}
