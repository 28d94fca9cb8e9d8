import { audit } from '../audit/audit.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { inBrand, refuseInactiveBrand } from '../writes/brand-lock.ts';
import { deleteCertificates, deleteLinks, updateCertificateLinks } from '../writes/certificates.ts';
import { deleteVariants, unpublishVariants, updateVariants, variantsOf } from '../writes/variants.ts';
import { findImportRecord, finishImport, type ImportRecord, IS_UNDOABLE, type KeptVariant } from './imports.queries.ts';
import { LOCK_WAIT, type Source } from './source.ts';
import type { ImportKey } from './staging.queries.ts';
import { moveImport } from './states.queries.ts';
import {
  type CorrectedImports,
  countCorrectedImports,
  countFormerLinks,
  countUndo,
  formerLinks,
  importedCertificates,
  importedLinks,
  listKept,
  markRestorable,
  publishedByImport,
  removable,
  restoredVariants,
  type UndoCounts,
  type Undone,
} from './undo.queries.ts';

/** Limit of the variants that are listed by name because they, or fields of theirs, stay. */
const MAX_NAMED_KEPT = 100;

export function isUndoable({ state, undo_until, undoes_import_id }: ImportRecord): boolean {
  return state === 'done' && undoes_import_id === null && undo_until !== null && undo_until > new Date();
}

type PreviewedUndo = UndoCounts & CorrectedImports & { readonly certificate_links: number; readonly names: KeptVariant[] };

export async function previewUndo(db: Db, key: ImportKey): Promise<PreviewedUndo> {
  const undone = await getUndoable(db, key);
  const names = await listKept(db, undone, MAX_NAMED_KEPT);
  const certificate_links = await countFormerLinks(db, undone);
  return { ...(await countUndo(db, undone)), ...(await countCorrectedImports(db, key)), certificate_links, names };
}

/**
 * Undoes an import, in one transaction under the brand's lock. Deletes the variants, certificates and links between them that it created;
 * restores each field of variants that it changed, publishing, and the issuer's page of certificates. What was changed since stays as
 * it is: of a variant that the import changed, only these fields; a variant that it created stays whole.
 */
export const UNDO_SOURCE: Source = {
  apply(db, run) {
    const { brandId, importId, userId, signal, record } = run;
    const key = { brandId, importId: record.undoes_import_id ?? 0 };
    const undo = async (db: Db) => {
      await refuseInactiveBrand(db, brandId);
      const undone = await getUndoable(db, key);
      const counts = await countUndo(db, undone);
      const names = await listKept(db, undone, MAX_NAMED_KEPT);
      await markRestorable(db, undone);
      await deleteVariants(db, brandId, removable(undone));
      await deleteLinks(db, brandId, importedLinks(undone));
      await unpublishVariants(db, brandId, await variantsOf(db, publishedByImport(undone)));
      await updateVariants(db, brandId, restoredVariants(undone), 'take back');
      await updateCertificateLinks(db, brandId, formerLinks(undone));
      // Must precede the deletion of certificates: those of deleted variants do not count once the import is marked undone.
      if (!(await moveImport(db, key, 'undo', { where: IS_UNDOABLE }))) throw notUndoable();
      await deleteCertificates(db, brandId, importedCertificates(undone));
      const details = { import_id: key.importId, undo_id: importId, ...counts };
      await audit(db, { brandId, userId, action: 'variants.import_undone', details });
      const { restored: variants_updated, removed: variants_removed, kept: kept_count } = counts;
      const result = { variants_updated, variants_removed, kept_count, kept: JSON.stringify(names) };
      await finishImport(db, run, result, { canBeUndone: false });
    };
    return inBrand(db, brandId, undo, { ...LOCK_WAIT, signal });
  },
};

/** Throws if the import cannot be undone, or no longer. */
export async function getUndoable(db: Db, key: ImportKey): Promise<Undone & ImportRecord> {
  const record = await findImportRecord(db, key);
  if (!record) throw new AppError('import_not_found', 'There is no such import.');
  if (!isUndoable(record)) throw notUndoable(changedNothing(record));
  return { ...key, ...record };
}

/** The counts are those of variants: an import that changed only the pages of certificates had a time for its undo. */
export function changedNothing({ state, undoes_import_id, undo_until, ...counts }: ImportRecord): boolean {
  const changes = counts.variants_created + counts.variants_updated;
  return state === 'done' && undoes_import_id === null && undo_until === null && changes === 0;
}

function notUndoable(hasNothing = false): AppError {
  return new AppError(
    'import_not_undoable',
    hasNothing ? 'This import changed nothing, so there is nothing to take back.' : 'This import can no longer be taken back.',
  );
}
