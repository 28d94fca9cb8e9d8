import type { BrandCertification, CertificateColumn } from '@brand-portal/contract/certificates';
import { type RawBuilder, sql } from 'kysely';
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

export interface ListedCertificate extends BrandCertification {
  readonly id_key: string;
  readonly expires_on: string | null;
}

const JOINED = sql`
  from certificates c
  join certifications n on n.id = c.certification_id
  join certifying_bodies b on b.id = n.certifying_body_id`;

const LISTED = sql`
  select c.id, c.id_key, c.external_certificate_id as certificate_id, b.code as certifying_body_code, b.name as certifying_body_name,
    n.name as certification_name, c.status as overall_status, c.reason, c.expires_on::text as expires_on
  ${JOINED}`;

/** CU-9 before CU-10, as on the page: numbers are compared at the length of 20 digits. */
const NATURAL_ID = sql`regexp_replace(regexp_replace(search_key(c.external_certificate_id),
  '([0-9]+)', '00000000000000000000\\1', 'g'), '0*([0-9]{20})', '\\1', 'g')`;

const SORT_KEYS: Readonly<Record<CertificateColumn, RawBuilder<unknown>>> = {
  certificate_id: NATURAL_ID,
  certifying_body_name: sql`search_key(b.name)`,
  certification_name: sql`search_key(n.name)`,
  overall_status: sql`c.status`,
};

/** The ids of all certificates in the order of a column: sorted once, and small enough to be kept. */
export async function listSortedIds(
  db: Db,
  brandId: number,
  { column, descending }: { column: CertificateColumn; descending: boolean },
): Promise<number[]> {
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ id: number }>`
    select c.id ${JOINED} where c.brand_id = ${brandId}
    order by ${SORT_KEYS[column]} collate "C" ${direction}, n.name collate "C", n.id, c.id_key
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** In any order; without those that are gone. */
export async function listCertificatesById(
  db: Db,
  brandId: number,
  ids: readonly number[],
): Promise<ListedCertificate[]> {
  const { rows } = await sql<ListedCertificate>`
    ${LISTED} where c.brand_id = ${brandId} and c.id = any(${ids}::bigint[])
  `.execute(db);
  return rows;
}

export async function countCertificates(db: Db, brandId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from certificates where brand_id = ${brandId}
  `.execute(db);
  return rows[0]?.count ?? 0;
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
): Promise<ListedCertificate[]> {
  const { rows } = await sql<ListedCertificate>`
    ${LISTED}
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
