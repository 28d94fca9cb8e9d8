import type { OwnInvitation } from '@brand-portal/contract/members';
import type { Role } from '@brand-portal/contract/roles';
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export interface OpenInvitation {
  readonly brand_id: number;
  readonly user_id: number;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly brand_name: string;
  readonly role: Role;
  readonly verified: boolean;
  /** By a link that an admin handed over: the mail has yet to prove the address. */
  readonly is_copied: boolean;
}

/** Longer than the provider may take to answer; a server that dies meanwhile blocks its invitation no longer than this. */
const LEASE = sql`interval '30 seconds'`;
const KEEP_EXPIRED = sql`interval '30 days'`;
const now = sql<Date>`now()`;

/** One that is there already stays, but the link that was sent for it stops working. */
export async function upsertInvitation(
  db: Db,
  invitation: Pick<
    Insertable<Schema['invitations']>,
    'brand_id' | 'user_id' | 'first_name' | 'last_name' | 'language' | 'invited_by'
  >,
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

/** Long expired ones are deleted, their memberships stay. */
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

/** Replaces the link. What was verified was verified by the old one. Nothing is returned when nobody is invited. */
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

/** Until when it works. The link in the mail goes on working. */
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

/** Used up, replaced, withdrawn and expired ones are not there. */
export function findOpenInvitation(db: Db, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  return db
    .selectFrom('invitations as i')
    .innerJoin('brand_members as m', (join) =>
      join.onRef('m.brand_id', '=', 'i.brand_id').onRef('m.user_id', '=', 'i.user_id'),
    )
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .innerJoin('brands as b', 'b.id', 'i.brand_id')
    .select(['i.brand_id', 'i.user_id', 'u.email', 'i.first_name', 'i.last_name', 'b.name as brand_name', 'm.role'])
    .select(
      sql<boolean>`i.token_hash is not distinct from ${tokenHash} and i.email_verified_at is not null`.as('verified'),
    )
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

/** The brands that wait for the answer of one person, the latest first. */
export function listInvitationsOf(db: Db, userId: number): Promise<(Omit<OwnInvitation, 'invited_by'> & Inviter)[]> {
  return (
    db
      .selectFrom('brand_members as m')
      .innerJoin('brands as b', 'b.id', 'm.brand_id')
      .innerJoin('invitations as i', (join) =>
        join.onRef('i.brand_id', '=', 'm.brand_id').onRef('i.user_id', '=', 'm.user_id'),
      )
      .leftJoin('users as u', 'u.id', 'i.invited_by')
      .select(['m.brand_id', 'b.name as brand_name', 'm.role', 'u.first_name', 'u.last_name', 'u.email'])
      .where('m.user_id', '=', userId)
      .where('m.status', '=', 'invited')
      .where('b.deleted_at', 'is', null)
      // For as long as the link of the same mail works; until that is sent, there is no end.
      .where((eb) => eb.or([eb('i.expires_at', 'is', null), eb('i.expires_at', '>', now)]))
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

/** Whether this call is the one that verified it. */
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

/** The lease, by which it is given back; nothing when somebody else holds it. */
export async function takeSetupLease(db: Db, tokenHash: Buffer): Promise<Date | undefined> {
  const row = await db
    .updateTable('invitations')
    // JavaScript's dates have no microseconds, and the lease must be recognised by its time.
    .set({ setup_started_at: sql`date_trunc('milliseconds', clock_timestamp())` })
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('email_verified_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('setup_started_at', 'is', null), eb('setup_started_at', '<', sql<Date>`now() - ${LEASE}`)]),
    )
    .returning('setup_started_at')
    .executeTakeFirst();
  return row?.setup_started_at ?? undefined;
}

/** One that somebody is setting up an account with. */
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

/** Uses it up; false when it is gone, or somebody else's by now. */
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

/** The membership stays invited, and the invitation can still be sent again. */
export async function deleteLongExpiredInvitations(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('expires_at', '<', sql<Date>`now() - ${KEEP_EXPIRED}`)
    .where((eb) => eb.or([eb('link_expires_at', 'is', null), eb('link_expires_at', '<', now)]))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
