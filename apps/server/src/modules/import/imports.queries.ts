import type { ImportNotice, ImportStage, ImportState, KeptField } from '@brand-portal/contract/import';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { hasNotice } from './import-notices.queries.ts';
import type { ChosenMapping } from './mapping.queries.ts';
import type { ImportFailure, ImportWarning } from './rows/row-problem.ts';
import { ABANDONED_AFTER_SECONDS, type ImportKey } from './staging.queries.ts';

/** A variant of which an undo left fields as they are, because they were changed since. */
export interface KeptVariant {
  readonly id: number;
  readonly gtin: string;
  readonly name: string;
  /** Undos of 1.0 did not record it. */
  readonly fields?: readonly {
    readonly field: KeptField['field'];
    readonly user_id: number | null;
    readonly at: string | null;
  }[];
}

export interface ImportRecord {
  readonly id: number;
  readonly file_name: string;
  readonly file_bytes: number;
  readonly file_sha256: string;
  readonly is_workbook: boolean;
  readonly delimiter: string;
  readonly header: readonly string[];
  /** The column mapping chosen for a check. */
  readonly mapping: ChosenMapping | null;
  readonly state: ImportState;
  readonly stage: ImportStage | null;
  readonly rows_done: number;
  readonly rows_total: number;
  readonly failure: ImportFailure | null;
  readonly heartbeat_at: Date;
  /** Its server has sent no heartbeat for `STALE_AFTER_SECONDS`. Of a check: it was made more than `PREVIEW_SECONDS` ago. */
  readonly is_stale: boolean;
  readonly total_rows: number;
  readonly imported: number;
  readonly rejected: number;
  readonly error_count: number;
  readonly rejected_bytes: number;
  readonly variants_created: number;
  readonly variants_updated: number;
  readonly variants_unchanged: number;
  readonly variants_removed: number;
  readonly warnings: readonly ImportWarning[];
  readonly undoes_import_id: number | null;
  readonly corrects_import_id: number | null;
  readonly content_hash: string | null;
  readonly variants_after: number;
  readonly variants_to: number;
  readonly certificates_after: number;
  readonly certificates_to: number;
  readonly undo_until: Date | null;
  readonly kept_count: number;
  readonly kept: readonly KeptVariant[];
  readonly created_at: Date;
  readonly user_id: number | null;
}

export interface NewImport {
  readonly brand_id: number;
  readonly user_id: number;
  readonly file_name: string;
  readonly file_bytes: number;
  readonly file_sha256: string;
  readonly is_workbook?: boolean;
  readonly is_check?: boolean;
  readonly rows_total: number;
  readonly undoes_import_id?: number;
  readonly corrects_import_id?: number;
}

/** The result fields of an import. */
export type ImportResult = Pick<
  ImportRecord,
  | 'delimiter'
  | 'header'
  | 'total_rows'
  | 'imported'
  | 'rejected'
  | 'error_count'
  | 'rejected_bytes'
  | 'variants_created'
  | 'variants_updated'
  | 'variants_unchanged'
  | 'warnings'
  | 'content_hash'
  | 'variants_after'
  | 'variants_to'
  | 'certificates_after'
  | 'certificates_to'
>;

export interface ImportProgress {
  stage: ImportStage | undefined;
  rowsDone: number;
  /** From the file if it states its size; otherwise its lines are counted first. */
  rowsTotal?: number | undefined;
}

/** How long an import can be undone. */
const UNDO_DAYS = 30;

/** How long a preview can be confirmed. */
export const PREVIEW_SECONDS = 30 * 60;

/** A server without a heartbeat for this long counts as crashed. */
export const STALE_AFTER_SECONDS = 60;

const of = ({ brandId, importId }: ImportKey) => sql`brand_id = ${brandId} and id = ${importId}`;
const IS_UNFINISHED = sql`state in ('waiting', 'running')`;

