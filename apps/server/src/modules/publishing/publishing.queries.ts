import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

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
 * Committed with what is to be delivered; one job stands for all that waits. To be called last in its transaction: until
 * that ends, everybody else who queues the same job waits.
 */
export async function insertDeliveryJob(db: Db): Promise<void> {
  await sql`
    select graphile_worker.add_job('deliver', queue_name => 'channel', job_key => 'deliver', max_attempts => 1)
  `.execute(db);
}

/** Wakes a worker up after so long, instead of when it was to be woken up before. */
export async function insertLaterDeliveryJob(db: Db, delayMs: number): Promise<void> {
  await sql`
    select graphile_worker.add_job('deliver', queue_name => 'channel', job_key => 'deliver-later', max_attempts => 1,
      run_at => now() + ${delayMs} * interval '1 millisecond')
  `.execute(db);
}
