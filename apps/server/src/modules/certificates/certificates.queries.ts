import type { BrandCertification } from '@brand-portal/contract/certificates';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** The certificates of one brand, by its part of the table's key. */
export async function listCertificatesOf(db: Db, brandId: number): Promise<BrandCertification[]> {
  const { rows } = await sql<BrandCertification>`
    select c.external_certificate_id as certificate_id, b.code as certifying_body_code, b.name as certifying_body_name,
      n.name as certification_name, c.status as overall_status, c.reason
    from certificates c
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
    where c.brand_id = ${brandId}
    order by n.name collate "C", c.external_certificate_id, c.id
  `.execute(db);
  return rows;
}
