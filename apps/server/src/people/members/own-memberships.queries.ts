import type { Notice } from '@brand-portal/contract/account';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** The brands whose mails a user gets: those where they are owner or admin. */
export function listNoticesOf(db: Db, userId: number): Promise<Notice[]> {
  return db
    .selectFrom('brand_members as m')
    .innerJoin('brands as b', 'b.id', 'm.brand_id')
    .select(['b.id as brand_id', 'b.name as brand_name', 'm.certificate_mails'])
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'active')
    .where('m.role', 'in', ['owner', 'admin'])
    .where('b.deleted_at', 'is', null)
    .orderBy(sql`lower(b.name)`)
    .orderBy('b.id')
    .execute();
}

export interface OwnMembership {
  readonly brand_id: number;
  readonly brand_name: string;
  /** Deleted, and can be restored for some days. It needs no owner. */
  readonly is_deleted: boolean;
}

/** Includes invitations. Locks the brands against deletion and restoring until the transaction ends, without blocking others. */
export function lockMembershipsOf(db: Db, userId: number): Promise<OwnMembership[]> {
  return db
    .selectFrom('brand_members as m')
    .innerJoin('brands as b', 'b.id', 'm.brand_id')
    .select(['b.id as brand_id', 'b.name as brand_name', sql<boolean>`b.deleted_at is not null`.as('is_deleted')])
    .where('m.user_id', '=', userId)
    .orderBy('b.id')
    .forKeyShare('b')
    .execute();
}
