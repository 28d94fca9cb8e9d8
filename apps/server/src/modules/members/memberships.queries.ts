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

/** Three of those who decide about roles, owners first, by name or else by address. */
export async function listAdministrators(db: Db, brandId: number): Promise<string[]> {
  const people = await db
    .selectFrom('brand_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .where('m.brand_id', '=', brandId)
    .where('m.status', '=', 'active')
    .where('m.role', 'in', ['owner', 'admin'])
    .orderBy('m.role', 'desc')
    .orderBy('u.id')
    .limit(3)
    .execute();
  return people.map(({ first_name, last_name, email }) => `${first_name} ${last_name}`.trim() || email);
}
