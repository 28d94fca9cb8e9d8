import type { ImportKind } from '@brand-portal/contract/import';
import type { Db } from '../db/database.ts';
import { inBrand, refuseInactiveBrand } from '../writes/brand-lock.ts';
import { accept } from './accept.ts';
import { finishImport, type ImportRequest } from './imports.queries.ts';
import { type ImportRun, LOCK_WAIT, type Source } from './source.ts';
import type { ImportKey } from './staging.queries.ts';
import type { Uploader } from './upload.ts';

/** Bulk changes without a file, which other modules carry out. */

export type ActionKind = Exclude<ImportKind, 'file' | 'corrections' | 'undo'>;
export type ActionRequest = Pick<ImportRequest, 'selection' | 'deletion_id'>;

export function acceptAction(db: Db, uploader: Uploader, kind: ActionKind, request: ActionRequest = {}): Promise<ImportKey> {
  const { brandId, userId } = uploader;
  const file = { file_name: '', file_bytes: 0, file_sha256: '', rows_total: 0 };
  return accept(db, uploader, { brand_id: brandId, user_id: userId, kind, request, ...file });
}

/** Changes that others make at the same time come before or after it. What `act` returns is the answer to the call. */
export function actionSource(act: (db: Db, run: ImportRun) => Promise<object>): Source {
  return {
    apply(db, run) {
      const apply = async (db: Db) => {
        await refuseInactiveBrand(db, run.brandId);
        const outcome = JSON.stringify(await act(db, run));
        await finishImport(db, run, { outcome }, { canBeUndone: false });
      };
      return inBrand(db, run.brandId, apply, { ...LOCK_WAIT, signal: run.signal });
    },
  };
}
