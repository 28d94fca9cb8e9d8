import type { BodyOf } from '@brand-portal/contract/endpoint';
import type {
  confirmImport,
  ImportKind,
  ImportNotice,
  ImportReceipt,
  ImportStage,
  ImportState,
  KeptField,
} from '@brand-portal/contract/import';
import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import { sql } from 'kysely';
import type { ImportFailure, ImportWarning } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import type { Condition, Ids, Value } from '../db/fragments.ts';
import { IS_LISTED } from '../db/listed-imports.ts';
import { hasNotice } from './import-notices.queries.ts';
import type { ChosenMapping, MappingRequest } from './mapping.queries.ts';
import type { StoredPlan } from './plan.queries.ts';
import type { ImportKey, StagedCounts } from './staging.queries.ts';
import { type ImportValues, moveImport } from './states.queries.ts';

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

/** The counts that a preview showed. */
export type ExpectedCounts = BodyOf<typeof confirmImport>;

/** What the member asked for, stored with the import. */
export interface ImportRequest {
  /** The sheet of a workbook. */
  readonly sheet?: string | undefined;
  readonly mapping?: MappingRequest | undefined;
  /** Whether a doubtful import waits for the member's confirmation. */
  readonly asks?: boolean | undefined;
  /** The counts of the preview that the member has confirmed. */
  readonly expected?: ExpectedCounts | undefined;
  readonly selection?: Selection | undefined;
  readonly deletion_id?: number | undefined;
}

/** The variants that a member has selected: these, or all that match a filter but for some. */
export interface Selection {
  readonly ids?: readonly number[] | undefined;
  readonly filter?: VariantFilter | undefined;
  readonly except_ids?: readonly number[] | undefined;
  readonly expected?: number | undefined;
}

export interface ImportRecord {
  readonly brand_id: number;
  readonly id: number;
  readonly kind: ImportKind;
  readonly file_name: string;
  readonly file_bytes: number;
  readonly file_sha256: string;
  readonly is_workbook: boolean;
  readonly is_check: boolean;
  /** What its source was asked for. */
  readonly request: ImportRequest;
  /** Its last attempt. */
  readonly attempt: number;
  /** How often a server was killed, or the database was away, while it was worked on. */
  readonly interruptions: number;
  readonly delimiter: string;
  readonly header: readonly string[];
  /** The column mapping to remember. */
  readonly mapping: ChosenMapping | null;
  readonly state: ImportState;
  readonly stage: ImportStage | null;
  readonly rows_done: number;
  readonly rows_total: number;
  /** Null: its rows are not staged yet. */
  readonly staged: StagedCounts | null;
  readonly planned: StoredPlan | null;
  readonly failure: ImportFailure | null;
  /** Since when it has its state. */
  readonly heartbeat_at: Date;
  /** A check that was not confirmed in time. */
  readonly is_expired: boolean;
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
  /** The answer to an action on selected variants. */
  readonly outcome: ImportReceipt['outcome'];
  readonly created_at: Date;
  readonly user_id: number | null;
}

export interface NewImport {
  readonly brand_id: number;
  readonly user_id: number;
  readonly kind: ImportKind;
  readonly request?: ImportRequest;
  readonly file_name: string;
  readonly file_bytes: number;
  readonly file_sha256: string;
  readonly is_workbook?: boolean;
  readonly is_check?: boolean;
  readonly rows_total: number;
  readonly undoes_import_id?: number;
  readonly corrects_import_id?: number;
}

export interface ImportProgress {
  stage: ImportStage | undefined;
  rowsDone: number;
  /** From the file if it states its size; otherwise its lines are counted first. */
  rowsTotal?: number | undefined;
}

/** How long an import can be undone. */
const UNDO_DAYS = 30;

/** How long the outcome of an action on variants is kept. */
export const ACTION_DAYS = 30;

/** How long a preview can be confirmed. */
export const PREVIEW_SECONDS = 30 * 60;

