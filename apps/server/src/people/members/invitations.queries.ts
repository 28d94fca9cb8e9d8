import type { OwnInvitation } from '@brand-portal/contract/members';
import type { Role } from '@brand-portal/contract/roles';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Value } from '../../db/fragments.ts';
import type { Schema } from '../../db/schema.ts';

export interface OpenInvitation {
  /** Null: of platform staff. */
  readonly brand_id: number | null;
  readonly user_id: number;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly brand_name: string;
  readonly role: Role;
  readonly verified: boolean;
  /** Opened by a link that an admin passed on: the e-mail is not verified yet. */
  readonly is_copied: boolean;
}

/** Longer than the provider's timeout. If a server crashes, it blocks the invitation no longer than this. */
export const SETUP_LEASE: Value<string> = sql`interval '30 seconds'`;
const KEEP_EXPIRED: Value<string> = sql`interval '30 days'`;
const now = sql<Date>`now()`;

/** An existing invitation stays, but its link stops working. */
export async function upsertInvitation(
  db: Db,
  invitation: Pick<Insertable<Schema['invitations']>, 'brand_id' | 'user_id' | 'first_name' | 'last_name' | 'language' | 'invited_by'>,
): Promise<void> {
  const noLink = {
    token_hash: null,
    expires_at: null,
    email_verified_at: null,
    link_hash: null,
    link_expires_at: null,
  };
  await db
    .insertInto('invitations')
    .values({ ...invitation, ...noLink, setup_started_at: null })
    .onConflict((conflict) => conflict.columns(['brand_id', 'user_id']).doUpdateSet(noLink))
    .execute();
}

/** Invitations that expired long ago were deleted, but their memberships stay. */
export async function insertMissingInvitation(
  db: Db,
  invitation: Pick<Insertable<Schema['invitations']>, 'brand_id' | 'user_id' | 'language' | 'invited_by'>,
): Promise<void> {
  await db
    .insertInto('invitations')
    .values(invitation)
    .onConflict((conflict) => conflict.columns(['brand_id', 'user_id']).doNothing())
    .execute();
}

/** Replaces the link, and resets the verification, which was made with the old one. Undefined if there is no invitation. */
export function updateToken(
  db: Db,
  { brandId, userId, tokenHash, days }: { brandId: number; userId: number; tokenHash: Buffer; days: number },
): Promise<Pick<Schema['invitations'], 'language' | 'invited_by'> | undefined> {
  return db
    .updateTable('invitations')
    .set({
      token_hash: tokenHash,
      expires_at: sql`now() + make_interval(days => ${days})`,
      email_verified_at: null,
    })
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .returning(['language', 'invited_by'])
    .executeTakeFirst();
}

/** Returns until when it works. The link in the mail keeps working. */
export async function updateCopiedLink(
  db: Db,
  { brandId, userId, linkHash, days }: { brandId: number; userId: number; linkHash: Buffer; days: number },
): Promise<Date> {
  const { link_expires_at } = await db
    .updateTable('invitations')
    .set({ link_hash: linkHash, link_expires_at: sql<Date>`now() + make_interval(days => ${days})` })
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .returning(sql<Date>`link_expires_at`.as('link_expires_at'))
    .executeTakeFirstOrThrow();
  return link_expires_at;
}

/** Not found if it was used, replaced, withdrawn or has expired. */
export function findOpenInvitation(db: Db, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  return db
    .selectFrom('invitations as i')
    .innerJoin('brand_members as m', (join) => join.onRef('m.brand_id', '=', 'i.brand_id').onRef('m.user_id', '=', 'i.user_id'))
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .innerJoin('brands as b', 'b.id', 'i.brand_id')
    .select(['i.brand_id', 'i.user_id', 'u.email', 'i.first_name', 'i.last_name', 'b.name as brand_name', 'm.role'])
    .select(sql<boolean>`i.token_hash is not distinct from ${tokenHash} and i.email_verified_at is not null`.as('verified'))
    .select(sql<boolean>`i.token_hash is distinct from ${tokenHash}`.as('is_copied'))
    .where((eb) =>
      eb.or([
        eb('i.token_hash', '=', tokenHash).and('i.expires_at', '>', now),
        eb('i.link_hash', '=', tokenHash).and('i.link_expires_at', '>', now),
      ]),
    )
    .where('m.status', '=', 'invited')
    .where('b.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The open invitations of one person, newest first. */
export function listInvitationsOf(db: Db, userId: number): Promise<(Omit<OwnInvitation, 'invited_by'> & Inviter)[]> {
  return (
    db
      .selectFrom('brand_members as m')
      .innerJoin('brands as b', 'b.id', 'm.brand_id')
      .innerJoin('invitations as i', (join) => join.onRef('i.brand_id', '=', 'm.brand_id').onRef('i.user_id', '=', 'm.user_id'))
      .leftJoin('users as u', 'u.id', 'i.invited_by')
      .select(['m.brand_id', 'b.name as brand_name', 'm.role', 'u.first_name', 'u.last_name', 'u.email'])
      .where('m.user_id', '=', userId)
      .where('m.status', '=', 'invited')
      .where('b.deleted_at', 'is', null)
      // Expires with the last of its links, as in the list of the team. Until a mail is sent, it does not expire.
      .where(sql<boolean>`coalesce(greatest(i.expires_at, i.link_expires_at) > now(), true)`)
      .orderBy('m.created_at', 'desc')
      .orderBy('m.brand_id', 'desc')
      .execute()
  );
}

interface Inviter {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
}

/** Returns whether this call verified it. */
export async function updateEmailVerified(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ email_verified_at: now })
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the lease, which is needed to release it. Undefined if someone else holds it. */
export async function takeSetupLease(db: Db, tokenHash: Buffer): Promise<Date | undefined> {
  const row = await db
    .updateTable('invitations')
    // As text: JavaScript's dates have no microseconds, and the time identifies the lease.
    .set({ setup_started_at: sql`date_trunc('milliseconds', clock_timestamp())` })
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('email_verified_at', 'is not', null)
    .where((eb) => eb.or([eb('setup_started_at', 'is', null), eb('setup_started_at', '<', sql<Date>`now() - ${SETUP_LEASE}`)]))
    .returning('setup_started_at')
    .executeTakeFirst();
  return row?.setup_started_at ?? undefined;
}

/** An invitation with which someone is setting up an account. */
export interface HeldInvitation {
  readonly brandId: number;
  readonly userId: number;
  readonly lease: Date;
}

export async function returnSetupLease(db: Db, { brandId, userId, lease }: HeldInvitation): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ setup_started_at: null })
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .where('setup_started_at', '=', lease)
    .execute();
}

/** Marks it as used. False if it is gone, or the lease is someone else's. */
export async function deleteHeldInvitation(db: Db, { brandId, userId, lease }: HeldInvitation): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .where('setup_started_at', '=', lease)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteInvitation(db: Db, brandId: number, userId: number): Promise<void> {
  await db.deleteFrom('invitations').where('brand_id', '=', brandId).where('user_id', '=', userId).execute();
}

/** The membership stays invited, and the invitation can be sent again. */
export async function deleteLongExpiredInvitations(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where(sql<boolean>`greatest(expires_at, link_expires_at) < now() - ${KEEP_EXPIRED}`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
