import type { RejectedRowCounts, RejectedRowState } from '@brand-portal/contract/import-corrections';
import { sql } from 'kysely';
import type { RowProblem, RowProblemCode } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import type { Condition, Rows, Value } from '../db/fragments.ts';
import { CONTRADICTIONS, type ComparedRow, type FoundErrors, type ImportKey, lostLetters } from './staging.queries.ts';

export interface RejectedRow {
  readonly row_number: number;
  /** The corrected cells. The errors are of the corrected row too. */
  readonly cells: readonly string[];
  readonly errors: readonly RowProblem[];
}

export interface CorrectedRow extends RejectedRow {
  /** As the import rejected it. Null: not corrected. */
  readonly original: Omit<RejectedRow, 'row_number'> | null;
  readonly state: RejectedRowState;
  readonly taken_by: number | null;
}

/** The content of a row that must agree among rows of one GTIN. Null: the value has an error. */
export interface RowContent {
  readonly gtin14: string;
  readonly name: string | null;
  readonly category: string | null;
  readonly details: string | null;
  readonly certification_id: number | null;
  readonly certificate_key: string | null;
}

export interface ValidatedRow extends RejectedRow {
  /** Null if the GTIN is wrong. */
  readonly content: RowContent | null;
}

const of = ({ brandId, importId }: ImportKey): Condition => sql`r.brand_id = ${brandId} and r.import_id = ${importId}`;

/** The import `t` took the rejected row `r`. */
const hasTaken = ({ brandId }: ImportKey): Condition => sql`t.brand_id = ${brandId} and t.id = r.taken_by`;

const IS_NOT_TAKEN: Condition = sql`t.state in ('waiting', 'running', 'done') is not true`;
const STATE: Value<RejectedRowState> = sql`case when t.state = 'done' then 'imported' when t.state in ('waiting', 'running') then 'importing'
  when r.errors = '[]' then 'ready' else 'wrong' end`;

/** The `RowContent` of a staged row. */
const CONTENT: Value<RowContent | null> = sql`case when gtin14 is not null then jsonb_build_object('gtin14', gtin14, 'name', name,
  'category', category, 'details', details, 'certification_id', certification_id, 'certificate_key', certificate_key) end`;

/** Copies the invalid staged rows. */
export async function insertRejectedRows(db: Db, { brandId, importId }: ImportKey): Promise<void> {
  await sql`
    insert into import_rejected_rows (brand_id, import_id, row_number, cells, errors, content)
    select brand_id, import_id, row_number, cells, errors, ${CONTENT}
    from import_rows where brand_id = ${brandId} and import_id = ${importId} and errors is not null order by row_number
  `.execute(db);
}

interface Selection {
  /** Starts after this row. */
  readonly after?: number;
  readonly skip?: number;
  readonly take: number;
  readonly only?: 'not_imported' | RejectedRowState;
}

function selectRejectedRows(stage: ImportKey, { after = 0, skip = 0, take, only }: Selection): Rows<CorrectedRow> {
  const isWanted: Condition =
    only === undefined ? sql`true` : only === 'not_imported' ? sql`t.state = 'done' is not true` : sql`${STATE} = ${only}`;
  return sql`
    select r.row_number, r.cells, r.errors, r.original, ${STATE} as state, case when ${IS_NOT_TAKEN} then null else r.taken_by end as taken_by
    from import_rejected_rows r left join imports t on ${hasTaken(stage)}
    where ${of(stage)} and r.row_number > ${after} and ${isWanted} order by r.row_number limit ${take} offset ${skip}`;
}

/** In file order. */
export async function listRejectedRows(db: Db, stage: ImportKey, selection: Selection): Promise<CorrectedRow[]> {
  const { rows } = await selectRejectedRows(stage, selection).execute(db);
  return rows;
}

/** As many of them as fit into a batch, but at least one. */
export async function listRejectedBatch(db: Db, stage: ImportKey, selection: Selection): Promise<CorrectedRow[]> {
  const { rows } = await inBatch(selectRejectedRows(stage, selection)).execute(db);
  return rows;
}

const BATCH_BYTES = 512 * 1024;

/** A row may have 256 KB: hundreds of them in the memory of each caller would be too much. */
function inBatch(rows: Rows<CorrectedRow>): Rows<CorrectedRow> {
  return sql`
    select row_number, cells, errors, original, state, taken_by from (
      select *, sum(bytes) over (order by row_number) - bytes as bytes_before from (
        select *, octet_length(cells::text) + coalesce(octet_length(original::text), 0) as bytes from (${rows}) given
      ) measured
    ) summed where bytes_before < ${BATCH_BYTES} order by row_number`;
}

