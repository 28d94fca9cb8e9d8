import type { Notice } from '@brand-portal/contract/account';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Brands that somebody gets mails about: those that they are an owner or admin of. */
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
  /** It can be restored for some days; nobody needs to own it. */
  readonly is_deleted: boolean;
}

/** Invitations included. The brands are neither deleted nor restored until the transaction ends; nobody else waits. */
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
