import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export interface KnownCertificate {
  readonly id: number;
  readonly certification_id: number;
  readonly external_certificate_id: string;
  readonly id_key: string;
}

/** The brand's next certificates by id. */
export async function listCertificatesAfter(
  db: Db,
  brandId: number,
  { after, limit }: { after: number; limit: number },
): Promise<KnownCertificate[]> {
  return db
    .selectFrom('certificates')
    .select(['id', 'certification_id', 'external_certificate_id', 'id_key'])
    .where('brand_id', '=', brandId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function listIdPatterns(db: Db): Promise<{ id: number; id_pattern: string }[]> {
  return db
    .selectFrom('certifications')
    .select(['id', 'id_pattern'])
    .where('id_pattern', 'is not', null)
    .$narrowType<{ id_pattern: string }>()
    .execute();
}

export async function hasCertificatesOf(db: Db, brandId: number, certificationId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from certificates where brand_id = ${brandId} and certification_id = ${certificationId} limit 1
  `.execute(db);
  return rows.length > 0;
}

export interface PendingCertificate {
  readonly brand_id: number;
  readonly brand_name: string;
  readonly certification_name: string;
  readonly external_certificate_id: string;
  readonly created_at: Date;
}

export async function listPending(
  db: Db,
  brand: { readonly id: number; readonly name: string },
  limit: number,
): Promise<PendingCertificate[]> {
  const { rows } = await sql<PendingCertificate>`
    select c.brand_id, ${brand.name}::text as brand_name, n.name as certification_name, c.external_certificate_id, c.created_at
    from certificates c join certifications n on n.id = c.certification_id
    where c.brand_id = ${brand.id} and c.status = 'pending' order by c.id limit ${limit}
  `.execute(db);
  return rows;
}

export async function findCertificate(
  db: Db,
  brandId: number,
  certificationId: number,
  key: string,
): Promise<(KnownCertificate & { review: 'approved' | 'rejected' | null }) | undefined> {
  return db
    .selectFrom('certificates')
    .select(['id', 'certification_id', 'external_certificate_id', 'id_key', 'review'])
    .where('brand_id', '=', brandId)
    .where('certification_id', '=', certificationId)
    .where('id_key', '=', key)
    .executeTakeFirst();
}

export async function getStatus(db: Db, brandId: number, id: number) {
  return db
    .selectFrom('certificates')
    .select(['status', 'reason'])
    .where('brand_id', '=', brandId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
