import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** For what concerns no brand. */
const NO_BRAND = 0;

export interface AuditEntry {
  readonly brandId: number | null;
  /** Nobody where the operator's command line or a job did it. */
  readonly userId: number | null;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Written in the transaction of the change it tells of. */
export async function insertAuditEntry(db: Db, { brandId, userId, action, details = {} }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ brand_id: brandId ?? NO_BRAND, user_id: userId, action, details: JSON.stringify(details) })
    .execute();
}

/** How often one of the actions happened in a brand within the last hour, in all and to one member. */
export function countOfLastHour(
  db: Db,
  { brandId, memberId, actions }: { brandId: number; memberId: number; actions: readonly string[] },
): Promise<{ in_brand: number; to_member: number }> {
  return db
    .selectFrom('audit_log')
    .select((eb) => [
      eb.fn.countAll<number>().as('in_brand'),
      eb.fn.countAll<number>().filterWhere(sql`details->>'member_id'`, '=', String(memberId)).as('to_member'),
    ])
    .where('brand_id', '=', brandId)
    .where('action', 'in', [...actions])
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
}

/** Of those that concern no brand. */
export async function deleteOldEntries(db: Db, actions: readonly string[], days: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_log')
    .where('brand_id', '=', NO_BRAND)
    .where('action', 'in', [...actions])
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