export async function insertImport(db: Db, fields: NewImport): Promise<number> {
  const { id } = await db.insertInto('imports').values(fields).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Changes the import only while it is queued. False: it was cancelled, or its brand was deleted. The functions below likewise, each for its state. */
export async function beginImport(db: Db, key: ImportKey): Promise<boolean> {
  return hasChanged(
    await sql`
      update imports set state = 'running', stage = 'reading', heartbeat_at = now() where ${of(key)} and state = 'waiting'
    `.execute(db),
  );
}

export async function storeProgress(
  db: Db,
  key: ImportKey,
  { stage, rowsDone, rowsTotal }: ImportProgress,
): Promise<boolean> {
  const total = sql`coalesce(${rowsTotal ?? null}::int, rows_total)`;
  return hasChanged(
    await sql`
      update imports set stage = coalesce(${stage ?? null}, stage), rows_total = ${total}, rows_done = least(${rowsDone}, ${total}),
        heartbeat_at = now()
      where ${of(key)} and ${IS_UNFINISHED}
    `.execute(db),
  );
}

/** The import was cancelled: roll everything back. */
export class AlreadyEnded extends Error {}

/** Throws `AlreadyEnded` if the import was cancelled. After this it cannot be cancelled any more, so all long work comes before. */
export async function finishImport(
  db: Db,
  { brandId, importId }: ImportKey,
  { header, warnings, ...result }: ImportResult,
): Promise<void> {
  const changed = result.variants_created + result.variants_updated > 0;
  const canBeUndone = changed || (await changedLinksOfCertificates(db, brandId, importId));
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({
      ...result,
      header: JSON.stringify(header),
      warnings: JSON.stringify(warnings),
      state: 'done',
      undo_until: canBeUndone ? sql<Date>`now() + make_interval(days => ${UNDO_DAYS})` : null,
      stage: null,
      rows_done: result.total_rows,
      rows_total: result.total_rows,
    })
    .where('brand_id', '=', brandId)
    .where('id', '=', importId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AlreadyEnded();
}

async function changedLinksOfCertificates(db: Db, brandId: number, importId: number): Promise<boolean> {
  const { rows } = await sql`
    select from import_certificate_links where brand_id = ${brandId} and import_id = ${importId} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Ends a check. Its rows stay staged until it is confirmed. */
export async function finishCheck(
  db: Db,
  key: ImportKey,
  fields: Pick<ImportRecord, 'delimiter' | 'header' | 'mapping' | 'warnings' | 'content_hash' | 'rows_total'>,
): Promise<void> {
  const { delimiter, header, mapping, warnings, content_hash, rows_total } = fields;
  const result = await sql`
    update imports set state = 'checked', is_check = true, stage = null, heartbeat_at = now(), delimiter = ${delimiter},
      header = ${JSON.stringify(header)}, mapping = ${mapping ? JSON.stringify(mapping) : null}, warnings = ${JSON.stringify(warnings)},
      content_hash = ${content_hash}, rows_done = ${rows_total}, rows_total = ${rows_total}
    where ${of(key)} and state = 'running'
  `.execute(db);
  if (!hasChanged(result)) throw new AlreadyEnded();
}

/** Turns a check into a running import. It goes back to `checked` if the import would differ from the preview. */
export async function confirmCheck(db: Db, key: ImportKey): Promise<boolean> {
  return hasChanged(
    await sql`
      update imports set state = 'waiting', is_check = false, heartbeat_at = now() where ${of(key)} and state = 'checked'
        and heartbeat_at > now() - make_interval(secs => ${PREVIEW_SECONDS})
    `.execute(db),
  );
}

export async function returnToCheck(db: Db, key: ImportKey): Promise<void> {
  await sql`
    update imports set state = 'checked', is_check = true, stage = null, heartbeat_at = now() where ${of(key)} and ${IS_UNFINISHED}
  `.execute(db);
}

/** A new check replaces the member's checks of the same file and their oldest ones. Returns those that are discarded. */
export async function endOldChecks(
  db: Db,
  { brandId, importId }: ImportKey,
  { userId, kept }: { readonly userId: number; readonly kept: number },
): Promise<number[]> {
  const own = sql`brand_id = ${brandId} and user_id = ${userId} and state = 'checked'`;
  const { rows } = await sql<{ id: number }>`
    update imports set state = 'discarded' where ${own} and id <> ${importId} and (
      file_name = (select file_name from imports where brand_id = ${brandId} and id = ${importId})
      or id not in (select id from imports where ${own} order by id desc limit ${kept})
    )
    returning id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The brand's last import with the same rows. */
export async function findSameImport(
  db: Db,
  brandId: number,
  { id, content_hash }: ImportRecord,
): Promise<{ id: number; created_at: Date } | undefined> {
  const { rows } = await sql<{ id: number; created_at: Date }>`
    select id, created_at from imports
    where brand_id = ${brandId} and id <> ${id} and state = 'done' and undoes_import_id is null
      and content_hash = ${content_hash}
    order by id desc limit 1
  `.execute(db);
  return rows[0];
}

/** Returns its new state. Undefined: it has already ended. */
export async function cancelImport(db: Db, key: ImportKey): Promise<'cancelled' | 'discarded' | undefined> {
  const { rows } = await sql<{ state: 'cancelled' | 'discarded' }>`
    update imports set state = case when is_check then 'discarded' else 'cancelled' end, stage = null
    where ${of(key)} and ${IS_UNFINISHED} returning state
  `.execute(db);
  return rows[0]?.state;
}

/** The caller deletes its staged rows. */
export async function discardCheck(db: Db, key: ImportKey): Promise<boolean> {
  return hasChanged(
    await sql`update imports set state = 'discarded' where ${of(key)} and state = 'checked'`.execute(db),
  );
}

export async function failImport(db: Db, key: ImportKey, failure: ImportFailure): Promise<boolean> {
  return hasChanged(
    await sql`
      update imports set state = 'failed', stage = null, failure = ${JSON.stringify(failure)} where ${of(key)} and ${IS_UNFINISHED}
    `.execute(db),
  );
}

/** For a file that needs an answer from the member first. The question is in the response. */
export async function deleteFailedImport(db: Db, key: ImportKey): Promise<void> {
  await sql`delete from imports where ${of(key)} and state = 'failed'`.execute(db);
}

/** Ends checks that were not confirmed in time. A job deletes their staged rows. */
export async function expireChecks(db: Db, brandId: number): Promise<void> {
  await sql`
    update imports set state = 'discarded' where brand_id = ${brandId} and state = 'checked'
      and heartbeat_at < now() - make_interval(secs => ${PREVIEW_SECONDS})
  `.execute(db);
}

/** Fails the brand's imports whose server has crashed. A server that was only slow finds its import ended and stops. */
export async function failStaleImports(db: Db, brandId: number, failure: ImportFailure): Promise<void> {
  await sql`
    update imports set state = 'failed', stage = null, failure = ${JSON.stringify(failure)}
    where brand_id = ${brandId} and ${IS_UNFINISHED} and heartbeat_at < now() - make_interval(secs => ${STALE_AFTER_SECONDS})
  `.execute(db);
}

export function hasChanged({ numAffectedRows }: { readonly numAffectedRows?: bigint | undefined }): boolean {
  return (numAffectedRows ?? 0n) > 0n;
}

function selectImports(db: Db, brandId: number) {
  return (
    db
      .selectFrom('imports as i')
      .where('i.brand_id', '=', brandId)
      .selectAll('i')
      .select(
        sql<boolean>`i.heartbeat_at < now() - make_interval(secs => case
        when i.state in ('waiting', 'running') then ${STALE_AFTER_SECONDS}::int when i.state = 'checked' then ${PREVIEW_SECONDS}::int end) is true`.as(
          'is_stale',
        ),
      )
      // The columns of JSON have no type in the schema.
      .$castTo<ImportRecord>()
  );
}

interface Window {
  readonly skip: number;
  readonly take: number;
}

interface ImportSearch {
  /** All in the file name, or all in the uploader's name or e-mail. */
  readonly words: readonly string[];
  readonly notice: ImportNotice | undefined;
}

/** Counts the imports that match, and returns one page of their ids, newest first. */
export async function findImports(
  db: Db,
  brandId: number,
  { words, notice }: ImportSearch,
  { skip, take }: Window,
): Promise<{ readonly count: number; readonly ids: readonly number[] }> {
  const uploaders = words.length === 0 ? [] : await findUploaders(db, brandId, words);
  const filters = [
    ...(words.length > 0
      ? [sql`(${hasWords(sql`i.file_key`, words)} or i.user_id = any (${uploaders}::bigint[]))`]
      : []),
    ...(notice ? [hasNotice(brandId, notice)] : []),
  ];
  // Without a filter, an index-only scan of the primary key counts and pages. With one, the matching rows are read once for both.
  const found =
    filters.length === 0
      ? sql`not materialized (select i.id from imports i where i.brand_id = ${brandId})`
      : sql`materialized (select i.id from imports i where i.brand_id = ${brandId} and ${sql.join(filters, sql` and `)})`;
  const { rows } = await sql<{ count: number; ids: number[] }>`
    with found as ${found}
    select (select count(*) from found) as count,
      (select coalesce(json_agg(id), '[]') from (select id from found order by id desc limit ${take} offset ${skip}) page) as ids
  `.execute(db);
  return rows[0] ?? { count: 0, ids: [] };
}

const hasWords = (text: RawBuilder<unknown>, words: readonly string[]) =>
  sql`not exists (select from unnest(${words}::text[]) word where strpos(${text}, search_key(word)) = 0)`;

/**
 * Searches only names that the list shows: no staff who are not members, no deleted accounts. A brand has few uploaders, so a loose index
 * scan jumps from one to the next instead of reading all imports. Two statements: on a cluster, `users` is not distributed.
 */
async function findUploaders(db: Db, brandId: number, words: readonly string[]): Promise<number[]> {
  const uploaders = await sql<{ id: number }>`
    with recursive uploader (id) as (
      select min(user_id) from imports where brand_id = ${brandId}
      union all
      select (select min(user_id) from imports where brand_id = ${brandId} and user_id > uploader.id)
      from uploader where uploader.id is not null
    )
    select id from uploader where id is not null
  `.execute(db);
  const { rows } = await sql<{ id: number }>`
    select u.id from users u left join brand_members m on m.brand_id = ${brandId} and m.user_id = u.id
    where u.id = any (${uploaders.rows.map(({ id }) => id)}::bigint[]) and (m.user_id is not null or not u.is_staff)
      and ${hasWords(sql`search_key(u.first_name || ' ' || u.last_name || ' ' || coalesce(substring(u.email from '.*@.*'), ''))`, words)}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Newest first. */
export async function listImportRecords(db: Db, brandId: number, ids: readonly number[]): Promise<ImportRecord[]> {
  if (ids.length === 0) return [];
  return selectImports(db, brandId).where('i.id', 'in', ids).orderBy('i.id', 'desc').execute();
}

export function findImportRecord(db: Db, { brandId, importId }: ImportKey): Promise<ImportRecord | undefined> {
  return selectImports(db, brandId).where('i.id', '=', importId).executeTakeFirst();
}

/** The earliest time at which rejected rows, a staged import, a running import, a check or the data for an undo expires. */
export async function findNextPurge(db: Db, brandId: number, days: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(created_at) + make_interval(days => ${days}) from imports
        where brand_id = ${brandId} and rejected > 0 and created_at >= now() - make_interval(days => ${days})),
      (select min(started_at) + make_interval(secs => ${ABANDONED_AFTER_SECONDS}) from staged_imports where brand_id = ${brandId}),
      (select min(heartbeat_at) + make_interval(secs => ${STALE_AFTER_SECONDS}) from imports where brand_id = ${brandId} and ${IS_UNFINISHED}),
      (select min(heartbeat_at) + make_interval(secs => ${PREVIEW_SECONDS}) from imports where brand_id = ${brandId} and state = 'checked'),
      (select min(undo_until) from imports i where brand_id = ${brandId} and undo_until > now()
        and (exists (select from import_changes c where c.brand_id = ${brandId} and c.import_id = i.id)
          or exists (select from import_certificate_links k where k.brand_id = ${brandId} and k.import_id = i.id)))
    ) as at
  `.execute(db);
  return rows[0]?.at ?? undefined;
}

export interface FailedImportRecord {
  readonly id: number;
  readonly file_name: string;
  readonly created_at: Date;
  readonly failure: ImportFailure | null;
}

/** The failed imports of the last days, newest first, and how many there are. */
export async function listFailedRecords(
  db: Db,
  brandId: number,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<{ records: FailedImportRecord[]; count: number }> {
  const { rows } = await sql<FailedImportRecord & { count: number }>`
    select id, file_name, created_at, failure, count(*) over () as count from imports
    where brand_id = ${brandId} and state = 'failed' and not is_check and created_at > now() - make_interval(days => ${days})
    order by created_at desc, id desc limit ${limit}
  `.execute(db);
  return { records: rows.map(({ count: _count, ...record }) => record), count: rows[0]?.count ?? 0 };
}
