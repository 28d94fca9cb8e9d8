import { audit } from '../audit/audit.ts';
import { importTexts } from '../catalog/fields/describe.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { openStored } from '../files/csv/spool.ts';
import { AppError } from '../lib/errors.ts';
import { inKeptBrand } from '../writes/brand-lock.ts';
import { scheduleWork } from '../writes/due-work.ts';
import { inCorrections, takeCorrections } from './corrections.ts';
import { queueImports } from './import-job.ts';
import {
  countUnfinished,
  type ExpectedCounts,
  findImportRecord,
  type ImportRecord,
  insertImport,
  lockImport,
  type NewImport,
  PREVIEW_SECONDS,
  storeRequest,
  storeRowsTotal,
} from './imports.queries.ts';
import { inChecked } from './preview.ts';
import { deleteStaged, type ImportKey, storeFile } from './staging.queries.ts';
import { moveImport } from './states.queries.ts';
import { getUndoable } from './undo.ts';
import type { Upload, Uploader } from './upload.ts';

/** Imports that wait or run, of all servers. A brand that is at its limit waits for its own imports, never for those of others. */
export const MAX_UNFINISHED = { brand: 12, member: 8 };

/** Accepts an uploaded file. From then on it is in the database, and nothing that ends a server loses it. */
export async function acceptFile(
  db: Db,
  uploader: Uploader,
  upload: Upload,
  { isCheck }: { readonly isCheck: boolean },
): Promise<ImportKey> {
  const { fileName, file, sheet, mapping, asks } = upload;
  const { brandId, userId } = uploader;
  const fields: NewImport = {
    brand_id: brandId,
    user_id: userId,
    kind: 'file',
    request: { sheet, mapping, asks },
    is_check: isCheck,
    file_name: fileName,
    file_bytes: file.place.bytes,
    file_sha256: file.sha256,
    is_workbook: file.place.kind !== 'text',
    // Minus the header, and minus the line counted after the final line break.
    rows_total: Math.max(0, file.place.lines - 2),
  };
  try {
    return await accept(db, uploader, fields, (db, key) => storeFile(db, key, openStored(file.place).read()));
  } finally {
    await file.close();
  }
}

/** Not under the brand's lock: an import of a million rows holds it for minutes. */
export function accept(
  db: Db,
  uploader: Uploader,
  fields: NewImport,
  store: (db: Db, key: ImportKey) => Promise<unknown> = async () => {},
): Promise<ImportKey> {
  const { brandId } = uploader;
  return inKeptBrand(db, brandId, async (db) => {
    await requirePlace(db, uploader);
    const key = { brandId, importId: await insertImport(db, fields) };
    await store(db, key);
    await schedule(db, brandId);
    return key;
  });
}

/** Call it last: other uploads of the brand wait for the rows that this locks. In the order of the purge, which locks both as well. */
async function schedule(db: Db, brandId: number): Promise<void> {
  await scheduleWork(db, brandId, 'purge_imports', { inSeconds: PREVIEW_SECONDS });
  await queueImports(db, brandId);
}

/** Concurrent calls may exceed a limit by a little. */
async function requirePlace(db: Db, { brandId, userId, language }: Uploader): Promise<void> {
  const { brand, user } = await countUnfinished(db, brandId, userId);
  const { crowded } = importTexts(language).uploads;
  if (user >= MAX_UNFINISHED.member) throw new AppError('too_many_imports', crowded('member', user));
  if (brand >= MAX_UNFINISHED.brand) throw new AppError('too_many_imports', crowded('brand', brand));
}

/** An import without a file of its own, which follows from an earlier one. */
function followUp({ brandId, userId }: Uploader, { file_name, file_sha256 }: ImportRecord): Omit<NewImport, 'kind'> {
  return { brand_id: brandId, user_id: userId, file_name, file_bytes: 0, file_sha256, rows_total: 0 };
}

/** An undo is itself an import, with a receipt, a place in the queue and progress. */
export async function acceptUndo(db: Db, uploader: Uploader, undoes: number): Promise<ImportKey> {
  const record = await getUndoable(db, { brandId: uploader.brandId, importId: undoes });
  return accept(db, uploader, { ...followUp(uploader, record), kind: 'undo', undoes_import_id: undoes });
}

/** Imports the corrected rows of an import, as a new import. A double click finds none. */
export async function acceptCorrected(db: Db, uploader: Uploader, corrects: number): Promise<ImportKey> {
  const { brandId } = uploader;
  const origin = { brandId, importId: corrects };
  const record = await findImportRecord(db, origin);
  if (!record) throw new AppError('import_not_found', 'There is no such import.');
  const fields = { ...followUp(uploader, record), kind: 'corrections', corrects_import_id: corrects } as const;
  return inCorrections(db, origin, async (db) => {
    await requirePlace(db, uploader);
    const key = { brandId, importId: await insertImport(db, fields) };
    await storeRowsTotal(db, key, await takeCorrections(db, origin, key.importId));
    await schedule(db, brandId);
    return key;
  });
}

/** Imports a checked file, if the result still matches the preview. */
export async function confirm(db: Db, uploader: Uploader, importId: number, expected: ExpectedCounts): Promise<ImportKey> {
  const key = { brandId: uploader.brandId, importId };
  await inChecked(db, key, async (db, { request }) => {
    await requirePlace(db, uploader);
    await storeRequest(db, key, { ...request, expected });
    await moveImport(db, key, 'confirm', { set: { is_check: false } });
    await queueImports(db, key.brandId);
  });
  return key;
}

/** Works on any server. False if the import has already ended. */
export async function cancel(db: Db, key: ImportKey, userId: number): Promise<boolean> {
  const { brandId, importId } = key;
  const isEnded = await inTransaction(db, async (db) => {
    const isCheck = (await lockImport(db, key))?.is_check;
    if (!(await moveImport(db, key, isCheck ? 'discard' : 'cancel'))) return false;
    await scheduleWork(db, brandId, 'purge_imports');
    const action = isCheck ? 'variants.check_discarded' : 'variants.import_cancelled';
    await audit(db, { brandId, userId, action, details: { import_id: importId } });
    return true;
  });
  // A transaction of its own: the server that works on it ends only when it hears of the first. If this one fails, the purge does it.
  if (isEnded) await inTransaction(db, (db) => deleteStaged(db, key)).catch(() => undefined);
  return isEnded;
}
