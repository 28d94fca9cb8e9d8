import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '@brand-portal/contract/constants';
import type { ErrorCode } from '@brand-portal/contract/errors';
import type { AcceptedImport } from '@brand-portal/contract/import';
import type { FastifyRequest } from 'fastify';
import { describeFailure, importTexts, questionsOf } from '../catalog/fields/describe.ts';
import type { ImportFailure, UnfinishedCode } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import type { Notices } from '../db/notices.ts';
import { languageOf } from '../http/language.ts';
import { Accepted } from '../http/route.ts';
import { AppError, brandNotFound } from '../lib/errors.ts';
import { deleteFailedImport, findImportRecord, type ImportRecord } from './imports.queries.ts';
import type { ImportKey } from './staging.queries.ts';
import { importNotice } from './states.queries.ts';

const FIRST_LOOK_MS = 25;
const LOOK_MS = 1_000;

interface Following {
  /** Undefined: until it has ended, however long that takes. */
  readonly waitMs: number | undefined;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

function isUnfinished({ state }: Pick<ImportRecord, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

/** The import when it waits or runs no longer, or as it is when the caller no longer waits. Undefined: it was deleted with its brand. */
async function waitForEnd(
  db: Db,
  notices: Notices,
  key: ImportKey,
  { waitMs = Number.POSITIVE_INFINITY, signal }: Following,
): Promise<ImportRecord | undefined> {
  const until = performance.now() + waitMs;
  let changed = Promise.withResolvers<void>();
  const unfollow = notices.follow(importNotice(key), () => changed.resolve());
  try {
    // Notices can be lost, so it also looks from time to time.
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(2 * lookMs, LOOK_MS)) {
      const record = await findImportRecord(db, key);
      const leftMs = until - performance.now();
      if (!record || !isUnfinished(record) || leftMs <= 0 || signal.aborted) return record;
      const timer = new AbortController();
      const look = sleep(Math.min(lookMs, leftMs), undefined, { signal: AbortSignal.any([timer.signal, signal]) });
      await Promise.race([changed.promise, look.catch(() => undefined)]);
      timer.abort();
      changed = Promise.withResolvers<void>();
    }
  } finally {
    unfollow();
  }
}

interface Dependencies {
  readonly db: Db;
  readonly notices: Notices;
  /** Aborted when the server stops: callers who wait for an import then get a 202. */
  readonly stopping: AbortSignal;
}

/**
 * Responds with `answer` if the import ends within the time the caller waits, otherwise with how to follow it. `waitMs`: if the caller does
 * not say how long.
 */
export type Follow = <Answer>(
  request: FastifyRequest,
  key: ImportKey,
  answer: (record: ImportRecord, language: Language) => Promise<Answer | undefined>,
  waitMs?: number,
) => Promise<Answer | Accepted<AcceptedImport>>;

export function createFollow({ db, notices, stopping }: Dependencies): Follow {
  return async (request, key, answer, waitMs) => {
    const language = languageOf(request);
    const record = await waitForEnd(db, notices, key, { waitMs: preferredWait(request) ?? waitMs, signal: stopping });
    if (!record) throw brandNotFound();
    // The response asks the question, so the failed import is deleted. A client that polls reads the question from the import instead.
    if (isQuestion(record.failure)) await deleteFailedImport(db, key);
    refuseEnded(record, language);
    const answered = isUnfinished(record) ? undefined : await answer(record, language);
    if (answered) return answered;
    const location = `/api/v1/brands/${key.brandId}/imports/${key.importId}/`;
    const body = { import_id: key.importId, state: record.state };
    return new Accepted(body, { location, 'preference-applied': 'respond-async' });
  };
}

/** The `Prefer` header (RFC 7240), as in `respond-async, wait=10`. */
export function preferencesOf({ headers: { prefer } }: FastifyRequest): string[] {
  return String(prefer ?? '')
    .split(/[,;]/)
    .map((preference) => preference.trim().toLowerCase());
}

/** Undefined: the caller waits for the end, however long it takes. */
function preferredWait(request: FastifyRequest): number | undefined {
  const preferences = preferencesOf(request);
  if (!preferences.includes('respond-async')) return undefined;
  const wait = preferences.find((preference) => /^wait *= *"?\d{1,3}"?$/.test(preference));
  return Number(wait?.replaceAll(/\D/g, '') ?? 0) * 1_000;
}

function isQuestion(failure: ImportFailure | null): boolean {
  return failure !== null && Object.keys(questionsOf(failure)).length > 0;
}

/** The error code of each failure that is not about the file. */
const FAILURE_CODES: Readonly<Record<Exclude<UnfinishedCode, 'refused'>, ErrorCode>> = {
  interrupted: 'import_interrupted',
  brand_inactive: 'brand_inactive',
  not_undoable: 'import_not_undoable',
  nothing_corrected: 'import_nothing_corrected',
  database_unavailable: 'database_unavailable',
  storage_full: 'storage_full',
  internal_error: 'internal_error',
};

/** Throws if the import was cancelled or has failed. */
function refuseEnded({ state, failure }: ImportRecord, language: Language): void {
  if (state === 'cancelled' || state === 'discarded') {
    throw new AppError('import_cancelled', importTexts(language).cancelled);
  }
  if (state !== 'failed' || !failure) return;
  if (failure.code === 'refused') {
    const { code, detail, context } = failure.params;
    throw new AppError(code, detail, undefined, context);
  }
  const { sheets, mapping } = questionsOf(failure);
  const fields = {
    // One per line, for the member to choose from.
    ...(sheets && { sheet: sheets.join('\n') }),
    ...(mapping && { mapping: JSON.stringify(mapping) }),
  };
  const code = FAILURE_CODES[failure.code as keyof typeof FAILURE_CODES] ?? 'csv_rejected';
  throw new AppError(code, describeFailure(failure, language), isQuestion(failure) ? fields : undefined);
}