/** All rows of a selection, in batches of `most` rows or fewer. `read`: one of the functions of this file that read a batch. */
export async function* readBatches(
  most: number,
  read: (window: { after: number; take: number }) => Promise<CorrectedRow[]>,
): AsyncGenerator<CorrectedRow[]> {
  for (let after = 0, take = most; ; ) {
    const rows = await read({ after, take });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row_number;
    // Rows beyond the end of a batch are measured in vain: if rows are long, that takes most of the time.
    take = Math.min(most, 2 * rows.length);
  }
}

/** The errors of the first wrong rows, without their cells. */
export async function listRowErrors(db: Db, stage: ImportKey, take: number): Promise<Pick<CorrectedRow, 'row_number' | 'errors'>[]> {
  const { rows } = await sql<Pick<CorrectedRow, 'row_number' | 'errors'>>`
    select r.row_number, r.errors from import_rejected_rows r left join imports t on ${hasTaken(stage)}
    where ${of(stage)} and ${STATE} = 'wrong' order by r.row_number limit ${take}
  `.execute(db);
  return rows;
}

export async function findRejectedRow(db: Db, stage: ImportKey, row: number): Promise<CorrectedRow | undefined> {
  const [found] = await listRejectedRows(db, stage, { after: row - 1, take: 1 });
  return found?.row_number === row ? found : undefined;
}

