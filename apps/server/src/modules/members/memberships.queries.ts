import type { Role } from '@brand-portal/contract/roles';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { runPrepared } from '../../db/statements.ts';

const IS_BACK = `m.last_seen_at is null or m.last_seen_at < now() - interval '10 minutes'`;
const IS_ACTIVE = `m.status = 'active' and exists (select from brands b where b.id = m.brand_id and b.deleted_at is null)`;

/** One of these runs before nearly every call, so they are prepared. */
const FIND_MEMBERSHIP = {
  name: 'membership',
  text: `select m.role, ${IS_BACK} as is_back from brand_members m where m.brand_id = $1 and m.user_id = $2 and ${IS_ACTIVE}`,
};
const FIND_SESSION_AND_MEMBERSHIP = {
  name: 'session_and_membership',
  text: `
    select s.last_used_at < now() - interval '1 minute' as is_due, m.role, ${IS_BACK} as is_back
    from sessions s left join brand_members m on m.brand_id = $3::bigint and m.user_id = s.user_id and ${IS_ACTIVE}
    where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > now()`,
};

export interface Membership {
  readonly role: Role;
  /** Their last call is more than ten minutes ago. */
  readonly is_back: boolean;
}

export async function findMembership(db: Db, brandId: number, userId: number): Promise<Membership | undefined> {
  const [membership] = await runPrepared<Membership>(db, FIND_MEMBERSHIP, [brandId, userId]);
  return membership;
}

/** The role of the API key that has this user. The key itself was checked before the call. */
export async function findKeyRole(db: Db, brandId: number, userId: number): Promise<Role | undefined> {
  const isKey = db.selectFrom('api_keys').where('user_id', '=', userId).where('brand_id', '=', brandId);
  return (await isKey.select('role').executeTakeFirst())?.role;
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
  const [row] = await runPrepared<{ is_due: boolean; role: Role | null; is_back: boolean }>(
    db,
    FIND_SESSION_AND_MEMBERSHIP,
    [sessionId, userId, brandId ?? null],
  );
  const { role = null, is_back = false } = row ?? {};
  return { session: row, membership: role === null ? undefined : { role, is_back } };
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
