import type { Notice } from '@brand-portal/contract/account';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { deleteMember } from './members.queries.ts';
import { removeMember } from './members.ts';
import { listNoticesOf, lockMembershipsOf } from './own-memberships.queries.ts';

export async function listNotices(db: Db, userId: number): Promise<{ results: Notice[] }> {
  return { results: await listNoticesOf(db, userId) };
}

/**
 * All or none: refused with the names of the brands that would be left without an owner. Returns the ids of the brands. A deleted brand needs no
 * owner; after its last one has left, it cannot be restored.
 */
export function leaveAllBrands(db: Db, userId: number): Promise<number[]> {
  return inTransaction(db, async (db) => {
    const memberships = await lockMembershipsOf(db, userId);
    const owned: string[] = [];
    for (const { brand_id, brand_name, is_deleted } of memberships) {
      await removeMember(db, userId, brand_id, userId).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'last_owner')) throw error;
        if (is_deleted) return deleteMember(db, brand_id, userId);
        owned.push(brand_name);
      });
    }
    if (owned.length > 0) {
      const context = { brands: owned.join(', ') };
      throw new AppError('account_owns_brands', `Name another owner first: ${context.brands}.`, undefined, context);
    }
    return memberships.map(({ brand_id }) => brand_id);
  });
}