export async function countRejectedRows(db: Db, stage: ImportKey): Promise<RejectedRowCounts> {
  const { rows } = await sql<{ state: RejectedRowState; count: number }>`
    select ${STATE} as state, count(*) as count from import_rejected_rows r left join imports t on ${hasTaken(stage)}
    where ${of(stage)} group by 1
  `.execute(db);
  const counts = { wrong: 0, ready: 0, importing: 0, imported: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** Whether a row has cells at or beyond a position. */
export async function hasCellsFrom(db: Db, { brandId, importId }: ImportKey, place: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from import_rejected_rows
    where brand_id = ${brandId} and import_id = ${importId} and original is not null and jsonb_array_length(cells) > ${place} limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Locks the import's corrections, so that there is one writer at a time. False: another transaction has the lock. Does not wait. */
export async function tryLockCorrections(db: Db, { brandId, importId }: ImportKey): Promise<boolean> {
  const isMeant: Condition = sql`brand_id = ${brandId} and id = ${importId}`;
  const { rows } = await sql`select from imports where ${isMeant} for no key update skip locked`.execute(db);
  if (rows.length > 0) return true;
  const { rows: known } = await sql`select from imports where ${isMeant}`.execute(db);
  return known.length === 0;
}

interface CellValue {
  readonly place: number;
  /** The field that the column has, if any. */
  readonly field: string | undefined;
  readonly value: string;
}

/** A blank cell only where it is an error: elsewhere it is meant to be blank. */
function hasCell({ place, field = '', value }: CellValue): Condition {
  const isError: Condition = value.trim() === '' ? sql`r.errors @> ${JSON.stringify([{ field }])}::jsonb` : sql`true`;
  return sql`coalesce(r.cells->>${place}::int, '') = ${value} and ${isError}`;
}

/** Counts only rows that can still be corrected. */
export async function countSame(db: Db, stage: ImportKey, cell: CellValue): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from import_rejected_rows r left join imports t on ${hasTaken(stage)}
    where ${of(stage)} and ${IS_NOT_TAKEN} and ${hasCell(cell)}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function listSame(
  db: Db,
  stage: ImportKey,
  { after, take, ...cell }: CellValue & { readonly after: number; readonly take: number },
): Promise<CorrectedRow[]> {
  const { rows } = await inBatch(sql`
    select r.row_number, r.cells, r.errors, r.original, ${STATE} as state, r.taken_by
    from import_rejected_rows r left join imports t on ${hasTaken(stage)}
    where ${of(stage)} and ${IS_NOT_TAKEN} and ${hasCell(cell)} and r.row_number > ${after} order by r.row_number limit ${take}
  `).execute(db);
  return rows;
}

/** `judged` must be in file order. Returns the GTINs that the rows had before and have now. */
export async function updateRejectedRows(db: Db, stage: ImportKey, judged: readonly ValidatedRow[]): Promise<string[]> {
  // The planner does not know the number of rows: without the range, each batch would read all rows of the import.
  const isInRange: Condition = sql`${of(stage)} and r.row_number between ${judged.at(0)?.row_number} and ${judged.at(-1)?.row_number}`;
  const { rows } = await sql<{ before: string | null; after: string | null }>`
    with before as (
      select r.row_number, r.gtin14, j.cells, j.errors, j.content,
        -- Citus refuses this in the update.
        coalesce(r.original, jsonb_build_object('cells', r.cells, 'errors', r.errors)) as original
      from json_to_recordset(${JSON.stringify(judged)}) as j (row_number int, cells jsonb, errors jsonb, content jsonb)
      join import_rejected_rows r on ${isInRange} and r.row_number = j.row_number
    )
    update import_rejected_rows r set cells = b.cells, errors = b.errors, content = b.content, taken_by = null, original = b.original
    from before b where ${isInRange} and r.row_number = b.row_number
    returning b.gtin14 as before, r.gtin14 as after
  `.execute(db);
  return [...new Set(rows.flatMap(({ before, after }) => [before, after]).filter((gtin) => gtin !== null))];
}

/**
 * Finds where rows differ from the variants that the import itself wrote: the rows that these come from are gone, and a correction would
 * silently overwrite them. Compared as they are now, so a later edit is not overwritten either.
 */
function contradictingWritten({ brandId, importId }: ImportKey, rows: Rows<ComparedRow>): Rows<FoundErrors> {
  const isOfImport: Condition = sql`brand_id = ${brandId} and import_id = ${importId} and variant_id = v.id`;
  const isCreated: Condition = sql`v.id between i.variants_after + 1 and i.variants_to`;
  return sql`
    select r.row_number, jsonb_agg(jsonb_build_object('code', p.code, 'field', p.field, 'params', jsonb_build_object('stored', p.stored))
      order by p.code desc) as errors
    from (${rows}) r cross join (
      select variants_after, variants_to from imports where brand_id = ${brandId} and id = ${importId}
    ) i cross join lateral (
      select id, name, category, details from variants
      where brand_id = ${brandId} and gtin14 between r.gtin14 and r.gtin14 order by gtin14 limit 1
    ) v left join lateral (
      select after from import_changes where ${isOfImport} and not undone limit 1
    ) c on true cross join lateral (
      values ('contradicting_names', 'variant_name', v.name, search_key(r.name) <> search_key(v.name)),
        ('contradicting_categories', 'category', v.category, r.category <> '' and v.category <> ''
          and search_key(r.category) <> search_key(v.category) and (${isCreated} or c.after ? 'category'))
      union all
      select 'contradicting_details', key, v.details->>key, v.details->>key <> value
        and (${isCreated} or c.after ? key) from jsonb_each_text(r.details::jsonb)
    ) p (code, field, stored, is_other)
    where p.is_other and (${isCreated} or c.after is not null
      or exists (select from variant_certificates where ${isOfImport}))
    group by r.row_number`;
}

interface GivenRow extends ComparedRow {
  readonly is_free: boolean;
  /** Those that do not come from a comparison. */
  readonly own_errors: readonly RowProblem[];
}

/**
 * Compares the rows of the GTINs with the brand and with each other: adds what is wrong to their other errors, and removes what is resolved.
 * Rows that an import has taken are compared too, but not changed. The rows are joined with each other, so call it with hash joins.
 */
export async function markCompared(db: Db, stage: ImportKey, gtins: readonly string[]): Promise<void> {
  if (gtins.length === 0) return;
  const { values_by_topic, firsts, compared, problems } = CONTRADICTIONS;
  const given: Rows<GivenRow> = sql`
    select r.gtin14, r.row_number, r.content->>'name' as name, r.content->>'category' as category, r.content->>'details' as details,
      (r.content->>'certification_id')::bigint as certification_id, r.content->>'certificate_key' as certificate_key, ${IS_NOT_TAKEN} as is_free,
      jsonb_path_query_array(r.errors, '$[*] ? (!(@.code starts with "contradicting_") && !exists(@.params.stored))') as own_errors
    from import_rejected_rows r left join imports t on ${hasTaken(stage)}
    where ${of(stage)} and r.gtin14 = any (${gtins})`;
  const named: Rows<ComparedRow> = sql`
    select given.gtin14, given.row_number, case when lost.errors is null then given.name end as name, given.category, given.details,
      given.certification_id, given.certificate_key from given left join lost using (row_number)`;
  const free: Rows<ComparedRow> = sql`select rows.* from rows join given using (row_number) where given.is_free`;
  await sql`
    with given as materialized (${given}), lost as materialized (${lostLetters(stage.brandId, sql`select * from given`)}),
    rows as materialized (${named}), values_by_topic as (${values_by_topic}), firsts as (${firsts}), compared as (${compared}),
    problems as (${problems}), written as materialized (${contradictingWritten(stage, free)}), judged as (
      select given.row_number, own_errors || coalesce(lost.errors, '[]') || coalesce(problems.errors, '[]')
        || coalesce(written.errors, '[]') as errors
      from given left join lost using (row_number) left join problems using (row_number) left join written using (row_number)
      where given.is_free
    )
    update import_rejected_rows r set errors = j.errors from judged j
    where ${of(stage)} and r.row_number = j.row_number and r.errors <> j.errors
  `.execute(db);
}

/** Assigns the ready rows to one import; a concurrent caller finds none. Returns how many. */
export async function takeReadyRows(db: Db, stage: ImportKey, takenBy: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with ready as (
      select r.row_number from import_rejected_rows r left join imports t on ${hasTaken(stage)} where ${of(stage)} and ${STATE} = 'ready'
    )
    update import_rejected_rows r set taken_by = ${takenBy} from ready where ${of(stage)} and r.row_number = ready.row_number
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The rows that an import has taken, in file order. */
export async function listTakenRows(
  db: Db,
  stage: ImportKey,
  { takenBy, after, take }: { takenBy: number; after: number; take: number },
): Promise<CorrectedRow[]> {
  const { rows } = await inBatch(sql`
    select r.row_number, r.cells, r.errors, r.original, 'importing' as state, r.taken_by
    from import_rejected_rows r where ${of(stage)} and r.taken_by = ${takenBy} and r.row_number > ${after}
    order by r.row_number limit ${take}
  `).execute(db);
  return rows;
}

/** Releases rows that are no longer valid because the catalogue has changed, and removes them from the staged rows. */
export async function releaseInvalidRows(db: Db, stage: ImportKey, takenBy: number): Promise<void> {
  const { brandId } = stage;
  await sql`
    with wrong as (
      delete from import_rows where brand_id = ${brandId} and import_id = ${takenBy} and errors is not null
      returning row_number, errors, gtin14, name, category, details, certification_id, certificate_key
    ), released as (
      -- Citus refuses this in the update.
      select row_number, errors, ${CONTENT} as content from wrong
    )
    update import_rejected_rows r set errors = w.errors, taken_by = null, content = w.content
    from released w where ${of(stage)} and r.taken_by = ${takenBy} and r.row_number = w.row_number
  `.execute(db);
}

interface ProblemGroup {
  readonly code: RowProblemCode;
  readonly field: string | null;
  readonly count: number;
  readonly problems: readonly { readonly row: number; readonly problem: RowProblem }[];
}

/** Counts all errors of the rejected rows by kind and column, with the first row of each; most frequent first. */
export async function listProblemGroups(db: Db, { brandId, importId }: ImportKey, limit: number): Promise<ProblemGroup[]> {
  const { rows } = await sql<ProblemGroup>`
    with problems as (
      select row_number as row, problem, problem->>'code' as code, problem->>'field' as field, place
      from import_rejected_rows r cross join lateral jsonb_array_elements(errors) with ordinality e (problem, place)
      where brand_id = ${brandId} and import_id = ${importId}
    ), ranked as (
      select *, row_number() over same as rank, count(*) over (partition by code, field) as count
      from problems window same as (partition by code, field order by row, place)
    )
    select code, field, count, json_agg(json_build_object('row', row, 'problem', problem) order by rank) as problems
    from ranked where rank <= ${limit} group by code, field, count order by count desc, min(row), code, field
  `.execute(db);
  return rows;
}

/** Keeps the rejected rows of the newest imports, up to `bytes` in total, but at least those of the last one. Deletes the rest. */
export async function deleteRejectedRowsBeyond(db: Db, brandId: number, bytes: number): Promise<void> {
  await sql`
    delete from import_rejected_rows
    where brand_id = ${brandId} and import_id in (
      select id from (
        select id, max(id) over () as newest, sum(rejected_bytes) over (order by id desc) as bytes_since
        from imports where brand_id = ${brandId} and rejected > 0
      ) i where bytes_since > ${bytes} and id < newest
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
