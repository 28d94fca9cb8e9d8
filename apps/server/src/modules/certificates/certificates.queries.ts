import type { BrandCertification } from '@brand-portal/contract/certificates';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** The certifications of which the brand has certificates, by name. */
export async function listCertificationsOf(db: Db, brandId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select n.id from certifications n
    where exists (select from certificates c where c.brand_id = ${brandId} and c.certification_id = n.id)
    order by n.name collate "C", n.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The next certificates of one certification by their ids, in the order of the unique key. */
export async function listCertificatesOf(
  db: Db,
  {
    brandId,
    certificationId,
    after,
    limit,
  }: { brandId: number; certificationId: number; after: string; limit: number },
): Promise<(BrandCertification & { id_key: string })[]> {
  const { rows } = await sql<BrandCertification & { id_key: string }>`
    select c.id, c.id_key, c.external_certificate_id as certificate_id, b.code as certifying_body_code, b.name as certifying_body_name,
      n.name as certification_name, c.status as overall_status, c.reason
    from certificates c
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
    where c.brand_id = ${brandId} and c.certification_id = ${certificationId} and c.id_key > ${after}
    order by c.id_key
    limit ${limit}
  `.execute(db);
  return rows;
}

export async function countVariantsWith(db: Db, brandId: number, certificateId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from variant_certificates where brand_id = ${brandId} and certificate_id = ${certificateId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** For `deleteCertificates`. */
export function certificateWithId(id: number) {
  return sql`id = ${id}`;
}

export async function findCertificateName(
  db: Db,
  brandId: number,
  id: number,
): Promise<{ certification: string; external_certificate_id: string } | undefined> {
  const { rows } = await sql<{ certification: string; external_certificate_id: string }>`
    select n.name as certification, c.external_certificate_id
    from certificates c join certifications n on n.id = c.certification_id
    where c.brand_id = ${brandId} and c.id = ${id}
  `.execute(db);
  return rows[0];
}
