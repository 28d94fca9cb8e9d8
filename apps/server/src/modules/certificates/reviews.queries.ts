import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { LockedCertificate } from './validation.queries.ts';

export interface Review {
  readonly verdict: 'approved' | 'rejected';
  readonly note: string;
  /** The last day of an approval. */
  readonly expiresOn?: string | undefined;
}

export interface PendingCertificate {
  readonly brand_id: number;
  readonly brand_name: string;
  readonly certification_name: string;
  readonly external_certificate_id: string;
  readonly created_at: Date;
}

/** Brand by brand and by id, as the table's key has them. */
export async function listPending(
  db: Db,
  { brandId, limit }: { brandId?: number | undefined; limit: number },
): Promise<PendingCertificate[]> {
  const { rows } = await sql<PendingCertificate>`
    select c.brand_id, b.name as brand_name, n.name as certification_name, c.external_certificate_id, c.created_at
    from certificates c
    join brands b on b.id = c.brand_id
    join certifications n on n.id = c.certification_id
    where c.status = 'pending' ${brandId === undefined ? sql`` : sql`and c.brand_id = ${brandId}`}
    order by c.brand_id, c.id limit ${limit}
  `.execute(db);
  return rows;
}

export async function lockCertificate(
  db: Db,
  brandId: number,
  certificationId: number,
  externalId: string,
): Promise<(LockedCertificate & { review: Review['verdict'] | null }) | undefined> {
  return db
    .selectFrom('certificates')
    .select(['id', 'certification_id', 'external_certificate_id', 'review'])
    .where('brand_id', '=', brandId)
    .where('certification_id', '=', certificationId)
    .where('external_certificate_id', '=', externalId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Nothing takes a review back. */
export async function updateReview(db: Db, brandId: number, id: number, review: Review | undefined): Promise<void> {
  await sql`
    update certificates
    set review = ${review?.verdict ?? null}, review_note = ${review?.note ?? ''},
      review_expires_on = ${review?.expiresOn ?? null}::date
    where brand_id = ${brandId} and id = ${id}
  `.execute(db);
}

export async function getStatus(db: Db, brandId: number, id: number) {
  return db
    .selectFrom('certificates')
    .select(['status', 'reason'])
    .where('brand_id', '=', brandId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
