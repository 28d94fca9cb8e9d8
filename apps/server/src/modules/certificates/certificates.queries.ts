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
): Promise<BrandCertification[]> {
  const { rows } = await sql<BrandCertification>`
    select c.external_certificate_id as certificate_id, b.code as certifying_body_code, b.name as certifying_body_name,
      n.name as certification_name, c.status as overall_status, c.reason
    from certificates c
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
    where c.brand_id = ${brandId} and c.certification_id = ${certificationId} and c.external_certificate_id > ${after}
    order by c.external_certificate_id
    limit ${limit}
  `.execute(db);
  return rows;
}
