import { LARGEST_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import { type Db, inTransaction } from '../../db/database.ts';
import { brandNotFound } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { getBrand } from '../brands/brands.ts';
import { listCatalogue } from '../certificates/catalogue.ts';
import { queueCertificateValidation } from '../certificates/certificates.ts';
import { queueDelivery } from '../publishing/publishing.ts';
import { type CsvTable, openCsv } from './file/csv-file.ts';
import { FileRefusal } from './file/file-refusal.ts';
import { insertImport, insertRejectedRows, type NewImport, takeImportId } from './imports.queries.ts';
import {
  countNewlyPublished,
  insertNewCertificates,
  insertNewVariants,
  insertPlannedLinks,
  lockBrand,
  planLinks,
  planVariants,
  prepareMerge,
  updateDifferingVariants,
} from './merge.queries.ts';
import { limitRejectedRows } from './receipts.ts';
import { createCertificationNames } from './rows/certification-names.ts';
import { type ColumnPlaces, findColumns, list, shorten } from './rows/columns.ts';
import type { ImportWarning } from './rows/row-problem.ts';
import { checkRow, isChannel } from './rows/row-rules.ts';
import {
  countStagedRows,
  createStaging,
  rejectContradictions,
  type StagedRow,
  stageCells,
  stageRows,
} from './staging.queries.ts';
import type { Upload } from './upload.ts';

interface ImportRequest {
  readonly brandId: number;
  readonly userId: number;
  readonly upload: Upload;
  /** Aborted when whoever asked is gone. */
  readonly signal: AbortSignal;
}

/**
 * Takes the good rows of a file into the brand and keeps the bad ones for its member, all in one transaction: whatever
 * happens on the way, the brand is as it was. Nothing of the brand is locked before the whole file is checked and staged.
 */
export async function importCsv(db: Db, request: ImportRequest): Promise<number> {
  const { file } = request.upload;
  const table = await openCsv(file);
  const columns = findColumns(table.header);
  if (file.lines > LARGEST_UPLOAD_ROWS) await refuseTooManyRows(table);
  return inTransaction(db, async (db) => {
    const { warnings, channels } = await stage(db, table, columns, request.signal);
    const counts = await countStagedRows(db);
    if (counts.total === 0) throw new FileRefusal('header_only');
    const importId = await takeImportId(db);
    if (counts.rejected > 0) await insertRejectedRows(db, request.brandId, importId);

    request.signal.throwIfAborted();
    const { published, ...merged } = await merge(db, request.brandId, channels.known);
    const receipt: NewImport = {
      id: importId,
      brand_id: request.brandId,
      user_id: request.userId,
      file_name: request.upload.fileName,
      file_bytes: file.bytes,
      file_sha256: file.sha256,
      delimiter: table.delimiter,
      header: table.header,
      total_rows: counts.total,
      imported: counts.total - counts.rejected,
      rejected: counts.rejected,
      error_count: counts.errors,
      ...merged,
      warnings: [...warnings, ...describeChannels(channels, published)],
    };
    await keepReceipt(db, receipt, published ?? 0);
    request.signal.throwIfAborted();
    return importId;
  });
}

/** Counted only where a file has so many lines: before anything is written. */
async function refuseTooManyRows(table: CsvTable): Promise<void> {
  let rows = 0;
  for await (const batch of table.rows()) {
    rows += batch.length;
    if (rows > LARGEST_UPLOAD_ROWS) throw new FileRefusal('too_many_rows', { limit: LARGEST_UPLOAD_ROWS });
  }
}

async function stage(
  db: Db,
  table: CsvTable,
  columns: ColumnPlaces,
  signal: AbortSignal,
): Promise<{ warnings: readonly ImportWarning[]; channels: NamedChannels }> {
  const warnings: ImportWarning[] = [];
  if (columns.unknown.length > 0)
    warnings.push({ code: 'ignored_columns', params: { columns: list(columns.unknown) } });
  const names = createCertificationNames(await listCatalogue(db));
  const channelPlace = columns.places.get('publishing_channel');
  const channels = { known: false, unknown: new Set<string>() };
  const noteChannel = (cell: string) => {
    const name = cell.trim();
    if (name === '') return;
    if (isChannel(name)) channels.known = true;
    else if (channels.unknown.size < MAX_NAMED_CHANNELS) channels.unknown.add(shorten(name));
  };

  async function* checkedRows(): AsyncGenerator<StagedRow[]> {
    for await (const batch of table.rows()) {
      signal.throwIfAborted();
      yield batch.map(({ row, cells }) => {
        const verdict = checkRow(cells, columns, names);
        if (!verdict.problems && channelPlace !== undefined) noteChannel(cells[channelPlace] ?? '');
        return verdict.problems
          ? { rowNumber: row, bad: { cells, errors: verdict.problems } }
          : { rowNumber: row, good: verdict.row };
      });
    }
  }

  await prepareMerge(db);
  await createStaging(db);
  await stageRows(db, checkedRows());
  const contradicting = await rejectContradictions(db);
  if (contradicting.length > 0) await stageCells(db, pickRows(table, contradicting));
  return { warnings, channels };
}

/** What the rows have in the column publishing_channel. */
interface NamedChannels {
  readonly known: boolean;
  readonly unknown: ReadonlySet<string>;
}

const MAX_NAMED_CHANNELS = 20;

/** `published`: undefined where the brand may not publish yet. */
function describeChannels({ known, unknown }: NamedChannels, published: number | undefined): ImportWarning[] {
  return [
    ...(unknown.size > 0 ? [{ code: 'unknown_channels', params: { channels: list([...unknown]) } } as const] : []),
    ...(known && published === undefined ? [{ code: 'publishing_needs_trial' } as const] : []),
    ...(published ? [{ code: 'published_rows', params: { variants: published } } as const] : []),
  ];
}

/** Reads the file once more for the cells of a few rows: keeping those of all would double what every import stages. */
async function* pickRows(table: CsvTable, wanted: readonly number[]) {
  let next = 0;
  for await (const batch of table.rows()) {
    yield batch.filter(({ row }) => {
      if (row !== wanted[next]) return false;
      next += 1;
      return true;
    });
  }
}

interface Merged extends Pick<NewImport, 'variants_created' | 'variants_updated'> {
  /** How many were published; undefined where the brand may not publish yet. */
  readonly published: number | undefined;
}

/** A row that names the channel is published as if by the member: behind the free trial. A blank cell unpublishes nothing. */
async function merge(db: Db, brandId: number, namesChannel: boolean): Promise<Merged> {
  if (!(await lockBrand(db, brandId))) throw brandNotFound();
  const mayPublish = namesChannel && (await getBrand(db, brandId)).opted_in_for_trial;
  await planVariants(db, brandId, mayPublish);
  const differing = await updateDifferingVariants(db, brandId);
  const created = await insertNewVariants(db, brandId);
  const certificates = await insertNewCertificates(db, brandId);
  const planned = await planLinks(db, brandId);
  if (planned.links > 0) await insertPlannedLinks(db, brandId);
  if (certificates > 0) await queueCertificateValidation(db, brandId);
  const published = mayPublish ? await countNewlyPublished(db) : undefined;
  if (published) await queueDelivery(db, brandId);
  return { variants_created: created, variants_updated: differing + planned.variants, published };
}

async function keepReceipt(db: Db, receipt: NewImport, published: number): Promise<void> {
  await insertImport(db, receipt);
  if (receipt.rejected > 0) await limitRejectedRows(db, receipt.brand_id);
  const { brand_id: brandId, user_id: userId, id, file_name, total_rows, imported, rejected } = receipt;
  const details = { import_id: id, file_name, total_rows, imported, rejected, ...(published > 0 && { published }) };
  await audit(db, { brandId, userId, action: 'variants.imported', details });
}
