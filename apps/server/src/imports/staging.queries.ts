import { sql } from 'kysely';
import type { RowProblem } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import type { Condition, Rows } from '../db/fragments.ts';
import { copyLines } from '../db/statements.ts';

export interface ImportKey {
  readonly brandId: number;
  readonly importId: number;
}

/** Rows as lines of COPY's text format. */
export interface StagedLines {
  readonly lines: string | Buffer;
  /** How many rows of the file these are, skipped ones included. */
  readonly rows: number;
}

const of = ({ brandId, importId }: ImportKey): Condition => sql`brand_id = ${brandId} and import_id = ${importId}`;
const isStaged = (table: string, { brandId, importId }: ImportKey): Condition =>
  sql`${sql.ref(table)}.brand_id = ${brandId} and ${sql.ref(table)}.import_id = ${importId}`;

/** Replaces what an earlier attempt has staged. */
export async function stageRows(db: Db, stage: ImportKey, lines: AsyncIterable<StagedLines['lines']>): Promise<void> {
  await deleteRows(db, stage);
  await copyLines(db, 'import_rows', lines);
}

async function deleteRows(db: Db, stage: ImportKey): Promise<void> {
  for (const table of ['import_rows', 'import_links', 'import_plan'] as const) {
    await sql`delete from ${sql.table(table)} where ${of(stage)}`.execute(db);
  }
}

/** The rows, the plan and the file of an import that has ended. */
export async function deleteStaged(db: Db, stage: ImportKey): Promise<void> {
  await deleteRows(db, stage);
  await deleteFile(db, stage);
}

export async function deleteFile(db: Db, stage: ImportKey): Promise<void> {
  await sql`delete from import_files where ${of(stage)}`.execute(db);
}

const PART_BYTES = 512 * 1024;

/** Keeps an uploaded file until its rows are staged. */
export async function storeFile(db: Db, { brandId, importId }: ImportKey, chunks: AsyncIterable<Buffer>): Promise<void> {
  let part = 0;
  let pending: Buffer[] = [];
  let size = 0;
  const store = async () => {
    await sql`
      insert into import_files (brand_id, import_id, part, bytes) values (${brandId}, ${importId}, ${part}, ${Buffer.concat(pending)})
    `.execute(db);
    part += 1;
    pending = [];
    size = 0;
  };
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size >= PART_BYTES) await store();
  }
  if (size > 0) await store();
}

