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

/** Temporary tables are their connection's own and end with the transaction, however that ends. */
export async function createStaging(db: Db): Promise<void> {
  await sql`
    create temporary table staged_rows (
      row_number int not null,
      gtin text collate "C",
      gtin14 text collate "C",
      name text collate "C",
      category text collate "C",
      certification_id bigint,
      external_certificate_id text collate "C",
      publish boolean,
      cells jsonb,
      errors jsonb
    ) on commit drop
  `.execute(db);
}

export async function stageRows(db: Db, batches: AsyncIterable<StagedRow[]>): Promise<void> {
  await copyLines(db, 'staged_rows', toLines(batches));
  await sql`analyze staged_rows (row_number, gtin14, certification_id, external_certificate_id, errors)`.execute(db);
}

async function* toLines(batches: AsyncIterable<StagedRow[]>): AsyncGenerator<string> {
  for await (const batch of batches) if (batch.length > 0) yield batch.map(toLine).join('');
}

function toLine({ rowNumber, good, bad }: StagedRow): string {
  return copyLine([
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
export async function rejectContradictions(db: Db): Promise<number[]> {
  const { rows } = await sql<{ rows: number[] | null }>`
    with groups as (
      select gtin14, certification_id, min(row_number) as first_row
      from staged_rows where certification_id is not null
      group by gtin14, certification_id
      having min(external_certificate_id) <> max(external_certificate_id)
    ), members as (
      select r.row_number, r.external_certificate_id = f.external_certificate_id as like_first, g.first_row,
        min(r.row_number) filter (where r.external_certificate_id <> f.external_certificate_id)
          over (partition by g.gtin14, g.certification_id) as second_row
      from groups g
      join staged_rows r on r.gtin14 = g.gtin14 and r.certification_id = g.certification_id
      join staged_rows f on f.row_number = g.first_row
    ), rejected as (
      update staged_rows s
      set errors = jsonb_build_array(jsonb_build_object('code', 'contradicting_rows', 'field', 'certificate_id',
        'params', jsonb_build_object('row', case when m.like_first then m.second_row else m.first_row end)))
      from members m where s.row_number = m.row_number
      returning s.row_number
    )
    select array_agg(row_number order by row_number) as rows from rejected
  `.execute(db);
  return rows[0]?.rows ?? [];
}

/** For rows that were found to be bad only after they had been staged as good. */
export async function stageCells(
  db: Db,
  rows: AsyncIterable<{ readonly row: number; readonly cells: readonly string[] }[]>,
): Promise<void> {
  await sql`create temporary table staged_cells (row_number int, cells jsonb) on commit drop`.execute(db);
  await copyLines(db, 'staged_cells', toCellLines(rows));
  await sql`
    update staged_rows s set cells = c.cells from staged_cells c where s.row_number = c.row_number
  `.execute(db);
}

async function* toCellLines(batches: Parameters<typeof stageCells>[1]): AsyncGenerator<string> {
  for await (const batch of batches) {
    if (batch.length > 0) yield batch.map(({ row, cells }) => copyLine([row, JSON.stringify(cells)])).join('');
  }
}

export interface StagedCounts {
  readonly total: number;
  readonly rejected: number;
  readonly errors: number;
}

export async function countStagedRows(db: Db): Promise<StagedCounts> {
  const { rows } = await sql<StagedCounts>`
    select count(*) as total, count(errors) as rejected, coalesce(sum(jsonb_array_length(errors)), 0)::bigint as errors
    from staged_rows
  `.execute(db);
  return rows[0] ?? { total: 0, rejected: 0, errors: 0 };
}
