import type { Db } from '../../db/database.ts';
import { runPrepared } from '../../db/statements.ts';

const HAS_VARIANT = { name: 'has variant', text: 'select 1 from variants where brand_id = $1 and id = $2' };

/** There is no index on variants' ids alone: it looks the variant up in each of the member's own brands, or in that of a key, and nowhere else. */
export async function findBrandOfVariant(db: Db, variantId: number, userId: number): Promise<number | undefined> {
  const memberships = await db
    .selectFrom('brand_members')
    .select('brand_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .union(db.selectFrom('api_keys').select('brand_id').where('user_id', '=', userId))
    .orderBy('brand_id')
    .execute();
  for (const { brand_id } of memberships) {
    const found = await runPrepared(db, HAS_VARIANT, [brand_id, variantId]);
    if (found.length > 0) return brand_id;
  }
  return undefined;
}
