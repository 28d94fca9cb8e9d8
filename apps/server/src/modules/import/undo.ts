import { type Db, inAbortableTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { lockBrand } from '../writes/brand-lock.ts';
import { deleteCertificates, deleteLinks, updateCertificateLinks } from '../writes/certificates.ts';
import { deleteVariants, unpublishVariants, updateVariants } from '../writes/variants.ts';
import { findImportRecord, type ImportRecord } from './imports.queries.ts';
import type { Stage } from './staging.queries.ts';
import {
  type CorrectedImports,
  countCorrectedImports,
  countUndo,
  finishUndo,
  formerLinks,
  importedCertificates,
  type KeptVariant,
  listKept,
  markRestorable,
  publishedByImport,
  removable,
  removableLinks,
  restoredVariants,
  setUndone,
  type UndoCounts,
  type Undone,
} from './undo.queries.ts';

/** Variants listed by name that an undo leaves alone. */
const MAX_NAMED_KEPT = 100;

export function isUndoable({ state, undo_until, undoes_import_id }: ImportRecord): boolean {
  return state === 'done' && undoes_import_id === null && undo_until !== null && undo_until > new Date();
}

type PreviewedUndo = UndoCounts & CorrectedImports & { readonly names: KeptVariant[] };

export async function previewUndo(db: Db, place: Stage): Promise<PreviewedUndo> {
  const undone = await getUndoable(db, place);
  const names = await listKept(db, undone, MAX_NAMED_KEPT);
  return { ...(await countUndo(db, undone)), ...(await countCorrectedImports(db, place)), names };
}

interface UndoRequest extends Stage {
  /** The import that is taken back; `importId` is the undo's own. */
  readonly undoes: number;
  readonly userId: number;
  readonly signal: AbortSignal;
}

/**
 * Takes an import back, in one transaction under the brand's lock: variants that it created go, those that it changed get their former name
 * and category, certificates their former link; certificates that it brought go. What somebody has changed since stays as it is.
 */
export async function undoImport(db: Db, { brandId, importId, undoes, userId, signal }: UndoRequest): Promise<void> {
  await inAbortableTransaction(db, signal, async (db) => {
    await lockBrand(db, brandId);
    const undone = await getUndoable(db, { brandId, importId: undoes });
    const counts = await countUndo(db, undone);
    const names = await listKept(db, undone, MAX_NAMED_KEPT);
    await markRestorable(db, undone);
    await deleteVariants(db, brandId, removable(undone));
    await deleteLinks(db, brandId, removableLinks(undone));
    await unpublishVariants(db, brandId, publishedByImport(undone));
    await updateVariants(db, brandId, restoredVariants(undone), 'take back');
    await updateCertificateLinks(db, brandId, formerLinks(undone));
    // Before its certificates are looked at: what deleted variants have of an undone import no longer counts.
    if (!(await setUndone(db, undone))) throw notUndoable();
    await deleteCertificates(db, brandId, importedCertificates(undone));
    const details = { import_id: undoes, undo_id: importId, ...counts };
    await audit(db, { brandId, userId, action: 'variants.import_undone', details });
    await finishUndo(db, { brandId, importId }, counts, names);
  });
}

/** Throws where the import cannot be taken back (any more). */
export async function getUndoable(db: Db, { brandId, importId }: Stage): Promise<Undone & ImportRecord> {
  const record = await findImportRecord(db, brandId, importId);
  if (!record) throw new AppError('import_not_found', 'There is no such import.');
  if (!isUndoable(record)) throw notUndoable();
  return { brandId, importId, ...record };
}

function notUndoable(): AppError {
  return new AppError('import_not_undoable', 'This import can no longer be taken back.');
}
