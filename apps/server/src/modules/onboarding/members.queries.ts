import type { Member } from '@brand-portal/contract/members';
import type { Role } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';

export function listMembers(db: Db, brandId: number): Promise<Member[]> {
  return selectMembers(db, brandId).orderBy('m.created_at').orderBy('m.user_id').execute();
}

export function findMember(db: Db, brandId: number, userId: number): Promise<Member | undefined> {
  return selectMembers(db, brandId).where('m.user_id', '=', userId).executeTakeFirst();
}

/** The brand's owners, none of whom can be changed by anyone else until the transaction ends. */
export function lockOwners(db: Db, brandId: number): Promise<{ user_id: number; status: Member['status'] }[]> {
  return (
    db
      .selectFrom('brand_members')
      .select(['user_id', 'status'])
      .where('brand_id', '=', brandId)
      .where('role', '=', 'owner')
      // One order for everybody, so that two such transactions wait for each other instead of getting stuck.
      .orderBy('user_id')
      .forUpdate()
      .execute()
  );
}

/** As `findMember`, and nobody else can change the membership until the transaction ends. */
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
  await db
    .updateTable('brand_members')
    .set({ role })
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(db: Db, brandId: number, userId: number): Promise<void> {
  await db.deleteFrom('brand_members').where('brand_id', '=', brandId).where('user_id', '=', userId).execute();
}

export async function activateMember(db: Db, brandId: number, userId: number): Promise<void> {
  await db
    .updateTable('brand_members')
    .set({ status: 'active' })
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .execute();
}

/** Someone who is a member already stays what they are. */
export async function insertActiveMember(db: Db, member: { brand_id: number; user_id: number; role: Role }) {
  await db
    .insertInto('brand_members')
    .values({ ...member, status: 'active' })
    .onConflict((conflict) => conflict.columns(['brand_id', 'user_id']).doNothing())
    .execute();
}

export async function listInvitedBrandIds(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('brand_members')
    .select('brand_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'invited')
    .execute();
  return rows.map((row) => row.brand_id);
}

/** The brands in which this call made them active. */
export async function activateInvitedMembers(db: Db, userId: number): Promise<number[]> {
  const rows = await db
    .updateTable('brand_members')
    .set({ status: 'active' })
    .where('user_id', '=', userId)
    .where('status', '=', 'invited')
    .returning('brand_id')
    .execute();
  return rows.map((row) => row.brand_id);
}

function selectMembers(db: Db, brandId: number) {
  return db
    .selectFrom('brand_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.first_name', 'u.last_name', 'm.role', 'm.status'])
    .where('m.brand_id', '=', brandId);
}
