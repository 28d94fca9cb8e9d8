import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface NewVariant {
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  readonly published: boolean;
}

export interface NewCertificate {
  readonly certification_name: string;
  readonly external_certificate_id: string;
}

/** One link of a variant to a certificate, each by what people know it by. */
export interface NewLink extends NewCertificate {
  readonly gtin: string;
}

export async function insertVariants(db: Db, brandId: number, variants: readonly NewVariant[]): Promise<void> {
  await sql`
    insert into variants (brand_id, gtin, name, category, published)
    select ${brandId}, gtin, name, category, published
    from json_to_recordset(${JSON.stringify(variants)}) as new (gtin text, name text, category text, published boolean)
  `.execute(db);
}

export async function insertCertificates(
  db: Db,
  brandId: number,
  certificates: readonly NewCertificate[],
): Promise<void> {
  await sql`
    insert into certificates (brand_id, certification_id, external_certificate_id)
    select ${brandId}, c.id, new.external_certificate_id
    from json_to_recordset(${JSON.stringify(certificates)})
      as new (certification_name text, external_certificate_id text)
    join certifications c on c.name = new.certification_name
  `.execute(db);
}

export async function insertLinks(db: Db, brandId: number, links: readonly NewLink[]): Promise<void> {
  await sql`
    insert into variant_certificates (brand_id, variant_id, certificate_id)
    select ${brandId}, v.id, k.id
    from json_to_recordset(${JSON.stringify(links)})
      as new (gtin text, certification_name text, external_certificate_id text)
    join certifications c on c.name = new.certification_name
    join certificates k on k.brand_id = ${brandId} and k.certification_id = c.id
      and k.external_certificate_id = new.external_certificate_id
    join variants v on v.brand_id = ${brandId} and v.gtin14 = lpad(new.gtin, 14, '0')
  `.execute(db);
}
