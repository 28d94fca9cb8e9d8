import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';

/** Whether this call is the one that changed it. The delivery is written by a trigger in the same statement. */
export async function updatePublished(
  db: Db,
  brandId: number,
  variantId: number,
  published: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('variants')
    .set({ published })
    .where('brand_id', '=', brandId)
    .where('id', '=', variantId)
    .where('published', '!=', published)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Takes turns with imports of the brand, which change its variants in an order of their own. Waits for 5 s at the most: an import of
 * 100,000 rows is through by then, and behind a larger one the call's 10 s would end without an answer.
 */
export async function lockBrand(db: Db, brandId: number): Promise<void> {
  await setForTransaction(db, { lock_timeout: '5s' });
  await sql`select from brands where id = ${brandId} for no key update`.execute(db);
}

/** How many were not published before. */
export async function updateAllToPublished(db: Db, brandId: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('variants')
    .set({ published: true })
    .where('brand_id', '=', brandId)
    .where('published', '=', false)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Committed with what is to be delivered; one job stands for all that waits. The key is the brand's: whoever queues a job of
 * the same key waits until this transaction ends, and that must not be another brand.
 */
export async function insertDeliveryJob(db: Db, brandId: number | 'any'): Promise<void> {
  await sql`
    select graphile_worker.add_job('deliver', queue_name => 'channel', job_key => ${`deliver:${brandId}`}, max_attempts => 1)
  `.execute(db);
}

/** Wakes a worker up after so long, instead of when it was to be woken up before. */
export async function insertLaterDeliveryJob(db: Db, delayMs: number): Promise<void> {
  await sql`
    select graphile_worker.add_job('deliver', queue_name => 'channel', job_key => 'deliver-later', max_attempts => 1,
      run_at => now() + ${delayMs} * interval '1 millisecond')
  `.execute(db);
}
