import { setTimeout as sleep } from 'node:timers/promises';
import { FileRefusal } from '../../csv/file-refusal.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { codeOfDatabaseError } from '../../db/pg-errors.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { lockBrandShared } from '../writes/brand-lock.ts';
import { scheduleWork } from '../writes/due-work.ts';
import { importCorrections, takeCorrections } from './corrections.ts';
import { type ExpectedCounts, importUpload } from './import.ts';
import type { ImportQueue, Uploader } from './import-queue.ts';
import {
  AlreadyEnded,
  beginImport,
  cancelImport,
  confirmCheck,
  discardCheck,
  failImport,
  findImportRecord,
  type ImportProgress,
  insertImport,
  type NewImport,
  STALE_AFTER_SECONDS,
  storeProgress,
} from './imports.queries.ts';
import { checkUpload, confirmImport, getChecked, isPlanChanged } from './preview.ts';
import { type ImportFailure, INTERRUPTED } from './rows/row-problem.ts';
import { deleteStage, type Stage } from './staging.queries.ts';
import { getUndoable, undoImport } from './undo.ts';
import type { Upload } from './upload.ts';

/** How often a server stores the progress of its imports and checks whether they were cancelled. */
const HEARTBEAT_MS = 1_000;
/** How long a server that shuts down waits for its imports. */
const STOP_GRACE_MS = 1_000;

/** The import was cancelled or failed before it was done. The brand is unchanged. */
export class ImportEnded extends Error {
  readonly how: 'cancelled' | 'interrupted' | 'deleted';

  constructor(how: ImportEnded['how']) {
    super(`The import was ${how}.`);
    this.how = how;
  }
}

type ImportWork = (place: Stage & { readonly signal: AbortSignal; readonly progress: ImportProgress }) => Promise<void>;

