import type { Db } from '@brand-portal/server/db/database.ts';
import type { Rows } from '@brand-portal/server/db/fragments.ts';
import {
  insertCertificates,
  insertLinks,
  type NewCertificate as StoredCertificate,
  type NewLink as StoredLink,
} from '@brand-portal/server/writes/certificates.ts';
import { insertVariants, type NewVariant as StoredVariant } from '@brand-portal/server/writes/variants.ts';
import { sql } from 'kysely';

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

/** A link of a variant to a certificate, each by its readable id. */
export interface NewLink extends NewCertificate {
  readonly gtin: string;
}

export function insertDemoVariants(db: Db, brandId: number, variants: readonly NewVariant[]): Promise<number> {
  const rows: Rows<StoredVariant> = sql`
    select ${brandId}::bigint, gtin, name, category, '{}'::jsonb, published, false
    from json_to_recordset(${JSON.stringify(variants)}) as new (gtin text, name text, category text, published boolean)`;
  return insertVariants(db, brandId, rows).then(({ count }) => count);
}

/** Removes spaces from the ids, which is all that their normalisation would change. */
export function insertDemoCertificates(db: Db, brandId: number, certificates: readonly NewCertificate[]): Promise<number> {
  const rows: Rows<StoredCertificate> = sql`
    select ${brandId}::bigint, c.id, new.external_certificate_id, replace(new.external_certificate_id, ' ', '')
    from json_to_recordset(${JSON.stringify(certificates)})
      as new (certification_name text, external_certificate_id text)
    join certifications c on c.name = new.certification_name`;
  return insertCertificates(db, brandId, rows).then(({ count }) => count);
}

export function insertDemoLinks(db: Db, brandId: number, links: readonly NewLink[]): Promise<void> {
  const rows: Rows<StoredLink> = sql`
    select v.brand_id, v.id, k.id
    from json_to_recordset(${JSON.stringify(links)})
      as new (gtin text, certification_name text, external_certificate_id text)
    join certifications c on c.name = new.certification_name
    join certificates k on k.brand_id = ${brandId} and k.certification_id = c.id
      and k.external_certificate_id = new.external_certificate_id
    join variants v on v.brand_id = ${brandId} and v.gtin14 = lpad(new.gtin, 14, '0')`;
  return insertLinks(db, brandId, rows);
}
