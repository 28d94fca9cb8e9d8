import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportKind } from '@brand-portal/contract/import';
import type { Quotas } from '@brand-portal/contract/quotas';
import type { FastifyBaseLogger } from 'fastify';
import { type ImportFailure, INTERRUPTED } from '../catalog/fields/row-problem.ts';
import { type Db, inTransaction } from '../db/database.ts';
import type { Notices } from '../db/notices.ts';
import { codeOfDatabaseError, isOutage } from '../db/pg-errors.ts';
import { FileRefusal } from '../files/csv/file-refusal.ts';
import { AppError } from '../lib/errors.ts';
import { queueJob } from '../queue/queue.ts';
import { isBrandBusy } from '../writes/brand-lock.ts';
import {
  AlreadyEnded,
  type Attempt,
  beginAttempt,
  findImportRecord,
  findNextImport,
  type ImportProgress,
  type ImportRecord,
  storeProgress,
} from './imports.queries.ts';
import type { Source } from './source.ts';
import { deleteStaged } from './staging.queries.ts';
import { importNotice, moveImport } from './states.queries.ts';

/** How often the progress is stored, which also finds that the import was cancelled if the notice of it was lost. */
const PROGRESS_MS = 1_000;
/** An import that was interrupted so often is probably the reason. */
const MAX_INTERRUPTIONS = 10;
const MAX_PAUSE_MS = 60_000;
/** The pause before a busy brand is tried again. Its import leaves its slot to those of other brands. */
const BUSY_MS = 1_000;
/** How often the database may be away before the job fails. */
const MAX_OUTAGES = 60;

export interface ImportJobDependencies {
  readonly db: Db;
  readonly notices: Notices;
  readonly quotas: Quotas;
  readonly sources: Readonly<Record<ImportKind, Source>>;
  readonly logger: FastifyBaseLogger;
  readonly stopping?: AbortSignal | undefined;
}

/**
 * The job of the brand's next import. One of each brand, which goes to the end of the line after each import, so brands take turns. An upload
 * keeps the place of a queued job.
 */
export async function queueImports(db: Db, brandId: number, afterMs?: number): Promise<void> {
  const next = await findNextImport(db, brandId);
  if (!next) return;
  const name = jobOf(next);
  const options = { key: `${name}:${brandId}`, queue: `import:${brandId}` };
  await queueJob(db, name, { brand_id: brandId }, { ...options, ...(afterMs === undefined ? { preserveRunAt: true } : { afterMs }) });
}

/** Actions on variants have slots of their own. */
function jobOf({ kind }: Pick<ImportRecord, 'kind'>): 'import' | 'act' {
  return kind === 'file' || kind === 'corrections' || kind === 'undo' ? 'import' : 'act';
}

/** This server stops, and another one continues the import. */
class ServerStops extends Error {}

/**
 * Works on the brand's oldest unfinished import, and queues the next. graphile-worker runs one such job of a brand at a time. What another
 * server has left, because it was stopped or killed, is the oldest one: its staged rows are used again if they are complete.
 */
export async function runNextImport(deps: ImportJobDependencies, brandId: number, job: 'import' | 'act' = 'import'): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryNextImport(deps, brandId, job);
    } catch (error) {
      // graphile-worker would wait longer after each failure: minutes after an outage of seconds.
      if (!isOutage(error) || attempt === MAX_OUTAGES || deps.stopping?.aborted) throw error;
      await sleep(BUSY_MS, undefined, { ref: false, signal: deps.stopping }).catch(() => undefined);
    }
  }
}

async function tryNextImport(deps: ImportJobDependencies, brandId: number, job: 'import' | 'act'): Promise<void> {
  const { db } = deps;
  const record = await findNextImport(db, brandId);
  const isMine = record && jobOf(record) === job && !deps.stopping?.aborted;
  const attempt = isMine && (await beginAttempt(db, { brandId, importId: record.id }, record));
  const pauseMs = attempt && (await carryOut(deps, attempt, record));
  await queueImports(db, brandId, pauseMs || undefined);
}

