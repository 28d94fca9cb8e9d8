import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The brand id of entries that concern no brand. */
const NO_BRAND = 0;

export interface AuditEntry {
  readonly brandId: number | null;
  /** Null: done by a job or on the operator's command line. */
  readonly userId: number | null;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The variants that a bulk action changed. */
  readonly variantIds?: readonly number[];
}

/** As many as a member can select at once. */
const MAX_NAMED_VARIANTS = 10_000;

/** Call it in the transaction of the change. */
export async function insertAuditEntry(db: Db, { brandId, userId, action, details = {}, variantIds = [] }: AuditEntry): Promise<void> {
  const { id } = await db
    .insertInto('audit_log')
    .values({ brand_id: brandId ?? NO_BRAND, user_id: userId, action, details: JSON.stringify(details) })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (variantIds.length === 0) return;
  await sql`
    insert into audit_variants (brand_id, variant_id, audit_id)
    select ${brandId}::bigint, variant_id, ${id}::bigint from unnest(${variantIds.slice(0, MAX_NAMED_VARIANTS)}::bigint[]) variant_id
  `.execute(db);
}

/** Counts the actions of the last hour in a brand: in total, and those about one member. */
export function countInLastHour(
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

/** Deletes only entries that concern no brand. */
export async function deleteOldEntries(db: Db, actions: readonly string[], days: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_log')
    .where('brand_id', '=', NO_BRAND)
    .where('action', 'in', [...actions])
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes the person's address from the brand's entries about them. */
export async function updateAddressesOf(db: Db, brandId: number, userId: number): Promise<void> {
  await sql`
    update audit_log set details = details - 'email'
    where brand_id = ${brandId} and details->>'member_id' = ${String(userId)} and details ? 'email'
  `.execute(db);
}

/** Deletes the person's entries that concern no brand, including the network addresses in them. */
export async function deleteEntriesOf(db: Db, userId: number, actions: readonly string[]): Promise<void> {
  await db
    .deleteFrom('audit_log')
    .where('brand_id', '=', NO_BRAND)
    .where('user_id', '=', userId)
    .where('action', 'in', [...actions])
    .execute();
}