/** The parts of an uploaded file, one by one. None if it is not there. */
export async function* readStoredFile(db: Db, stage: ImportKey): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from import_files where ${of(stage)} and part = ${part}
    `.execute(db);
    if (!rows[0]) return;
    yield rows[0].bytes;
  }
}

/** Imports that have ended, but of which something is still staged. */
export async function listLeftStages(db: Db, brandId: number): Promise<number[]> {
  const { rows } = await sql<{ import_id: number }>`
    select import_id from (
      select import_id from import_files where brand_id = ${brandId} union select import_id from import_rows where brand_id = ${brandId}
      union select import_id from import_plan where brand_id = ${brandId}
    ) staged
    where not exists (
      select from imports i where i.brand_id = ${brandId} and i.id = staged.import_id and i.state in ('waiting', 'running', 'checked')
    )
  `.execute(db);
  return rows.map(({ import_id }) => import_id);
}

/** What is compared of a row. Null: the value has an error. */
export interface ComparedRow {
  readonly gtin14: string | null;
  readonly row_number: number;
  readonly name: string | null;
  readonly category: string | null;
  readonly details: string | null;
  readonly certification_id: number | null;
  readonly certificate_key: string | null;
}

export interface FoundErrors {
  readonly row_number: number;
  readonly errors: readonly RowProblem[];
}

interface ComparedValue {
  readonly gtin14: string;
  readonly row_number: number;
  readonly topic: number;
  /** The certification, or 0. */
  readonly about: number;
  readonly value: string;
}
interface WithFirst extends ComparedValue {
  readonly first_value: string;
  readonly first_row: number;
}
interface WithOther extends WithFirst {
  /** The first row with another value. */
  readonly other_row: number | null;
}

/**
 * Finds contradictions among `rows`: a `with` has these queries under their names, one after the other. Rows of one GTIN contradict each
 * other if they differ in name, in a category that is not blank, in the details as a whole if both have any, or in the id of the same
 * certification. Only the member knows which is right. Case and accents are ignored in names and categories. Different details are reported
 * as a different description. Rows with other errors are compared as well, in the values that have none: once corrected, they would
 * overwrite the row that was imported.
 */
export const CONTRADICTIONS: {
  readonly values_by_topic: Rows<ComparedValue>;
  readonly firsts: Rows<WithFirst>;
  readonly compared: Rows<WithOther>;
  readonly problems: Rows<FoundErrors>;
} = {
  values_by_topic: sql`
    select gtin14, row_number, 1 as topic, 0 as about, search_key(name) as value from rows
    where name is not null and gtin14 in (select gtin14 from rows group by gtin14 having min(name) <> max(name))
    union all
    select gtin14, row_number, 2, 0, search_key(category) from rows
    where category <> '' and gtin14 in (
      select gtin14 from rows where category <> '' group by gtin14 having min(category) <> max(category))
    union all
    select gtin14, row_number, 3, certification_id, certificate_key from rows
    where (gtin14, certification_id) in (
      select gtin14, certification_id from rows group by gtin14, certification_id having min(certificate_key) <> max(certificate_key))
    union all
    select gtin14, row_number, 4, 0, details from rows
    where details is not null and gtin14 in (select gtin14 from rows group by gtin14 having min(details) <> max(details))`,
  firsts: sql`
    select *, first_value(value) over topics as first_value, first_value(row_number) over topics as first_row
    from values_by_topic window topics as (partition by gtin14, topic, about order by row_number)`,
  compared: sql`
    select *, min(row_number) filter (where value <> first_value) over (partition by gtin14, topic, about) as other_row from firsts`,
  problems: sql`
    select row_number, jsonb_agg(jsonb_build_object(
      'code', (array['contradicting_names', 'contradicting_categories', 'contradicting_rows', 'contradicting_details'])[topic],
      'field', (array['variant_name', 'category', 'certificate_id', 'description'])[topic],
      'params', jsonb_build_object('row', case when value = first_value then other_row else first_row end)
    ) order by topic) as errors
    from compared where other_row is not null group by row_number`,
};

/**
 * Finds rows whose name differs from the stored one only where it has question marks and the stored one letters: a program could not save
 * them. A question mark may be one letter or one byte of it. "Esto?" instead of "Esto!" or "Esto" is a new name.
 */
export function lostLetters(brandId: number, rows: Rows<Pick<ComparedRow, 'gtin14' | 'row_number' | 'name'>>): Rows<FoundErrors> {
  return sql`
    select s.row_number, jsonb_build_array(jsonb_build_object(
      'code', 'lost_letters', 'field', 'variant_name', 'params', jsonb_build_object('value', s.name, 'stored', v.name))) as errors
    from (${rows}) s cross join lateral (
      select name from variants where brand_id = ${brandId} and gtin14 between s.gtin14 and s.gtin14 order by gtin14 limit 1
    ) v
    where s.name like '%?%' and length(v.name) <= length(s.name) and replace(v.name, '?', '') <> replace(s.name, '?', '')
      and v.name ~ ('^' || regexp_replace(
        regexp_replace(s.name, '[][\\\\.^$*+(){}|]', '\\\\\\&', 'g'), '\\?+', '[a-zA-Z?\\\\u0080-\\\\U0010FFFF]+', 'g') || '$')`;
}

/** Rejects rows that are wrong beside the brand or beside each other. Returns the numbers of those without cells, in order. */
export async function rejectCompared(db: Db, stage: ImportKey): Promise<number[]> {
  const rows = [...(await rejectLostLetters(db, stage)), ...(await rejectContradictions(db, stage))];
  return [...new Set(rows)].sort((a, b) => a - b);
}

async function rejectLostLetters(db: Db, stage: ImportKey): Promise<number[]> {
  const rowsOfStage: Rows<Pick<ComparedRow, 'gtin14' | 'row_number' | 'name'>> = sql`
    select gtin14, row_number, name from import_rows where ${of(stage)} and errors is null and name like '%?%'`;
  const { rows } = await sql<{ rows: number[] | null }>`
    with problems as materialized (${lostLetters(stage.brandId, rowsOfStage)}), rejected as (
      -- Without the name, which contradicts nothing.
      update import_rows r set errors = p.errors, name = null from problems p
      where ${isStaged('r', stage)} and r.row_number = p.row_number
      returning r.row_number
    )
    select array_agg(row_number order by row_number) as rows from rejected
  `.execute(db);
  return rows[0]?.rows ?? [];
}

/** Rejects rows that contradict each other. Returns the numbers of those without cells, in order. */
export async function rejectContradictions(db: Db, stage: ImportKey): Promise<number[]> {
  const { values_by_topic, firsts, compared, problems } = CONTRADICTIONS;
  const rowsOfRepeated: Rows<ComparedRow> = sql`
    select r.gtin14, r.row_number, r.name, r.category, r.details, r.certification_id, r.certificate_key
    from repeated join import_rows r on ${isStaged('r', stage)} and r.gtin14 = repeated.gtin14`;
  const { rows } = await sql<{ rows: number[] | null }>`
    -- Two steps: first the repeated GTINs, which most files do not have, then those of them that differ.
    with repeated as (
      select gtin14 from import_rows where ${of(stage)} and gtin14 is not null group by gtin14 having count(*) > 1
    ), rows as materialized (${rowsOfRepeated}), values_by_topic as (${values_by_topic}), firsts as (${firsts}), compared as (${compared}),
    problems as (${problems}), rejected as (
      update import_rows r set errors = coalesce(r.errors, '[]') || p.errors
      from problems p where ${isStaged('r', stage)} and r.row_number = p.row_number
      returning r.row_number, r.cells
    )
    select array_agg(row_number order by row_number) filter (where jsonb_typeof(cells) is distinct from 'array') as rows from rejected
  `.execute(db);
  return rows[0]?.rows ?? [];
}

/** The cells of some rows, in file order. */
export interface StagedCells {
  readonly first: number;
  readonly last: number;
  /** JSON of the rows, each with `row` and `cells`. */
  readonly rows: string;
}

/** Adds the cells of rows that were staged as valid and rejected afterwards. */
export async function stageCells(db: Db, stage: ImportKey, batches: AsyncIterable<StagedCells>): Promise<void> {
  for await (const { first, last, rows } of batches) {
    await sql`
      update import_rows s set cells = c.cells from json_to_recordset(${rows}) as c (row int, cells jsonb)
      -- Without the range each batch would read all rows of the import, because the planner does not know their number.
      where s.brand_id = ${stage.brandId} and s.import_id = ${stage.importId}
        and s.row_number between ${first} and ${last} and s.row_number = c.row
    `.execute(db);
  }
}

export interface StagedCounts {
  readonly total: number;
  /** Of valid rows. */
  readonly variants: number;
  readonly rejected: number;
  readonly errors: number;
  /** What the rejected rows take on disk. */
  readonly rejected_bytes: number;
  /** Whether any row publishes its variant. */
  readonly publishes: boolean;
  /** Whether any row has a link to a certificate at its issuer. */
  readonly has_links: boolean;
  /** A hash of all rows in any order. */
  readonly content_hash: string;
  /** Whether a member has chosen the column of the name, or it was recognized by its contents. */
  readonly is_name_mapped?: boolean;
}

export async function countStagedRows(db: Db, stage: ImportKey): Promise<StagedCounts> {
  const { rows } = await sql<StagedCounts>`
    select count(*) as total, count(distinct gtin14) filter (where errors is null) as variants, count(errors) as rejected, coalesce(sum(jsonb_array_length(errors)), 0)::bigint as errors,
      coalesce(sum(pg_column_size(cells) + pg_column_size(errors)), 0)::bigint as rejected_bytes,
      coalesce(bool_or(publish) filter (where errors is null), false) as publishes,
      coalesce(bool_or(certificate_link is not null) filter (where errors is null), false) as has_links,
      coalesce(sum(hashtextextended(
        concat_ws(E'\x01', gtin14, name, category, details, certification_id, certificate_key, certificate_link, publish, cells::text), 0
      )), 0)::text as content_hash
    from import_rows where ${of(stage)}
  `.execute(db);
  const none = { total: 0, variants: 0, rejected: 0, errors: 0, rejected_bytes: 0 };
  return rows[0] ?? { ...none, publishes: false, has_links: false, content_hash: '0' };
}

export async function listStagedErrors(db: Db, stage: ImportKey, limit: number): Promise<{ row_number: number; errors: RowProblem[] }[]> {
  const { rows } = await sql<{ row_number: number; errors: RowProblem[] }>`
    select row_number, errors from import_rows where ${of(stage)} and errors is not null order by row_number limit ${limit}
  `.execute(db);
  return rows;
}
