import type { ImportStage, ImportState } from '@brand-portal/contract/import';
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
  readonly state: ImportState;
  readonly stage: ImportStage | null;
  readonly rows_done: number;
  readonly rows_total: number;
  readonly failure: unknown;
  /** Nothing has been heard of its server for a while. */
  readonly is_silent: boolean;
  readonly total_rows: number;
  readonly imported: number;
  readonly rejected: number;
  readonly error_count: number;
  readonly variants_created: number;
  readonly variants_updated: number;
  readonly variants_unchanged: number;
  readonly variants_removed: number;
  readonly warnings: readonly unknown[];
  readonly undoes_import_id: number | null;
  readonly variants_after: number;
  readonly variants_to: number;
  readonly certificates_after: number;
  readonly certificates_to: number;
  readonly undo_until: Date | null;
  readonly kept_count: number;
  readonly kept: readonly unknown[];
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

export interface NewImport {
  readonly brand_id: number;
  readonly user_id: number;
  readonly file_name: string;
  readonly file_bytes: number;
  readonly file_sha256: string;
  readonly rows_total: number;
  readonly undoes_import_id?: number;
}

/** What is known of an import when it is done. */
export type ImportResult = Pick<
  ImportRecord,
  | 'delimiter'
  | 'header'
  | 'total_rows'
  | 'imported'
  | 'rejected'
  | 'error_count'
  | 'variants_created'
  | 'variants_updated'
  | 'variants_unchanged'
  | 'warnings'
  | 'variants_after'
  | 'variants_to'
  | 'certificates_after'
  | 'certificates_to'
>;

/** How far a running import is. */
export interface ImportProgress {
  stage: ImportStage | undefined;
  rowsDone: number;
  /** Where the file says it; otherwise its lines have been counted. */
  rowsTotal?: number | undefined;
}

/** For so long an import can be taken back. */
const UNDO_DAYS = 30;

/** A server that has not been heard of for so long is gone. */
export const SILENT_AFTER_SECONDS = 60;

const of = ({ brandId, importId }: Stage) => sql`brand_id = ${brandId} and id = ${importId}`;
const IS_UNDER_WAY = sql`state in ('waiting', 'running')`;

export async function insertImport(db: Db, fields: NewImport): Promise<number> {
  const { id } = await db.insertInto('imports').values(fields).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** This and all that follows change an import only while it is under way: false where somebody has ended it, or deleted its brand. */
export async function beginImport(db: Db, place: Stage): Promise<boolean> {
  return hasChanged(
    await sql`
      update imports set state = 'running', stage = 'reading', heartbeat_at = now() where ${of(place)} and state = 'waiting'
    `.execute(db),
  );
}

export async function noteProgress(
  db: Db,
  place: Stage,
  { stage, rowsDone, rowsTotal }: ImportProgress,
): Promise<boolean> {
  const total = sql`coalesce(${rowsTotal ?? null}::int, rows_total)`;
  return hasChanged(
    await sql`
      update imports set stage = coalesce(${stage ?? null}, stage), rows_total = ${total}, rows_done = least(${rowsDone}, ${total}),
        heartbeat_at = now()
      where ${of(place)} and ${IS_UNDER_WAY}
    `.execute(db),
  );
}

/** Somebody has ended the import: everything is rolled back. */
export class EndedMeanwhile extends Error {}

/** To be called last before the commit: until then anybody may cancel the import. */
export async function finishImport(
  db: Db,
  { brandId, importId }: Stage,
  { header, warnings, ...result }: ImportResult,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      ...result,
      header: JSON.stringify(header),
      warnings: JSON.stringify(warnings),
      state: 'done',
      undo_until: sql<Date>`now() + make_interval(days => ${UNDO_DAYS})`,
      stage: null,
      rows_done: result.total_rows,
      rows_total: result.total_rows,
    })
    .where('brand_id', '=', brandId)
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new EndedMeanwhile();
}

export async function cancelImport(db: Db, place: Stage): Promise<boolean> {
  return hasChanged(
    await sql`update imports set state = 'cancelled', stage = null where ${of(place)} and ${IS_UNDER_WAY}`.execute(db),
  );
}

export async function failImport(db: Db, place: Stage, failure: unknown): Promise<boolean> {
  return hasChanged(
    await sql`
      update imports set state = 'failed', stage = null, failure = ${JSON.stringify(failure)} where ${of(place)} and ${IS_UNDER_WAY}
    `.execute(db),
  );
}

/** The brand's imports whose server is gone. One that was merely slow finds its import ended and lets it be. */
export async function failSilentImports(db: Db, brandId: number, failure: unknown): Promise<void> {
  await sql`
    update imports set state = 'failed', stage = null, failure = ${JSON.stringify(failure)}
    where brand_id = ${brandId} and ${IS_UNDER_WAY} and heartbeat_at < now() - make_interval(secs => ${SILENT_AFTER_SECONDS})
  `.execute(db);
}

function hasChanged({ numAffectedRows }: { readonly numAffectedRows?: bigint | undefined }): boolean {
  return (numAffectedRows ?? 0n) > 0n;
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
    .select(
      sql<boolean>`i.state in ('waiting', 'running') and i.heartbeat_at < now() - make_interval(secs => ${SILENT_AFTER_SECONDS})`.as(
        'is_silent',
      ),
    )
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

/** When the brand's oldest rejected rows are past their time, the server of an import under way would have to be taken for gone, or an import can no longer be taken back. */
export async function findNextPurge(db: Db, brandId: number, days: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(created_at) + make_interval(days => ${days}) from imports
        where brand_id = ${brandId} and rejected > 0 and created_at >= now() - make_interval(days => ${days})),
      (select min(started_at) + make_interval(secs => ${ABANDONED_AFTER_SECONDS}) from staged_imports where brand_id = ${brandId}),
      (select min(heartbeat_at) + make_interval(secs => ${SILENT_AFTER_SECONDS}) from imports where brand_id = ${brandId} and ${IS_UNDER_WAY}),
      (select min(undo_until) from imports where brand_id = ${brandId} and undo_until > now())
    ) as at
  `.execute(db);
  return rows[0]?.at ?? undefined;
}
