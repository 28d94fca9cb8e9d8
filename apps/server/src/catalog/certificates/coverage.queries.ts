import type { Coverage } from '@brand-portal/contract/coverage';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Rows, Value } from '../../db/fragments.ts';

/** All but the last word. Null for names of one or two words, which would match too much. */
const STEM: Value<string | null> = sql`substring(v.name_key from '^(\\S+\\s.*\\S)\\s+\\S+\\s*$')`;

interface CertifiedVariant {
  readonly certification_id: number;
  readonly variant_id: number;
}

interface Kind {
  readonly category: string | null;
  readonly stem: string | null;
}

const selectCertified = (brandId: number, certificationId?: number): Rows<CertifiedVariant> => sql`
  select distinct c.certification_id, l.variant_id
  from certificates c join variant_certificates l on l.brand_id = c.brand_id and l.certificate_id = c.id
  where c.brand_id = ${brandId} and ${certificationId === undefined ? sql`true` : sql`c.certification_id = ${certificationId}`}`;

const selectNamed = (brandId: number): Rows<Kind & { id: number }> => sql`
  select v.id, nullif(v.category, '') as category, ${STEM} as stem from variants v where v.brand_id = ${brandId}`;

/** From `certified` and `named`. */
const SELECT_KNOWN: Rows<Kind & { certification_id: number }> = sql`
  select distinct d.certification_id, n.category, n.stem from certified d join named n on n.id = d.variant_id`;

/** From `known` and `named`: a sibling has the category of a certified variant, or its name but for the last word. */
const SELECT_RELATED: Rows<CertifiedVariant> = sql`
  select k.certification_id, n.id as variant_id
  from (select distinct certification_id, category from known) k join named n on n.category = k.category
  union
  select k.certification_id, n.id from (select distinct certification_id, stem from known) k join named n on n.stem = k.stem`;

/** From `related` and `certified`: the siblings without the certification. */
const SELECT_MISSING: Rows<CertifiedVariant> = sql`
  select certification_id, variant_id from related except select certification_id, variant_id from certified`;

/** Without the name, which is looked up when the counts are read. */
export type CoverageCount = Omit<Coverage, 'certification_name'>;

/** Reads all variants of the brand: for small brands and for the job. */
export async function countCertifications(db: Db, brandId: number): Promise<CoverageCount[]> {
  const { rows } = await sql<CoverageCount>`
    with certified as materialized (${selectCertified(brandId)}), named as materialized (${selectNamed(brandId)}),
    known as materialized (${SELECT_KNOWN}), related as (${SELECT_RELATED}), missing as (${SELECT_MISSING}), counted as (
      select certification_id, count(*) as variants, 0 as siblings from certified group by certification_id
      union all
      select certification_id, 0, count(*) from missing group by certification_id
    )
    select certification_id, sum(variants)::bigint as variants, sum(siblings)::bigint as siblings_without
    from counted group by certification_id
  `.execute(db);
  return rows;
}

export async function listCertificationNames(db: Db, ids: readonly number[]): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from certifications where id = any (${ids}::bigint[]) order by lower(name), id
  `.execute(db);
  return rows;
}

/** Those that the brand has, by name. */
export async function listOwnCertifications(db: Db, brandId: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from certifications
    where id in (select certification_id from certificates where brand_id = ${brandId}) order by lower(name), id
  `.execute(db);
  return rows;
}

/** The siblings without one certification, as numbers: a brand may have a million of them. */
export async function listMissing(db: Db, brandId: number, certificationId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ ids: readonly number[] }>`
    with certified as materialized (${selectCertified(brandId, certificationId)}), named as materialized (${selectNamed(brandId)}),
    known as materialized (${SELECT_KNOWN}), related as (${SELECT_RELATED}), missing as (${SELECT_MISSING})
    select coalesce(json_agg(variant_id order by variant_id), '[]') as ids from missing
  `.execute(db);
  return rows[0]?.ids ?? [];
}

export interface NamedVariant {
  readonly id: number;
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
}

export async function listNamedVariants(db: Db, brandId: number, ids: readonly number[]): Promise<NamedVariant[]> {
  const { rows } = await sql<NamedVariant>`
    select id, gtin, name, category from variants where brand_id = ${brandId} and id = any (${ids}::bigint[]) order by id
  `.execute(db);
  return rows;
}
