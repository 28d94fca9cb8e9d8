import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { type OpenInvitation, SETUP_LEASE } from './invitations.queries.ts';

/** Replaces an earlier link, and the verification that was made with it. */
export async function upsertStaffInvitation(
  db: Db,
  { userId, tokenHash, days }: { userId: number; tokenHash: Buffer; days: number },
): Promise<void> {
  await sql`
    insert into staff_invitations (user_id, token_hash, expires_at) values (${userId}, ${tokenHash}, now() + make_interval(days => ${days}))
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at, email_verified_at = null,
      setup_started_at = null
  `.execute(db);
}

/** Not found either if the right was taken back, or they have an account by now: the link would set its password. */
export async function findOpenStaffInvitation(db: Db, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select null as brand_id, i.user_id, u.email, u.first_name, u.last_name, '' as brand_name, 'viewer' as role,
      i.email_verified_at is not null as verified, false as is_copied
    from staff_invitations i join users u on u.id = i.user_id
    where i.token_hash = ${tokenHash} and i.expires_at > now() and u.is_staff and u.provider_subject is null
  `.execute(db);
  return rows[0];
}

export async function updateStaffVerified(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`update staff_invitations set email_verified_at = now() where token_hash = ${tokenHash}`.execute(db);
}

/** As `takeSetupLease`. */
export async function takeStaffLease(db: Db, tokenHash: Buffer): Promise<Date | undefined> {
  const { rows } = await sql<{ setup_started_at: Date }>`
    update staff_invitations set setup_started_at = date_trunc('milliseconds', clock_timestamp())
    where token_hash = ${tokenHash} and expires_at > now() and email_verified_at is not null
      and (setup_started_at is null or setup_started_at < now() - ${SETUP_LEASE})
    returning setup_started_at
  `.execute(db);
  return rows[0]?.setup_started_at;
}

export async function returnStaffLease(db: Db, userId: number, lease: Date): Promise<void> {
  await sql`
    update staff_invitations set setup_started_at = null where user_id = ${userId} and setup_started_at = ${lease}
  `.execute(db);
}

/** As `deleteHeldInvitation`. */
export async function deleteHeldStaffInvitation(db: Db, userId: number, lease: Date): Promise<boolean> {
  const { rows } = await sql`
    delete from staff_invitations where user_id = ${userId} and setup_started_at = ${lease} returning user_id
  `.execute(db);
  return rows.length > 0;
}

export async function deleteStaffInvitation(db: Db, userId: number): Promise<void> {
  await sql`delete from staff_invitations where user_id = ${userId}`.execute(db);
}

/** Returns how many rows were deleted. */
export async function deleteExpiredStaffInvitations(db: Db): Promise<number> {
  const { rows } = await sql`delete from staff_invitations where expires_at < now() returning user_id`.execute(db);
  return rows.length;
}
