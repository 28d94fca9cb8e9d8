import { setTimeout as sleep } from 'node:timers/promises';
import type { Quotas } from '@brand-portal/contract/quotas';
import { FileRefusal } from '../../csv/file-refusal.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { codeOfDatabaseError } from '../../db/pg-errors.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { inKeptBrand } from '../writes/brand-lock.ts';
import { scheduleWork } from '../writes/due-work.ts';
import { importCorrections, inCorrections, takeCorrections } from './corrections.ts';
import type { ExpectedCounts, ImportRun } from './import.ts';
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
  type ImportRecord,
  insertImport,
  type NewImport,
  STALE_AFTER_SECONDS,
  storeProgress,
} from './imports.queries.ts';
import { checkUpload, confirmImport, getChecked, importUpload, isPlanChanged } from './preview.ts';
import { type ImportFailure, INTERRUPTED } from './rows/row-problem.ts';
import { deleteStage, type ImportKey } from './staging.queries.ts';
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

type ImportWork = (run: ImportRun) => Promise<void>;

interface Running {
  readonly key: ImportKey;
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
  cancel(key: ImportKey, userId: number): Promise<boolean>;
  /** Stops all imports. Those that do not finish within `STOP_GRACE_MS` fail and can be uploaded again. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly db: Db;
  readonly queue: ImportQueue;
  readonly quotas: Quotas;
}

/**
 * The imports of this server process. The row in the database alone decides the state of an import: cancelling changes its state, and the
 * merge commits only together with the state `done`. The abort signals here only stop the work earlier.
 */
export function createRunningImports({ db, queue, quotas }: Dependencies): RunningImports {
  const running = new Map<number, Running>();
  let isStopping = false;

  async function run(key: ImportKey, work: ImportWork, controller: AbortController): Promise<void> {
    const { signal } = controller;
    const progress: ImportProgress = { stage: undefined, rowsDone: 0 };
    const stopHeartbeat = startHeartbeat(db, key, progress, controller);
    try {
      await queue.run(key.brandId, signal, async () => {
        if (!(await beginImport(db, key))) throw new AlreadyEnded();
        progress.stage = 'reading';
        await work({ ...key, signal, progress, quotas });
      });
    } catch (error) {
      if (error instanceof AlreadyEnded) throw await findEndReason(db, key);
      // If this write fails too, the import is detected as stale later.
      const isStateStored = error instanceof ImportEnded || isPlanChanged(error);
      if (!isStateStored) await failImport(db, key, toFailure(error)).catch(() => undefined);
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
      const key = { brandId: uploader.brandId, importId };
      if (isStopping) {
        await failImport(db, key, INTERRUPTED);
        throw new ImportEnded('interrupted');
      }
      const controller = new AbortController();
      const ended = run(key, work, controller).finally(() => {
        // A checked file may be confirmed again before this run has ended.
        if (running.get(importId)?.controller === controller) running.delete(importId);
        leave();
      });
      // Avoids an unhandled rejection if no caller awaits it.
      ended.catch(() => undefined);
      running.set(importId, { key, controller, ended });
      return { importId, ended };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function takeFile(uploader: Uploader, upload: Upload, isCheck: boolean): Promise<StartedImport> {
    const { brandId, userId } = uploader;
    const { fileName, file } = upload;
    const fields = {
      ...{ brand_id: brandId, user_id: userId, file_name: fileName, is_check: isCheck },
      ...{ file_bytes: file.place.bytes, file_sha256: file.sha256, is_workbook: file.place.kind !== 'text' },
      // Minus the header, and minus the line counted after the final line break.
      rows_total: Math.max(0, file.place.lines - 2),
    };
    const work = isCheck ? checkUpload : importUpload;
    try {
      const { importId, ended } = await start(
        uploader,
        () => acceptImport(db, fields),
        (run) => work(db, { ...run, userId, upload }),
      );
      return { importId, ended: ended.finally(() => file.close()) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async function interrupt({ key, controller, ended }: Running): Promise<void> {
    if (await failImport(db, key, INTERRUPTED)) controller.abort(new ImportEnded('interrupted'));
    await ended.catch(() => undefined);
  }

  return {
    importFile: (uploader, upload) => takeFile(uploader, upload, false),
    checkFile: (uploader, upload) => takeFile(uploader, upload, true),
    async confirm(uploader, importId, expected) {
      const key = { brandId: uploader.brandId, importId };
      const { record } = await getChecked(db, key);
      const accept = async () => {
        if (!(await confirmCheck(db, key))) throw new AppError('import_not_checked', 'This check is over.');
        return importId;
      };
      return start(uploader, accept, async ({ signal, progress }) => {
        progress.stage = 'merging';
        await confirmImport(db, { ...key, userId: uploader.userId, expected, signal, quotas }, record);
      });
    },
    async undo(uploader, undoes) {
      const { brandId, userId } = uploader;
      const record = await getUndoable(db, { brandId, importId: undoes });
      const accept = () => acceptImport(db, { ...followUp(uploader, record), undoes_import_id: undoes });
      return start(uploader, accept, ({ importId, signal }) =>
        undoImport(db, { brandId, importId, userId, undoes, signal }),
      );
    },
    async importCorrected(uploader, corrects) {
      const { brandId, userId } = uploader;
      const record = await findImportRecord(db, { brandId, importId: corrects });
      if (!record) throw new AppError('import_not_found', 'There is no such import.');
      const fields = { ...followUp(uploader, record), corrects_import_id: corrects };
      const accept = async () => {
        // A separate transaction: the next one may wait for a member who corrects many rows, and every upload of the brand writes this row
        // of due_work too.
        await inTransaction(db, (db) => schedulePurge(db, brandId));
        return inCorrections(db, { brandId, importId: corrects }, async (db) => {
          const importId = await insertImport(db, fields);
          const rowsTotal = await takeCorrections(db, { brandId, importId: corrects }, importId);
          await storeProgress(db, { brandId, importId }, { stage: undefined, rowsDone: 0, rowsTotal });
          return importId;
        });
      };
      return start(uploader, accept, (run) => importCorrections(db, { ...run, userId, corrects }));
    },
    async cancel(key, userId) {
      const isCancelled = await inTransaction(db, async (db) => {
        const isChecked = await discardCheck(db, key);
        if (isChecked) await deleteStage(db, key);
        const state = isChecked ? 'discarded' : await cancelImport(db, key);
        if (!state) return false;
        const { brandId, importId } = key;
        const action = state === 'discarded' ? 'variants.check_discarded' : 'variants.import_cancelled';
        await audit(db, { brandId, userId, action, details: { import_id: importId } });
        return true;
      });
      if (isCancelled) running.get(key.importId)?.controller.abort(new ImportEnded('cancelled'));
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

/** An import without a file of its own, which follows from an earlier one. */
function followUp({ brandId, userId }: Uploader, { file_name, file_sha256 }: ImportRecord): NewImport {
  return { brand_id: brandId, user_id: userId, file_name, file_bytes: 0, file_sha256, rows_total: 0 };
}

/** Not under the brand's lock: an import of a million rows holds it for minutes. */
function acceptImport(db: Db, fields: NewImport): Promise<number> {
  return inKeptBrand(db, fields.brand_id, async (db) => {
    // Scheduled here and not while staging: that transaction is long, and would block the brand's next upload.
    await schedulePurge(db, fields.brand_id);
    return insertImport(db, fields);
  });
}

/** By then the import counts as stale if its server has crashed. */
function schedulePurge(db: Db, brandId: number): Promise<void> {
  return scheduleWork(db, brandId, 'purge_imports', { inSeconds: STALE_AFTER_SECONDS });
}

function startHeartbeat(db: Db, key: ImportKey, progress: ImportProgress, controller: AbortController): () => void {
  let isRunning = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      if (!(await storeProgress(db, key, progress))) controller.abort(await findEndReason(db, key));
    } catch {
      // The database is unavailable. If that lasts, the import itself fails.
    } finally {
      isRunning = false;
    }
  }, HEARTBEAT_MS);
  return () => clearInterval(timer);
}

async function findEndReason(db: Db, key: ImportKey): Promise<ImportEnded> {
  const state = (await findImportRecord(db, key))?.state;
  const isCancelled = state === 'cancelled' || state === 'discarded';
  return new ImportEnded(isCancelled ? 'cancelled' : state ? 'interrupted' : 'deleted');
}

function toFailure(error: unknown): ImportFailure {
  if (error instanceof FileRefusal) return { code: error.reason, params: error.params } as ImportFailure;
  if (error instanceof AppError && error.code === 'brand_inactive') return { code: 'brand_inactive' };
  if (error instanceof AppError && error.code === 'import_not_undoable') return { code: 'not_undoable' };
  if (error instanceof AppError && error.code === 'import_nothing_corrected') return { code: 'nothing_corrected' };
  const code = codeOfDatabaseError(error);
  return { code: code === 'database_unavailable' || code === 'storage_full' ? code : 'internal_error' };
}
