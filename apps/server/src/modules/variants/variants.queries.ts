import type { Role } from '@brand-portal/contract/roles';
import type { Db } from '../../db/database.ts';

export interface VariantMembership {
  readonly brand_id: number;
  readonly role: Role;
}

/** There is no index on variants' ids alone: it looks the variant up in each of the member's own brands, and nowhere else. */
export async function findVariantMembership(
  db: Db,
  variantId: number,
  userId: number,
): Promise<VariantMembership | undefined> {
  return db
    .selectFrom('brand_members as m')
    .innerJoin('variants as v', (join) => join.onRef('v.brand_id', '=', 'm.brand_id').on('v.id', '=', variantId))
    .select(['m.brand_id', 'm.role'])
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'active')
    .executeTakeFirst();
}
