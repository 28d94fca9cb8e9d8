import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** One that still waits for the brand is replaced; one that runs is followed by another. */
const addJob = sql`
  graphile_worker.add_job(
    'validate_certificates', json_build_object('brand_id', brand_id), job_key => 'validate_certificates:' || brand_id)`;

export async function insertValidationJob(db: Db, brandId: number): Promise<void> {
  await sql`select ${addJob} from (values (${brandId}::bigint)) brand (brand_id)`.execute(db);
}

/** For each brand that has certificates of the certification; tells how many those are. */
export async function insertValidationJobs(db: Db, certificationId: number): Promise<number> {
  const { rows } = await sql<{ brands: number }>`
    with affected as materialized (
      select b.id as brand_id from brands b
      where exists (select from certificates c where c.brand_id = b.id and c.certification_id = ${certificationId})
    )
    select count(${addJob}) as brands from affected
  `.execute(db);
  return rows[0]?.brands ?? 0;
}
