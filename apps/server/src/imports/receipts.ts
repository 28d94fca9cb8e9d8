import { Readable } from 'node:stream';
import { DEFAULT_PAGE_SIZE, type Language, MAX_LISTED_ERRORS } from '@brand-portal/contract/constants';
import type { QueryOf } from '@brand-portal/contract/endpoint';
import type {
  CsvRowError,
  CsvUploadResult,
  ImportChange,
  ImportDetail,
  ImportReceipt,
  listImportChanges as listImportChangesEndpoint,
  listImports as listImportsEndpoint,
} from '@brand-portal/contract/import';
import type { ImportErrorGroup } from '@brand-portal/contract/import-corrections';
import { addColumns, findColumns } from '../catalog/fields/columns.ts';
import { describeFailure, describeProblem, importTexts, questionsOf, toRowErrors, toWarnings } from '../catalog/fields/describe.ts';
import type { ImportFailure } from '../catalog/fields/row-problem.ts';
import { type Db, inSnapshot } from '../db/database.ts';
import { ofThisRead } from '../db/reads.ts';
import { AppError } from '../lib/errors.ts';
import { searchWords } from '../lib/search-words.ts';
import { listPeople, type People, toNamedPerson } from '../people/members/actors.ts';
import { inAnyBrand, JOB_WAIT } from '../writes/brand-lock.ts';
import { type BrandByBrand, scheduleWork, setDueWork, takeDueWork, workBrandByBrand } from '../writes/due-work.ts';
import {
  deleteOldRejectedRows,
  deleteRejectedRowsBeyond,
  hasCellsFrom,
  listProblemGroups,
  listRejectedBatch,
  listRejectedRows,
  listRowErrors,
  type RejectedRow,
  readBatches,
} from './corrections.queries.ts';
import { queueImports } from './import-job.ts';
import {
  ACTION_DAYS,
  deleteOldActions,
  findImportRecord,
  findImports,
  findNextImport,
  findNextPurge,
  type ImportRecord,
  listExpiredChecks,
  listFailedRecords,
  listImportRecords,
} from './imports.queries.ts';
import { describeKept } from './kept.ts';
import { discardCheck } from './preview.ts';
import { createRejectedRowsWriter } from './rejected-rows.ts';
import { deleteStaged, type ImportKey, listLeftStages } from './staging.queries.ts';
import { dropOldChanges, listChanges } from './undo.queries.ts';
import { changedNothing, isUndoable } from './undo.ts';

export const REJECTED_ROWS_DAYS = 90;
/** Limit per brand, by what they take on disk. */
export const REJECTED_ROWS_BYTES = 256 * 1024 * 1024;
const DOWNLOAD_BATCH = 50;
const GROUP_ROWS = 20;
/** Limit per brand of changes kept for undo, about 150 bytes each. */
const MAX_KEPT_CHANGES = 1_000_000;

export async function listReceipts(
  db: Db,
  brandId: number,
  { page = 1, page_size = DEFAULT_PAGE_SIZE, search = '', notice }: QueryOf<typeof listImportsEndpoint>,
  language: Language,
): Promise<{ results: ImportReceipt[]; count: number }> {
  const window = { skip: (page - 1) * page_size, take: page_size };
  const { count, ids } = await findImports(db, brandId, { words: searchWords(search), notice }, window);
  const records = await listImportRecords(db, brandId, ids);
  const people = await listPeople(
    db,
    brandId,
    records.map(({ user_id }) => user_id),
  );
  return { results: records.map((record) => toReceipt(record, people, language)), count };
}

export async function getReceipt(db: Db, key: ImportKey, language: Language): Promise<ImportDetail> {
  const record = await getRecord(db, key, language);
  const people = await listPeople(db, key.brandId, [record.user_id]);
  const { failure, ...receipt } = toReceipt(record, people, language);
  // Not in lists, because it may be long.
  const { mapping } = questionsOfFailure(record.failure);
  return {
    ...receipt,
    failure: failure && { ...failure, ...(mapping && { mapping }) },
    errors: await listErrors(db, key, language),
    kept: await describeKept(db, key.brandId, record.kept, language),
  };
}

/** The response to an upload. Undefined: it waits to be confirmed. */
export async function getUploadResult(db: Db, key: ImportKey, language: Language): Promise<CsvUploadResult | undefined> {
  const { id, errors, imported, total_rows, error_count, warnings, ...receipt } = await getReceipt(db, key, language);
  if (receipt.state === 'checked') return undefined;
  const { variants_created, variants_updated, variants_unchanged } = receipt;
  const variants = { variants_created, variants_updated, variants_unchanged };
  return { errors, imported, total_rows, error_count, warnings, import_id: id, ...variants };
}

export async function listImportChanges(
  db: Db,
  key: ImportKey,
  { kind, page = 1, page_size = DEFAULT_PAGE_SIZE }: QueryOf<typeof listImportChangesEndpoint>,
  language: Language,
): Promise<{ results: ImportChange[]; count: number }> {
  const record = await getRecord(db, key, language);
  const window = { skip: (page - 1) * page_size, take: page_size };
  return inSnapshot(db, (db) => listChanges(db, { ...key, ...record }, kind, window));
}

export async function listErrorGroups(db: Db, key: ImportKey, language: Language): Promise<ImportErrorGroup[]> {
  await getRecord(db, key, language);
  const groups = await listProblemGroups(db, key, GROUP_ROWS);
  return groups.map(({ code, field, count, problems }) => ({
    code,
    field,
    title: importTexts(language).problemTitles[code],
    count,
    rows: problems.map(({ row, problem }) => ({ row, message: describeProblem(problem, language) })),
  }));
}

