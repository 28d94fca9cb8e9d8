import type { BrandStatus } from '@brand-portal/contract/brand-status';
import type { Role } from '@brand-portal/contract/roles';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { runPrepared } from '../../db/statements.ts';

const IS_BACK = `m.last_seen_at is null or m.last_seen_at < now() - interval '10 minutes'`;
const MEMBERSHIPS = `(brand_members m join brands b on b.id = m.brand_id and b.deleted_at is null)`;

/** One of these runs before nearly every call, so they are prepared. */
const FIND_MEMBERSHIP = {
  name: 'membership',
  text: `
    select m.role, b.status as brand_status, ${IS_BACK} as is_back
    from ${MEMBERSHIPS} where m.brand_id = $1 and m.user_id = $2 and m.status = 'active'`,
};
const FIND_SESSION_AND_MEMBERSHIP = {
  name: 'session_and_membership',
  text: `
    select s.last_used_at < now() - interval '1 minute' as is_due, m.role, b.status as brand_status, ${IS_BACK} as is_back
    from sessions s left join ${MEMBERSHIPS} on m.brand_id = $3::bigint and m.user_id = s.user_id and m.status = 'active'
    where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > now()`,
};

export interface Membership {
  readonly role: Role;
  readonly brand_status: BrandStatus;
  /** Their last call is more than ten minutes ago. */
  readonly is_back: boolean;
}

export async function findMembership(db: Db, brandId: number, userId: number): Promise<Membership | undefined> {
  const [membership] = await runPrepared<Membership>(db, FIND_MEMBERSHIP, [brandId, userId]);
  return membership;
}

/** What the API key that has this user may do. The key itself was checked before the call. */
export async function findKeyRights(db: Db, brandId: number, userId: number): Promise<Omit<Membership, 'is_back'> | undefined> {
  const { rows } = await sql<Omit<Membership, 'is_back'>>`
    select k.role, b.status as brand_status from api_keys k join brands b on b.id = k.brand_id
    where k.user_id = ${userId} and k.brand_id = ${brandId}
  `.execute(db);
  return rows[0];
}

interface SessionAndMembership {
  /** Whether its last use has to be stored. Undefined: the session has ended. */
  readonly session: { readonly is_due: boolean } | undefined;
  readonly membership: Membership | undefined;
}

/** One round trip for both: on a busy server each round trip waits for the event loop. */
export async function findSessionAndMembership(
  db: Db,
  { sessionId, userId, brandId }: { sessionId: number; userId: number; brandId: number | undefined },
): Promise<SessionAndMembership> {
  const [row] = await runPrepared<{ is_due: boolean } & (Membership | { role: null })>(db, FIND_SESSION_AND_MEMBERSHIP, [
    sessionId,
    userId,
    brandId ?? null,
  ]);
  return { session: row, membership: row?.role ? row : undefined };
}

/** Does not wait for locks: if the membership is being changed, the next call stores it. */
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

/** Names or e-mails of up to three active members with these roles, the highest role first. */
export async function listNames(db: Db, brandId: number, roles: readonly Role[]): Promise<string[]> {
  const people = await db
    .selectFrom('brand_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .where('m.brand_id', '=', brandId)
    .where('m.status', '=', 'active')
    .where('m.role', 'in', roles)
    .orderBy('m.role', 'desc')
    .orderBy('u.id')
    .limit(3)
    .execute();
  return people.map(({ first_name, last_name, email }) => `${first_name} ${last_name}`.trim() || email);
}
