import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Rows } from '../db/fragments.ts';
import { isAccepted } from './plan.queries.ts';
import type { ImportKey } from './staging.queries.ts';

/** A certificate of the file, or one of the brand that looks like it. */
export interface NamedId {
  readonly certification_id: number;
  readonly certification_name: string;
  readonly id: string;
  readonly key: string;
  /** 0: the file does not name it. */
  readonly rows: number;
  readonly first_row: number;
  /** Whether the brand has it. */
  readonly is_known: boolean;
}

type GivenId = Pick<NamedId, 'certification_id' | 'key' | 'id' | 'rows' | 'first_row'>;

const given = (stage: ImportKey): Rows<GivenId> => sql`
  select certification_id, certificate_key as key, min(external_certificate_id) as id, count(*) as rows, min(row_number) as first_row
  from import_rows where ${isAccepted(stage)} and certification_id is not null group by certification_id, certificate_key`;

/** The ids of groups that are equal but for hyphens, 0 and O, 1, I and L, and of which the brand lacks at least one. */
export async function listSimilarIds(db: Db, stage: ImportKey, limit: number): Promise<(NamedId & { readonly look: string })[]> {
  const { rows } = await sql<NamedId & { look: string }>`
    with given as materialized (${given(stage)}), known as materialized (
      select certification_id, id_key as key, external_certificate_id as id from certificates
      where brand_id = ${stage.brandId} and certification_id = any (array(select distinct certification_id from given))
    ), named as (
      select certification_id, key, coalesce(known.id, given.id) as id, coalesce(rows, 0) as rows, coalesce(first_row, 0) as first_row,
        known.id is not null as is_known, translate(key, 'OIL-', '011') as look
      from given full join known using (certification_id, key)
    ), looks as materialized (
      select certification_id, look, min(first_row) filter (where not is_known) as first_of_look from named group by certification_id, look
      having count(*) > 1 and bool_or(not is_known)
    )
    select named.*, c.name as certification_name from looks
    join named using (certification_id, look) join certifications c on c.id = named.certification_id
    order by first_of_look limit ${limit}
  `.execute(db);
  return rows;
}

/** The ids that the file gives to some certifications, in file order. */
export async function listGivenIds(
  db: Db,
  stage: ImportKey,
  certificationIds: readonly number[],
  limit: number,
): Promise<Omit<NamedId, 'is_known'>[]> {
  const { rows } = await sql<Omit<NamedId, 'is_known'>>`
    select given.*, c.name as certification_name from (${given(stage)}) given
    join certifications c on c.id = given.certification_id
    where given.certification_id = any (${certificationIds}) order by first_row limit ${limit}
  `.execute(db);
  return rows;
}

export async function replaceStagedId(
  db: Db,
  { brandId, importId }: ImportKey,
  { certification_id, key }: Pick<NamedId, 'certification_id' | 'key'>,
  to: Pick<NamedId, 'id' | 'key'>,
): Promise<void> {
  await sql`
    update import_rows set external_certificate_id = ${to.id}, certificate_key = ${to.key}
    where brand_id = ${brandId} and import_id = ${importId} and errors is null
      and certification_id = ${certification_id} and certificate_key = ${key}
  `.execute(db);
}
