import type { Member, Notifications } from '@brand-portal/contract/members';
import type { Role } from '@brand-portal/contract/roles';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export function listMembers(db: Db, brandId: number): Promise<Member[]> {
  return selectMembers(db, brandId).orderBy('m.created_at').orderBy('m.user_id').execute();
}

export function findMember(db: Db, brandId: number, userId: number): Promise<Member | undefined> {
  return selectMembers(db, brandId).where('m.user_id', '=', userId).executeTakeFirst();
}

/** The brand's owners, locked until the transaction ends. */
export function lockOwners(db: Db, brandId: number): Promise<{ user_id: number; status: Member['status'] }[]> {
  return (
    db
      .selectFrom('brand_members')
      .select(['user_id', 'status'])
      .where('brand_id', '=', brandId)
      .where('role', '=', 'owner')
      // Always in the same order, to avoid deadlocks.
      .orderBy('user_id')
      .forUpdate()
      .execute()
  );
}

/** Like `findMember`, locked until the transaction ends. */
export async function lockMember(db: Db, brandId: number, userId: number): Promise<Member | undefined> {
  await db
    .selectFrom('brand_members')
    .select('user_id')
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .forUpdate()
    .execute();
  return findMember(db, brandId, userId);
}

export async function updateMemberRole(db: Db, brandId: number, userId: number, role: Role): Promise<void> {
  await db.updateTable('brand_members').set({ role }).where('brand_id', '=', brandId).where('user_id', '=', userId).execute();
}

export async function deleteMember(db: Db, brandId: number, userId: number): Promise<void> {
  await db.deleteFrom('brand_members').where('brand_id', '=', brandId).where('user_id', '=', userId).execute();
}

export async function activateMember(db: Db, brandId: number, userId: number): Promise<void> {
  await db.updateTable('brand_members').set({ status: 'active' }).where('brand_id', '=', brandId).where('user_id', '=', userId).execute();
}

/** Active owners and admins who have not turned the mails off. Empty for a deleted brand. */
export async function listMailedAdmins(db: Db, brandId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('brand_members as m')
    .innerJoin('brands as b', 'b.id', 'm.brand_id')
    .select('m.user_id')
    .where('m.brand_id', '=', brandId)
    .where('b.deleted_at', 'is', null)
    .where('m.status', '=', 'active')
    .where('m.role', 'in', ['owner', 'admin'])
    .where('m.certificate_mails', '=', true)
    .orderBy('m.user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function findNotifications(db: Db, brandId: number, userId: number): Promise<Notifications | undefined> {
  return db
    .selectFrom('brand_members')
    .select('certificate_mails')
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function updateNotifications(db: Db, brandId: number, userId: number, notifications: Notifications): Promise<void> {
  await db.updateTable('brand_members').set(notifications).where('brand_id', '=', brandId).where('user_id', '=', userId).execute();
}

/** Invited people have the name from this brand's invitation, not the name of their account. */
function selectMembers(db: Db, brandId: number) {
  return db
    .selectFrom('brand_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('invitations as i', (join) => join.onRef('i.brand_id', '=', 'm.brand_id').onRef('i.user_id', '=', 'm.user_id'))
    .select(['u.id', 'u.email', 'm.role', 'm.status'])
    .select([nameOf('first_name').as('first_name'), nameOf('last_name').as('last_name')])
    .where('m.brand_id', '=', brandId);
}

function nameOf(name: 'first_name' | 'last_name') {
  return sql<string>`case when m.status = 'active' then ${sql.ref(`u.${name}`)} else coalesce(${sql.ref(`i.${name}`)}, '') end`;
}
