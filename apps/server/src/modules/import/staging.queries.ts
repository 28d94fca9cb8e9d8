import { sql } from 'kysely';
import { copyLine, copyLines } from '../../db/copy.ts';
import type { Db } from '../../db/database.ts';

/** A row of the file: what it says, or as it is and what is wrong with it. */
export interface StagedRow {
  readonly rowNumber: number;
  readonly good?: {
    readonly gtin: string;
    readonly gtin14: string;
    readonly name: string;
    readonly category: string;
    readonly certificate: { readonly certificationId: number; readonly externalId: string } | undefined;
    readonly publish: boolean;
  };
  readonly bad?: { readonly cells: readonly string[]; readonly errors: readonly unknown[] };
}

/** An import in progress, by which its rows are found. */
export interface Stage {
  readonly brandId: number;
  readonly importId: number;
}

const of = ({ brandId, importId }: Stage) => sql`brand_id = ${brandId} and import_id = ${importId}`;

/** What is staged is committed before it is merged. A server that is killed in between leaves it behind, for `sweepStages`. */
export async function stageRows(db: Db, stage: Stage, batches: AsyncIterable<StagedRow[]>): Promise<void> {
  const { brandId, importId } = stage;
  await sql`insert into staged_imports (brand_id, import_id) values (${brandId}, ${importId})`.execute(db);
  await copyLines(db, 'import_rows', toLines(stage, batches));
}

/** Longer than any import takes. */
export const ABANDONED_AFTER_SECONDS = 3_600;

export async function deleteStage(db: Db, stage: Stage): Promise<void> {
  for (const table of ['import_rows', 'import_variants', 'import_links', 'staged_imports'] as const) {
    await sql`delete from ${sql.table(table)} where ${of(stage)}`.execute(db);
  }
}

/** What killed servers left behind in the brand. */
export async function sweepStages(db: Db, brandId: number): Promise<void> {
  const { rows } = await sql<{ import_id: number }>`
    select import_id from staged_imports where brand_id = ${brandId} and started_at < now() - make_interval(secs => ${ABANDONED_AFTER_SECONDS})
  `.execute(db);
  for (const { import_id } of rows) await deleteStage(db, { brandId, importId: import_id });
}

async function* toLines(stage: Stage, batches: AsyncIterable<StagedRow[]>): AsyncGenerator<string> {
  for await (const batch of batches) if (batch.length > 0) yield batch.map((row) => toLine(stage, row)).join('');
}

function toLine({ brandId, importId }: Stage, { rowNumber, good, bad }: StagedRow): string {
  return copyLine([
    brandId,
    importId,
    rowNumber,
    good?.gtin,
    good?.gtin14,
    good?.name,
    good?.category,
    good?.certificate?.certificationId,
    good?.certificate?.externalId,
    good?.publish,
    bad && JSON.stringify(bad.cells),
    bad && JSON.stringify(bad.errors),
  ]);
}

/**
 * Rejects the rows that give one GTIN different certificate ids for one certification: nobody but the member knows which is right.
 * Tells which rows these are, in their order; their cells are still missing.
 */
export async function rejectContradictions(db: Db, stage: Stage): Promise<number[]> {
  const { rows } = await sql<{ rows: number[] | null }>`
    with groups as (
      select gtin14, certification_id, min(row_number) as first_row
      from import_rows where ${of(stage)} and certification_id is not null
      group by gtin14, certification_id
      having min(external_certificate_id) <> max(external_certificate_id)
    ), members as (
      select r.row_number, r.external_certificate_id = f.external_certificate_id as like_first, g.first_row,
        min(r.row_number) filter (where r.external_certificate_id <> f.external_certificate_id)
          over (partition by g.gtin14, g.certification_id) as second_row
      from groups g
      join import_rows r on r.brand_id = ${stage.brandId} and r.import_id = ${stage.importId}
        and r.gtin14 = g.gtin14 and r.certification_id = g.certification_id
      join import_rows f on f.brand_id = ${stage.brandId} and f.import_id = ${stage.importId} and f.row_number = g.first_row
    ), rejected as (
      update import_rows s
      set errors = jsonb_build_array(jsonb_build_object('code', 'contradicting_rows', 'field', 'certificate_id',
        'params', jsonb_build_object('row', case when m.like_first then m.second_row else m.first_row end)))
      from members m
      where s.brand_id = ${stage.brandId} and s.import_id = ${stage.importId} and s.row_number = m.row_number
      returning s.row_number
    )
    select array_agg(row_number order by row_number) as rows from rejected
  `.execute(db);
  return rows[0]?.rows ?? [];
}

/** For rows that were found to be bad only after they had been staged as good. */
export async function stageCells(
  db: Db,
  stage: Stage,
  batches: AsyncIterable<{ readonly row: number; readonly cells: readonly string[] }[]>,
): Promise<void> {
  for await (const rows of batches) {
    if (rows.length === 0) continue;
    await sql`
      update import_rows s set cells = c.cells from json_to_recordset(${JSON.stringify(rows)}) as c (row int, cells jsonb)
      where s.brand_id = ${stage.brandId} and s.import_id = ${stage.importId} and s.row_number = c.row
    `.execute(db);
  }
}

export interface StagedCounts {
  readonly total: number;
  readonly rejected: number;
  readonly errors: number;
}

export async function countStagedRows(db: Db, stage: Stage): Promise<StagedCounts> {
  const { rows } = await sql<StagedCounts>`
    select count(*) as total, count(errors) as rejected, coalesce(sum(jsonb_array_length(errors)), 0)::bigint as errors
    from import_rows where ${of(stage)}
  `.execute(db);
  return rows[0] ?? { total: 0, rejected: 0, errors: 0 };
}
