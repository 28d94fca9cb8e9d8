import type { Role } from '@brand-portal/contract/roles';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { runPrepared } from '../../db/statements.ts';

/** Asked before nearly every call, so each connection plans it once. */
const FIND_MEMBERSHIP = {
  name: 'membership',
  text: `select m.role, m.last_seen_at is null or m.last_seen_at < now() - interval '10 minutes' as is_back
    from brand_members m join brands b on b.id = m.brand_id
    where m.brand_id = $1 and m.user_id = $2 and m.status = 'active' and b.deleted_at is null`,
};

export interface Membership {
  readonly role: Role;
  /** They have not been seen here for a while. */
  readonly is_back: boolean;
}

export async function findMembership(db: Db, brandId: number, userId: number): Promise<Membership | undefined> {
  const [membership] = await runPrepared<Membership>(db, FIND_MEMBERSHIP, [brandId, userId]);
  return membership;
}

/** Waits for nobody: a membership that is being changed is noted with the next call. */
export async function updateLastSeen(db: Db, brandId: number, userId: number): Promise<void> {
  await sql`
    update brand_members set last_seen_at = now()
    where (brand_id, user_id) = (
      select brand_id, user_id from brand_members where brand_id = ${brandId} and user_id = ${userId} for update skip locked)
  `.execute(db);
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
