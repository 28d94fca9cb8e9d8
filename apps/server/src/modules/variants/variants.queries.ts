import type { Role } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';
import { runPrepared } from '../../db/statements.ts';

export interface VariantMembership {
  readonly brand_id: number;
  readonly role: Role;
}

const HAS_VARIANT = { name: 'has variant', text: 'select 1 from variants where brand_id = $1 and id = $2' };

/** There is no index on variants' ids alone: it looks the variant up in each of the member's own brands, and nowhere else. */
export async function findVariantMembership(
  db: Db,
  variantId: number,
  userId: number,
): Promise<VariantMembership | undefined> {
  const memberships = await db
    .selectFrom('brand_members')
    .select(['brand_id', 'role'])
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .orderBy('brand_id')
    .execute();
  for (const membership of memberships) {
    const found = await runPrepared(db, HAS_VARIANT, [membership.brand_id, variantId]);
    if (found.length > 0) return membership;
  }
  return undefined;
}