/** Returns how long to wait before the brand's next import is tried. */
async function carryOut(
  { db, notices, quotas, sources, logger, stopping }: ImportJobDependencies,
  attempt: Attempt,
  record: ImportRecord,
): Promise<number | undefined> {
  const progress: ImportProgress = { stage: undefined, rowsDone: record.rows_done };
  const watch = watchImport(db, notices, attempt, progress, stopping);
  const { signal } = watch;
  const run = { ...attempt, record, userId: record.user_id, signal, progress, quotas };
  const source = sources[record.kind];
  try {
    if (record.interruptions >= MAX_INTERRUPTIONS) throw new AppError('import_interrupted', 'Its servers ended');
    if (source.stage && !record.staged) {
      progress.stage = 'reading';
      progress.rowsDone = 0;
      await source.stage(db, run);
    }
    progress.stage = 'merging';
    await source.apply(db, run);
    return undefined;
  } catch (error) {
    if (signal.aborted && !(signal.reason instanceof ServerStops)) return leave(db, attempt);
    if (error instanceof AlreadyEnded) return leave(db, attempt);
    const failure = toFailure(error);
    if (signal.aborted || isBrandBusy(error) || failure === 'later') {
      const isInterrupted = failure === 'later' && !signal.aborted && !isBrandBusy(error);
      const set = isInterrupted ? { interruptions: record.interruptions + 1 } : {};
      await moveImport(db, attempt, 'hand_over', { attempt: attempt.attempt, set });
      if (signal.aborted) return undefined;
      return isInterrupted ? Math.min(BUSY_MS * 2 ** record.interruptions, MAX_PAUSE_MS) : BUSY_MS;
    }
    const log = { import_id: attempt.importId, brand_id: attempt.brandId };
    if (failure.code === 'internal_error') logger.error({ ...log, err: error }, 'Import failed');
    else logger.info({ ...log, reason: failure.code }, 'Import ended early');
    await failImport(db, attempt, failure);
    return undefined;
  } finally {
    watch.stop();
  }
}

/** Leaves an import that has been cancelled. Throws if another server has taken it over, so that this job, which is that server's by now, is not completed. */
async function leave(db: Db, { attempt, ...key }: Attempt): Promise<undefined> {
  const record = await findImportRecord(db, key);
  if (record && record.attempt > attempt) throw new Error(`Import ${key.importId} was taken over by another server`);
  return undefined;
}

/** Ends an import that cannot be finished. Its receipt has the reason. */
function failImport(db: Db, attempt: Attempt, failure: ImportFailure): Promise<void> {
  return inTransaction(db, async (db) => {
    const set = { failure: JSON.stringify(failure), header: '[]' };
    if (await moveImport(db, attempt, 'fail', { attempt: attempt.attempt, set })) await deleteStaged(db, attempt);
  });
}

/** Stores the progress of an import, and aborts the work when the import is no longer ours. */
function watchImport(
  db: Db,
  notices: Notices,
  attempt: Attempt,
  progress: ImportProgress,
  stopping: AbortSignal | undefined,
): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onStop = () => controller.abort(new ServerStops());
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      if (!(await storeProgress(db, attempt, progress))) controller.abort(new AlreadyEnded());
    } catch {
      // The database is away. If that lasts, the import itself finds out.
    } finally {
      isChecking = false;
    }
  };
  const unfollow = notices.follow(importNotice(attempt), () => void check());
  stopping?.addEventListener('abort', onStop, { once: true });
  if (stopping?.aborted) onStop();
  const timer = setInterval(() => void check(), PROGRESS_MS);
  return {
    signal: controller.signal,
    stop() {
      clearInterval(timer);
      unfollow();
      stopping?.removeEventListener('abort', onStop);
    },
  };
}

/** `later`: the database is away, which is no failure. */
function toFailure(error: unknown): ImportFailure | 'later' {
  if (error instanceof FileRefusal) return { code: error.reason, params: error.params } as ImportFailure;
  if (error instanceof AppError) {
    if (error.code === 'brand_inactive') return { code: 'brand_inactive' };
    if (error.code === 'import_not_undoable') return { code: 'not_undoable' };
    if (error.code === 'import_nothing_corrected') return { code: 'nothing_corrected' };
    if (error.code === 'import_interrupted') return INTERRUPTED;
    const { code, message: detail, context } = error;
    return { code: 'refused', params: { code, detail, context } };
  }
  const code = codeOfDatabaseError(error);
  if (code === 'database_unavailable') return 'later';
  return { code: code === 'storage_full' ? code : 'internal_error' };
}
