import type { Role } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';

export function findMembership(db: Db, brandId: number, userId: number): Promise<{ role: Role } | undefined> {
  return db
    .selectFrom('brand_members')
    .select('role')
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
}
