import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { MailedCertificate } from '../mail/certificate-mail.ts';

/** `notices`: a subquery of certificate_id and notice. What is worst and ends first comes first. */
export async function listMailedCertificates(
  db: Db,
  brandId: number,
  notices: RawBuilder<unknown>,
  limit: number,
): Promise<{ certificates: MailedCertificate[]; total: number }> {
  const { rows } = await sql<MailedCertificate & { total: number }>`
    select c.external_certificate_id, n.name as certification, c.status, c.reason, c.expires_on::text as expires_on,
      (select count(*) from variant_certificates l where l.brand_id = ${brandId} and l.certificate_id = c.id) as variants,
      count(*) over () as total
    from (${notices}) told
    join certificates c on c.brand_id = ${brandId} and c.id = told.certificate_id
    join certifications n on n.id = c.certification_id
    order by c.status = 'validated', c.expires_on, c.id limit ${limit}
  `.execute(db);
  return { certificates: rows.map(({ total: _, ...certificate }) => certificate), total: rows[0]?.total ?? 0 };
}