interface Running {
  readonly place: Stage;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

export interface StartedImport {
  readonly importId: number;
  /** Rejects with a `FileRefusal`, with `ImportEnded` or with the error that occurred. */
  readonly ended: Promise<void>;
}

export interface RunningImports {
  /** Imports an uploaded file. */
  importFile(uploader: Uploader, upload: Upload): Promise<StartedImport>;
  /** Only checks the file, for a preview. */
  checkFile(uploader: Uploader, upload: Upload): Promise<StartedImport>;
  /** Imports a checked file, if the result still matches the preview. */
  confirm(uploader: Uploader, importId: number, expected: ExpectedCounts): Promise<StartedImport>;
  /** Undoes an import. An undo is itself an import, with a receipt, a place in the queue and progress. */
  undo(uploader: Uploader, undoes: number): Promise<StartedImport>;
  /** Imports the corrected rows of an import, as a new import. */
  importCorrected(uploader: Uploader, corrects: number): Promise<StartedImport>;
  /** Works on any server. False if the import has already ended. */
  cancel(place: Stage, userId: number): Promise<boolean>;
  /** Stops all imports. Those that do not finish within `STOP_GRACE_MS` fail and can be uploaded again. */
  stop(): Promise<void>;
}

/**
 * The imports of this server process. The row in the database alone decides the state of an import: cancelling changes its state, and the
 * merge commits only together with the state `done`. The abort signals here only stop the work earlier.
 */
export function createRunningImports({ db, queue }: { db: Db; queue: ImportQueue }): RunningImports {
  const running = new Map<number, Running>();
  let isStopping = false;

  async function run(place: Stage, work: ImportWork, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const progress: ImportProgress = { stage: undefined, rowsDone: 0 };
    const stopHeartbeat = startHeartbeat(db, place, progress, controller);
    try {
      await queue.run(place.brandId, signal, async () => {
        if (!(await beginImport(db, place))) throw new AlreadyEnded();
        progress.stage = 'reading';
        await work({ ...place, signal, progress });
      });
    } catch (error) {
      if (error instanceof AlreadyEnded) throw await findEndReason(db, place);
      // If this write fails too, the import is detected as stale later.
      const isStateStored = error instanceof ImportEnded || isPlanChanged(error);
      if (!isStateStored) await failImport(db, place, toFailure(error)).catch(() => undefined);
      throw error;
    } finally {
      stopHeartbeat();
    }
  }

  /** Runs in the background, even if the client disconnects. */
  async function start(uploader: Uploader, accept: () => Promise<number>, work: ImportWork): Promise<StartedImport> {
    if (isStopping) throw new ImportEnded('interrupted');
    const leave = queue.keep(uploader);
    try {
      const importId = await accept();
      const place = { brandId: uploader.brandId, importId };
      if (isStopping) {
        await failImport(db, place, INTERRUPTED);
        throw new ImportEnded('interrupted');
      }
      const controller = new AbortController();
      const ended = run(place, work, controller).finally(() => {
        // A checked file may be confirmed again before this run has ended.
        if (running.get(importId)?.controller === controller) running.delete(importId);
        leave();
      });
      // Avoids an unhandled rejection if no caller awaits it.
      ended.catch(() => undefined);
      running.set(importId, { place, controller, ended });
      return { importId, ended };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function takeFile(
    uploader: Uploader,
    { fileName, file }: Upload,
    kind: Pick<NewImport, 'is_check'>,
    work: ImportWork,
  ): Promise<StartedImport> {
    const fields = {
      ...kind,
      ...{ brand_id: uploader.brandId, user_id: uploader.userId, file_name: fileName },
      ...{ file_bytes: file.bytes, file_sha256: file.sha256, is_workbook: file.kind !== 'text' },
      // Minus the header, and minus the line counted after the final line break.
      rows_total: Math.max(0, file.lines - 2),
    };
    try {
      const { importId, ended } = await start(uploader, () => acceptImport(db, fields), work);
      return { importId, ended: ended.finally(() => file.close()) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async function interrupt({ place, controller, ended }: Running): Promise<void> {
    if (await failImport(db, place, INTERRUPTED)) controller.abort(new ImportEnded('interrupted'));
    await ended.catch(() => undefined);
  }

  return {
    importFile: (uploader, upload) =>
      takeFile(uploader, upload, { is_check: false }, (place) =>
        importUpload(db, { ...place, userId: uploader.userId, upload }),
      ),
    checkFile: (uploader, upload) =>
      takeFile(uploader, upload, { is_check: true }, (place) =>
        checkUpload(db, { ...place, userId: uploader.userId, upload }),
      ),
    async confirm(uploader, importId, expected) {
      const place = { brandId: uploader.brandId, importId };
      const { record } = await getChecked(db, place);
      const accept = async () => {
        if (!(await confirmCheck(db, place))) throw new AppError('import_not_checked', 'This check is over.');
        return importId;
      };
      return start(uploader, accept, async ({ signal, progress }) => {
        progress.stage = 'merging';
        await confirmImport(db, { ...place, userId: uploader.userId, expected, signal }, record);
      });
    },
    async undo(uploader, undoes) {
      const { brandId, userId } = uploader;
      const { file_name, file_sha256 } = await getUndoable(db, { brandId, importId: undoes });
      const fields = {
        ...{ brand_id: brandId, user_id: userId, file_name, file_bytes: 0, file_sha256, rows_total: 0 },
        undoes_import_id: undoes,
      };
      const accept = () => acceptImport(db, fields);
      return start(uploader, accept, ({ progress: _progress, ...place }) =>
        undoImport(db, { ...place, userId, undoes }),
      );
    },
    async importCorrected(uploader, corrects) {
      const { brandId, userId } = uploader;
      const record = await findImportRecord(db, brandId, corrects);
      if (!record) throw new AppError('import_not_found', 'There is no such import.');
      const { file_name, file_sha256 } = record;
      const fields = {
        ...{ brand_id: brandId, user_id: userId, file_name, file_bytes: 0, file_sha256, rows_total: 0 },
        corrects_import_id: corrects,
      };
      const accept = async () => {
        // A separate transaction: the next one may wait for a member who corrects many rows, and every upload of the brand writes this row
        // of due_work too.
        await inTransaction(db, (db) => schedulePurge(db, brandId));
        return inTransaction(db, async (db) => {
          await lockBrandShared(db, brandId);
          const importId = await insertImport(db, fields);
          const rowsTotal = await takeCorrections(db, { brandId, importId: corrects }, importId);
          await storeProgress(db, { brandId, importId }, { stage: undefined, rowsDone: 0, rowsTotal });
          return importId;
        });
      };
      return start(uploader, accept, (place) => importCorrections(db, { ...place, userId, corrects }));
    },
    async cancel(place, userId) {
      const isCancelled = await inTransaction(db, async (db) => {
        const isChecked = await discardCheck(db, place);
        if (isChecked) await deleteStage(db, place);
        const state = isChecked ? 'discarded' : await cancelImport(db, place);
        if (!state) return false;
        const { brandId, importId } = place;
        const action = state === 'discarded' ? 'variants.check_discarded' : 'variants.import_cancelled';
        await audit(db, { brandId, userId, action, details: { import_id: importId } });
        return true;
      });
      if (isCancelled) running.get(place.importId)?.controller.abort(new ImportEnded('cancelled'));
      return isCancelled;
    },
    async stop() {
      isStopping = true;
      const ending = [...running.values()].map(({ ended }) => ended);
      await Promise.race([Promise.allSettled(ending), sleep(STOP_GRACE_MS, undefined, { ref: false })]);
      await Promise.all([...running.values()].map(interrupt));
    },
  };
}

/** Not under the brand's lock: an import of a million rows holds it for minutes. */
function acceptImport(db: Db, fields: NewImport): Promise<number> {
  return inTransaction(db, async (db) => {
    await lockBrandShared(db, fields.brand_id);
    // Scheduled here and not while staging: that transaction is long, and would block the brand's next upload.
    await schedulePurge(db, fields.brand_id);
    return insertImport(db, fields);
  });
}

/** By then the import counts as stale if its server has crashed. */
function schedulePurge(db: Db, brandId: number): Promise<void> {
  return scheduleWork(db, brandId, 'purge_imports', { inSeconds: STALE_AFTER_SECONDS });
}

function startHeartbeat(db: Db, place: Stage, progress: ImportProgress, controller: AbortController): () => void {
  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      if (!(await storeProgress(db, place, progress))) controller.abort(await findEndReason(db, place));
    } catch {
      // The database is unavailable. If that lasts, the import itself fails.
    } finally {
      isRunning = false;
    }
  }, HEARTBEAT_MS);
  return () => clearInterval(timer);
}

async function findEndReason(db: Db, { brandId, importId }: Stage): Promise<ImportEnded> {
  const state = (await findImportRecord(db, brandId, importId))?.state;
  const isCancelled = state === 'cancelled' || state === 'discarded';
  return new ImportEnded(isCancelled ? 'cancelled' : state ? 'interrupted' : 'deleted');
}

function toFailure(error: unknown): ImportFailure {
  if (error instanceof FileRefusal) return { code: error.reason, params: error.params } as ImportFailure;
  if (error instanceof AppError && error.code === 'import_not_undoable') return { code: 'not_undoable' };
  if (error instanceof AppError && error.code === 'import_nothing_corrected') return { code: 'nothing_corrected' };
  const code = codeOfDatabaseError(error);
  return { code: code === 'database_unavailable' || code === 'storage_full' ? code : 'internal_error' };
}
