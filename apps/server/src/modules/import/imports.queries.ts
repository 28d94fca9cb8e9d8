import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { ABANDONED_AFTER_SECONDS, type Stage } from './staging.queries.ts';

export interface ImportRecord {
  readonly id: number;
  readonly file_name: string;
  readonly file_bytes: number;
  readonly file_sha256: string;
  readonly delimiter: string;
  readonly header: readonly string[];
  readonly total_rows: number;
  readonly imported: number;
  readonly rejected: number;
  readonly error_count: number;
  readonly variants_created: number;
  readonly variants_updated: number;
  readonly variants_unchanged: number;
  readonly warnings: readonly unknown[];
  readonly created_at: Date;
  readonly user_email: string | null;
  readonly user_first_name: string | null;
  readonly user_last_name: string | null;
}

export interface RejectedRow {
  readonly row_number: number;
  readonly cells: readonly string[];
  readonly errors: readonly unknown[];
}

export type NewImport = Omit<ImportRecord, 'created_at' | `user_${string}`> & {
  readonly brand_id: number;
  readonly user_id: number;
};

/** Known before the receipt is written: what is staged is found by it. */
export async function takeImportId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('imports', 'id')) as id
  `.execute(db);
  return rows[0]?.id ?? 0;
}

export async function insertImport(db: Db, { header, warnings, ...fields }: NewImport): Promise<void> {
  await db
    .insertInto('imports')
    .values({ ...fields, header: JSON.stringify(header), warnings: JSON.stringify(warnings) })
    .execute();
}

export async function insertRejectedRows(db: Db, { brandId, importId }: Stage): Promise<void> {
  await sql`
    insert into import_rejected_rows (brand_id, import_id, row_number, cells, errors)
    select brand_id, import_id, row_number, cells, errors
    from import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is not null order by row_number
  `.execute(db);
}

function selectImports(db: Db, brandId: number) {
  return db
    .selectFrom('imports as i')
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .where('i.brand_id', '=', brandId)
    .selectAll('i')
    .select(['u.email as user_email', 'u.first_name as user_first_name', 'u.last_name as user_last_name']);
}

export function listImportRecords(
  db: Db,
  brandId: number,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<ImportRecord[]> {
  return selectImports(db, brandId).orderBy('i.id', 'desc').offset(skip).limit(take).execute();
}

export async function countImports(db: Db, brandId: number): Promise<number> {
  const { count } = await db
    .selectFrom('imports')
    .where('brand_id', '=', brandId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export function findImportRecord(db: Db, brandId: number, importId: number): Promise<ImportRecord | undefined> {
  return selectImports(db, brandId).where('i.id', '=', importId).executeTakeFirst();
}

/** In the file's order, from behind the given row on. */
export function listRejectedRows(
  db: Db,
  brandId: number,
  importId: number,
  { after, take }: { readonly after: number; readonly take: number },
): Promise<RejectedRow[]> {
  return db
    .selectFrom('import_rejected_rows')
    .where('brand_id', '=', brandId)
    .where('import_id', '=', importId)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(take)
    .select(['row_number', 'cells', 'errors'])
    .execute();
}

/** Of the brand's imports, the newest ones keep their rejected rows, up to so many bytes of files in all. */
export async function deleteRejectedRowsBeyond(db: Db, brandId: number, bytes: number): Promise<void> {
  await sql`
    delete from import_rejected_rows
    where brand_id = ${brandId} and import_id in (
      select id from (
        select id, sum(file_bytes) over (order by id desc) as bytes_since
        from imports where brand_id = ${brandId} and rejected > 0
      ) i where bytes_since > ${bytes}
    )
  `.execute(db);
}

export async function deleteOldRejectedRows(db: Db, brandId: number, days: number): Promise<number> {
  const result = await sql`
    delete from import_rejected_rows
    where brand_id = ${brandId} and import_id in (
      select id from imports where brand_id = ${brandId} and created_at < now() - make_interval(days => ${days})
    )
  `.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

/** When the brand's oldest rejected rows are past their time, or an import under way would have to be taken for abandoned. */
export async function findNextPurge(db: Db, brandId: number, days: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(created_at) + make_interval(days => ${days}) from imports
        where brand_id = ${brandId} and rejected > 0 and created_at >= now() - make_interval(days => ${days})),
      (select min(started_at) + make_interval(secs => ${ABANDONED_AFTER_SECONDS}) from staged_imports where brand_id = ${brandId})
    ) as at
  `.execute(db);
  return rows[0]?.at ?? undefined;
}
