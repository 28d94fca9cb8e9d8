import type { WaitingCertificate } from '@brand-portal/contract/reviews';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export interface KnownCertificate {
  readonly id: number;
  readonly certification_id: number;
  readonly external_certificate_id: string;
  readonly id_key: string;
}

/** The brand's next certificates by id, of all certifications unless one is named. */
export async function listCertificatesAfter(
  db: Db,
  brandId: number,
  { after, limit, certificationId }: { after: number; limit: number; certificationId: number | undefined },
): Promise<KnownCertificate[]> {
  const next = db
    .selectFrom('certificates')
    .select(['id', 'certification_id', 'external_certificate_id', 'id_key'])
    .where('brand_id', '=', brandId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  return (certificationId === undefined ? next : next.where('certification_id', '=', certificationId)).execute();
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

/** Of one brand, oldest first, without those that are not validated yet. */
export async function listWaiting(
  db: Db,
  brand: { readonly id: number; readonly name: string },
  limit: number,
): Promise<WaitingCertificate[]> {
  const { rows } = await sql<WaitingCertificate>`
    select c.brand_id, ${brand.name}::text as brand_name, c.id, c.external_certificate_id as certificate_id,
      n.name as certification_name, y.name as certifying_body_name, split_part(c.reason, ':', 2) as since,
      (select count(*) from variant_certificates l where l.brand_id = ${brand.id} and l.certificate_id = c.id) as variants
    from certificates c
    join certifications n on n.id = c.certification_id
    join certifying_bodies y on y.id = n.certifying_body_id
    where c.brand_id = ${brand.id} and c.status = 'pending' and c.reason <> '' order by c.reason, c.id limit ${limit}
  `.execute(db);
  return rows;
}

export async function countWaiting(db: Db, brandId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from certificates where brand_id = ${brandId} and status = 'pending' and reason <> ''
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Those of the given ids that still wait, sorted by id. */
export async function listWaitingById(
  db: Db,
  brandId: number,
  ids: readonly number[],
): Promise<(KnownCertificate & { certification: string })[]> {
  const { rows } = await sql<KnownCertificate & { certification: string }>`
    select c.id, c.certification_id, c.external_certificate_id, c.id_key, n.name as certification
    from certificates c join certifications n on n.id = c.certification_id
    where c.brand_id = ${brandId} and c.id = any (${ids}::bigint[]) and c.status = 'pending' order by c.id
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
