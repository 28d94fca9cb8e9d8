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
  /** Of an action on many: those that it changed. */
  readonly variantIds?: readonly number[];
}

/** As many as a member can choose at once. */
const MAX_NAMED_VARIANTS = 10_000;

/** Written in the transaction of the change it tells of. */
export async function insertAuditEntry(
  db: Db,
  { brandId, userId, action, details = {}, variantIds = [] }: AuditEntry,
): Promise<void> {
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

/** Takes the person's address out of what a brand has on record about them. */
export async function updateAddressesOf(db: Db, brandId: number, userId: number): Promise<void> {
  await sql`
    update audit_log set details = details - 'email'
    where brand_id = ${brandId} and details->>'member_id' = ${String(userId)} and details ? 'email'
  `.execute(db);
}

/** Of those that concern no brand, with the network addresses in them. */
export async function deleteEntriesOf(db: Db, userId: number, actions: readonly string[]): Promise<void> {
  await db
    .deleteFrom('audit_log')
    .where('brand_id', '=', NO_BRAND)
    .where('user_id', '=', userId)
    .where('action', 'in', [...actions])
    .execute();
}