const of = ({ brandId, importId }: ImportKey): Condition => sql`brand_id = ${brandId} and id = ${importId}`;

export async function insertImport(db: Db, fields: NewImport): Promise<number> {
  const { id } = await db
    .insertInto('imports')
    .values({ ...fields, request: JSON.stringify(fields.request ?? {}) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface Unfinished {
  readonly brand: number;
  readonly user: number;
}

/** How many imports of the brand, and of the member in it, wait or run. */
export async function countUnfinished(db: Db, brandId: number, userId: number): Promise<Unfinished> {
  const { rows } = await sql<Unfinished>`
    select count(*) as brand, count(*) filter (where user_id = ${userId}) as user
    from imports where brand_id = ${brandId} and state in ('waiting', 'running')
  `.execute(db);
  return rows[0] ?? { brand: 0, user: 0 };
}

/** One server's attempt at an import. If another server takes the import over, this one can no longer write. */
export interface Attempt extends ImportKey {
  readonly attempt: number;
}

/** Of the brand's unfinished imports the oldest. Undefined if there is none. */
export async function findNextImport(db: Db, brandId: number): Promise<ImportRecord | undefined> {
  return selectImports(db, brandId).where('i.state', 'in', ['waiting', 'running']).orderBy('i.id').limit(1).executeTakeFirst();
}

/** Begins an attempt, also at an import that another server has left. Undefined if the import was cancelled. */
export async function beginAttempt(db: Db, key: ImportKey, { state }: Pick<ImportRecord, 'state'>): Promise<Attempt | undefined> {
  const isLeft = state === 'running';
  if (!isLeft && !(await moveImport(db, key, 'begin'))) return undefined;
  const { rows } = await sql<{ attempt: number }>`
    update imports set attempt = attempt + 1, interruptions = interruptions + ${isLeft ? 1 : 0},
      stage = case when staged is not null then 'merging' end
    where ${of(key)} and state = 'running' returning attempt
  `.execute(db);
  return rows[0] && { ...key, attempt: rows[0].attempt };
}

/** Stores the progress. False: the import was cancelled, or another server has taken it over. */
export async function storeProgress(
  db: Db,
  { attempt, ...key }: Attempt,
  { stage, rowsDone, rowsTotal }: ImportProgress,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update imports set stage = coalesce(${stage ?? null}, stage),
      rows_done = least(${rowsDone}, coalesce(${rowsTotal ?? null}::int, rows_total)),
      rows_total = coalesce(${rowsTotal ?? null}::int, rows_total)
    where ${of(key)} and state = 'running' and attempt = ${attempt}
  `.execute(db);
  return hasChanged({ numAffectedRows });
}

/** This attempt is over: the import has ended, or another server has taken it over. Rolls back the step that finds out; earlier steps stay. */
export class AlreadyEnded extends Error {}

/** What is known of a file when its rows are staged. */
export interface StagedFile extends Pick<ImportRecord, 'delimiter' | 'header' | 'warnings' | 'mapping'> {
  readonly counts: StagedCounts;
}

/** Commits with the staged rows. */
export async function storeStaged(db: Db, { attempt, ...key }: Attempt, file: StagedFile): Promise<void> {
  const { delimiter, header, warnings, mapping, counts } = file;
  const result = await sql`
    update imports set stage = 'merging', delimiter = ${delimiter}, header = ${JSON.stringify(header)},
      warnings = ${JSON.stringify(warnings)}, mapping = ${mapping && JSON.stringify(mapping)}, staged = ${JSON.stringify(counts)},
      content_hash = ${counts.content_hash}, rows_done = ${counts.total}, rows_total = ${counts.total}, planned = null
    where ${of(key)} and state = 'running' and attempt = ${attempt}
  `.execute(db);
  if (!hasChanged(result)) throw new AlreadyEnded();
}

/** Of a check whose rows a member has changed. */
export async function storeCounts(db: Db, key: ImportKey, counts: StagedCounts): Promise<void> {
  await sql`
    update imports set staged = ${JSON.stringify(counts)}, content_hash = ${counts.content_hash}, planned = null where ${of(key)}
  `.execute(db);
}

/** After this it cannot be cancelled any more, so all long work comes before. */
export async function finishImport(
  db: Db,
  { attempt, ...key }: Attempt,
  result: ImportValues,
  { canBeUndone }: { readonly canBeUndone: boolean },
): Promise<void> {
  const undo_until = canBeUndone ? sql<Date>`now() + make_interval(days => ${UNDO_DAYS})` : null;
  if (!(await moveImport(db, key, 'finish', { attempt, set: { ...result, undo_until } }))) throw new AlreadyEnded();
}

export async function changedLinksOfCertificates(db: Db, { brandId, importId }: ImportKey): Promise<boolean> {
  const { rows } = await sql`
    select from import_certificate_links where brand_id = ${brandId} and import_id = ${importId} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** A new check replaces the member's checks of the same file and their oldest ones. Returns those that it replaces. */
export async function listReplacedChecks(
  db: Db,
  { brandId, importId }: ImportKey,
  { userId, kept }: { readonly userId: number; readonly kept: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with own as (
      select id, file_name from imports where brand_id = ${brandId} and user_id = ${userId} and state = 'checked'
    )
    select id from own where id <> ${importId} and (
      file_name = (select file_name from own where id = ${importId})
      or id not in (select id from own order by id desc limit ${kept})
    )
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

/** For a file that needs an answer from the member first. The question is in the response. */
export async function deleteFailedImport(db: Db, key: ImportKey): Promise<void> {
  await sql`delete from imports where ${of(key)} and state = 'failed'`.execute(db);
}

/** Checks that were not confirmed in time. */
export async function listExpiredChecks(db: Db, brandId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from imports where brand_id = ${brandId} and state = 'checked' and ${IS_EXPIRED}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Excludes an import that a member has just confirmed. */
export const IS_CHECKED: Condition = sql`state = 'checked'`;

export const IS_UNDOABLE: Condition = sql`undo_until > now()`;

const IS_EXPIRED: Condition = sql`heartbeat_at <= now() - make_interval(secs => ${PREVIEW_SECONDS})`;

/** Throws if the plan is of an attempt that has ended. */
export async function storePlanned(db: Db, key: ImportKey & Partial<Attempt>, planned: StoredPlan): Promise<void> {
  const isCurrent: Condition = key.attempt === undefined ? sql`true` : sql`state = 'running' and attempt = ${key.attempt}`;
  const result = await sql`
    update imports set planned = ${JSON.stringify(planned)} where ${of(key)} and ${isCurrent}
  `.execute(db);
  if (!hasChanged(result)) throw new AlreadyEnded();
}

export async function storeRequest(db: Db, key: ImportKey, request: ImportRequest): Promise<void> {
  await sql`update imports set request = ${JSON.stringify(request)} where ${of(key)}`.execute(db);
}

export async function storeRowsTotal(db: Db, key: ImportKey, rows: number): Promise<void> {
  await sql`update imports set rows_total = ${rows} where ${of(key)}`.execute(db);
}

function hasChanged({ numAffectedRows }: { readonly numAffectedRows?: bigint | undefined }): boolean {
  return (numAffectedRows ?? 0n) > 0n;
}

function selectImports(db: Db, brandId: number) {
  return (
    db
      .selectFrom('imports as i')
      .where('i.brand_id', '=', brandId)
      .selectAll('i')
      .select(sql<boolean>`i.state = 'checked' and ${IS_EXPIRED}`.as('is_expired'))
      // The columns of JSON have no type in the schema.
      .$castTo<ImportRecord>()
  );
}

/** Files and what follows from them. Actions on variants are in the history. */

/** Actions on variants that ended so long ago that nobody follows them any more. */
export async function deleteOldActions(db: Db, brandId: number, days: number): Promise<void> {
  await sql`
    delete from imports where brand_id = ${brandId} and not (${IS_LISTED}) and state not in ('waiting', 'running')
      and created_at < now() - make_interval(days => ${days})
  `.execute(db);
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
  const filters: Condition[] = [
    IS_LISTED,
    ...(words.length > 0 ? [sql<boolean>`(${hasWords(sql`i.file_key`, words)} or i.user_id = any (${uploaders}::bigint[]))`] : []),
    ...(notice ? [hasNotice(brandId, notice)] : []),
  ];
  // Without a search, an index-only scan counts and pages. With one, the matching rows are read once for both.
  const how = sql.raw(filters.length === 1 ? 'not materialized' : 'materialized');
  const found: Ids = sql`select i.id from imports i where i.brand_id = ${brandId} and ${sql.join(filters, sql` and `)}`;
  const { rows } = await sql<{ count: number; ids: number[] }>`
    with found as ${how} (${found})
    select (select count(*) from found) as count,
      (select coalesce(json_agg(id), '[]') from (select id from found order by id desc limit ${take} offset ${skip}) page) as ids
  `.execute(db);
  return rows[0] ?? { count: 0, ids: [] };
}

const hasWords = (text: Value<string>, words: readonly string[]): Condition =>
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

/** Locks the import until the transaction ends: it keeps its state. */
export function lockImport(db: Db, { brandId, importId }: ImportKey): Promise<ImportRecord | undefined> {
  return selectImports(db, brandId).where('i.id', '=', importId).forNoKeyUpdate().executeTakeFirst();
}

/** Of an import whose rows are staged. */
export async function getStaged(db: Db, key: ImportKey): Promise<ImportRecord & { readonly staged: StagedCounts }> {
  const record = await findImportRecord(db, key);
  if (!record?.staged) throw new AlreadyEnded();
  return { ...record, staged: record.staged };
}

/** The earliest time at which rejected rows, a check or the data for an undo expires. Unfinished imports are looked at from time to time. */
export async function findNextPurge(db: Db, brandId: number, days: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(created_at) + make_interval(days => ${days}) from imports
        where brand_id = ${brandId} and rejected > 0 and created_at >= now() - make_interval(days => ${days})),
      (select min(heartbeat_at) + make_interval(secs => ${PREVIEW_SECONDS}) from imports where brand_id = ${brandId} and state = 'checked'),
      (select min(created_at) + make_interval(days => ${ACTION_DAYS}) from imports where brand_id = ${brandId} and not (${IS_LISTED})),
      (select min(now()) + make_interval(secs => ${PREVIEW_SECONDS}) from imports where brand_id = ${brandId} and state in ('waiting', 'running')),
      (select min(undo_until) from imports i where brand_id = ${brandId} and undo_until > now()
        and (exists (select from import_changes c where c.brand_id = ${brandId} and c.import_id = i.id)
          or exists (select from import_certificate_links k where k.brand_id = ${brandId} and k.import_id = i.id)))
    ) as at
  `.execute(db);
  return rows[0]?.at ?? undefined;
}

export interface FailedImportRecord {
  readonly brand_id: number;
  readonly id: number;
  readonly file_name: string;
  readonly created_at: Date;
  readonly failure: ImportFailure | null;
}

/** The failed imports of the last days, newest first, and how many there are. */
export async function listFailedRecords(
  db: Db,
  brandIds: readonly number[],
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<{ records: FailedImportRecord[]; count: number }> {
  const { rows } = await sql<FailedImportRecord & { count: number }>`
    select brand_id, id, file_name, created_at, failure, count(*) over () as count from imports
    where brand_id = any (${brandIds}::bigint[]) and state = 'failed' and not is_check and ${IS_LISTED} and created_at > now() - make_interval(days => ${days})
    order by created_at desc, id desc limit ${limit}
  `.execute(db);
  return { records: rows.map(({ count: _count, ...record }) => record), count: rows[0]?.count ?? 0 };
}