/** The rejected rows that are not imported yet, with their corrections. Streamed from the database with backpressure. */
export async function openRejectedRows(db: Db, key: ImportKey, language: Language): Promise<{ fileName: string; content: Readable }> {
  const record = await getRecord(db, key, language);
  if (!hasRows(record)) throw new AppError('import_not_found', importTexts(language).noRejectedRows);
  const [first] = await listRejectedRows(db, key, { take: 1 });
  if (!first && record.rejected > 0) {
    throw new AppError('import_not_found', importTexts(language).rejectedRowsDeleted(REJECTED_ROWS_DAYS));
  }
  const columns = addColumns(findColumns(record.header));
  const isWider = columns.addedFrom !== undefined && (await hasCellsFrom(db, key, columns.addedFrom));
  const writer = createRejectedRowsWriter(record, language, isWider ? columns : undefined);
  async function* lines(): AsyncGenerator<string> {
    yield writer.header;
    const batches = readBatches(DOWNLOAD_BATCH, (window) => listRejectedBatch(db, key, { ...window, only: 'not_imported' }));
    for await (const rows of batches) {
      yield writer.write(rows.map((row) => ({ row: row.row_number, cells: row.cells, error: describeRow(row, language) })));
    }
  }
  return { fileName: `rejected-rows-${key.importId}.csv`, content: Readable.from(ofThisRead(lines())) };
}

/** After an import with rejected rows: a brand cannot fill the disk with files of invalid rows. Also schedules their deletion. */
export async function limitRejectedRows(db: Db, brandId: number): Promise<void> {
  await deleteRejectedRowsBeyond(db, brandId, REJECTED_ROWS_BYTES);
  await scheduleWork(db, brandId, 'purge_imports', { inSeconds: REJECTED_ROWS_DAYS * 86_400 });
}

/** Deletes the leftovers of crashed imports, and old rejected rows. Receipts stay. Returns how many rejected rows. */
export function purgeImports(db: Db, options?: BrandByBrand): Promise<number> {
  const purge = async (db: Db, brandId: number) => {
    if (!(await takeDueWork(db, brandId, 'purge_imports'))) return 0;
    for (const importId of await listExpiredChecks(db, brandId)) await discardCheck(db, { brandId, importId });
    for (const importId of await listLeftStages(db, brandId)) await deleteStaged(db, { brandId, importId });
    // Its job was lost, or was never there: a server of an earlier version accepted it.
    if (await findNextImport(db, brandId)) await queueImports(db, brandId);
    await deleteOldActions(db, brandId, ACTION_DAYS);
    await dropOldChanges(db, brandId, MAX_KEPT_CHANGES);
    const deleted = await deleteOldRejectedRows(db, brandId, REJECTED_ROWS_DAYS);
    await setDueWork(db, brandId, 'purge_imports', await findNextPurge(db, brandId, REJECTED_ROWS_DAYS));
    return deleted;
  };
  // Under the brand's lock: a running undo reads what is deleted here.
  const step = (brandId: number) => inAnyBrand(db, brandId, (db) => purge(db, brandId), JOB_WAIT);
  return workBrandByBrand(db, 'purge_imports', step, options);
}

export async function getRecord(db: Db, key: ImportKey, language: Language): Promise<ImportRecord> {
  const record = await findImportRecord(db, key);
  if (!record) throw new AppError('import_not_found', importTexts(language).noSuchImport);
  return record;
}

/** False for an undo, and if the file was refused or never read. */
export function hasRows({ header }: ImportRecord): boolean {
  return header.length > 0;
}

async function listErrors(db: Db, key: ImportKey, language: Language): Promise<CsvRowError[]> {
  const rows = await listRowErrors(db, key, MAX_LISTED_ERRORS);
  return toRowErrors(rows, language).slice(0, MAX_LISTED_ERRORS);
}

function describeRow({ errors }: RejectedRow, language: Language): string {
  return errors.map((problem) => `${problem.field ? `${problem.field}: ` : ''}${describeProblem(problem, language)}`).join(' ');
}

function questionsOfFailure(failure: ImportFailure | null) {
  return failure ? questionsOf(failure) : {};
}

function toReceipt(record: ImportRecord, people: People, language: Language): ImportReceipt {
  const { delimiter: _delimiter, header: _header, user_id, is_expired, ...fields } = record;
  const canBeUndone = isUndoable(record);
  const { failure } = record;
  const { sheets } = questionsOfFailure(failure);
  return {
    ...fields,
    // The job that discards it comes later.
    state: is_expired ? 'discarded' : record.state,
    failure: failure && {
      code: failure.code === 'refused' ? failure.params.code : failure.code,
      message: describeFailure(failure, language),
      ...(failure.code === 'refused' && failure.params.context && { context: failure.params.context }),
      ...(sheets && { sheets }),
    },
    created_at: record.created_at.toISOString(),
    undo_until: canBeUndone ? (record.undo_until?.toISOString() ?? null) : null,
    changed_nothing: changedNothing(record),
    imported_by: toNamedPerson(people, user_id, language),
    warnings: toWarnings(record.warnings, language),
  };
}

/** For the platform's staff: a brand's failed imports, with the reason as text. */
export async function listFailedImportsOf(
  db: Db,
  brandIds: readonly number[],
  { days, limit, language }: { readonly days: number; readonly limit: number; readonly language: Language },
) {
  const { records, count } = await listFailedRecords(db, brandIds, { days, limit });
  const results = records.map(({ brand_id, id, file_name, created_at, failure }) => ({
    brand_id,
    id,
    file_name,
    created_at: created_at.toISOString(),
    reason: failure ? describeFailure(failure, language) : '',
  }));
  return { results, count };
}
