import { setTimeout as sleep } from 'node:timers/promises';
import { type Language, MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import * as endpoints from '@brand-portal/contract/import';
import * as corrections from '@brand-portal/contract/import-corrections';
import type { Quotas } from '@brand-portal/contract/quotas';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { FileRefusal } from '../../csv/file-refusal.ts';
import type { Db } from '../../db/database.ts';
import { AppError, brandNotFound } from '../../errors.ts';
import { allowSlowBody } from '../../http/bodies.ts';
import { languageOf } from '../../http/language.ts';
import { Accepted, type Route } from '../../http/route.ts';
import { requireRoom } from '../brands/quotas.ts';
import { mayEdit } from '../members/memberships.ts';
import { correctAll, correctCell, listCorrections } from './corrections.ts';
import { dismissImports } from './import-notices.ts';
import type { ImportQueue } from './import-queue.ts';
import { deleteFailedImport } from './imports.queries.ts';
import { describeKept } from './kept.ts';
import { getPreview, takeLikelyId } from './preview.ts';
import {
  getReceipt,
  getUploadResult,
  listErrorGroups,
  listImportChanges,
  listReceipts,
  openRejectedRows,
} from './receipts.ts';
import { COLUMNS, OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from './rows/columns.ts';
import { describeRefusal, importTexts, questionsOf } from './rows/describe.ts';
import { ImportEnded, type RunningImports, type StartedImport } from './running-imports.ts';
import type { ImportKey } from './staging.queries.ts';
import { makeTemplate } from './template.ts';
import { previewUndo } from './undo.ts';
import { receiveUpload } from './upload.ts';

interface ImportRoutes {
  readonly db: Db;
  readonly queue: ImportQueue;
  readonly imports: RunningImports;
  readonly quotas: Quotas;
}

export function registerImportRoutes(route: Route, { db, queue, imports, quotas }: ImportRoutes): void {
  route(endpoints.getCsvHeaders, async () => ({
    columns: [...COLUMNS],
    required_columns: [...REQUIRED_COLUMNS],
    optional_columns: [...OPTIONAL_COLUMNS],
  }));

  route(endpoints.downloadTemplate, ({ request }) => makeTemplate(db, languageOf(request)));

  route(endpoints.uploadCsv, async ({ params: { brandId }, userId, request }) => {
    const { uploader, upload } = await receive(request, brandId, userId);
    return follow(request, brandId, imports.importFile(uploader, upload), getUploadResult);
  });

  route(endpoints.checkCsv, async ({ params: { brandId }, userId, request }) => {
    const { uploader, upload } = await receive(request, brandId, userId);
    return follow(request, brandId, imports.checkFile(uploader, upload), getPreview);
  });

  route(endpoints.getImportPreview, ({ params, request }) => getPreview(db, params, languageOf(request)));

  route(endpoints.takeLikelyId, async ({ params, body, request }) => {
    await takeLikelyId(db, params, body);
    return getPreview(db, params, languageOf(request));
  });

  route(endpoints.confirmImport, ({ params: { brandId, importId }, body, userId, request }) => {
    const uploader = { brandId, userId, language: languageOf(request) };
    return follow(request, brandId, imports.confirm(uploader, importId, body), getUploadResult);
  });

  route(endpoints.previewUndo, async ({ params, request }) => {
    const { kept, names, ...counts } = await previewUndo(db, params);
    return { ...counts, kept_count: kept, kept: await describeKept(db, params.brandId, names, languageOf(request)) };
  });

  route(endpoints.undoImport, async ({ params: { brandId, importId: undoes }, userId, request }) => {
    const uploader = { brandId, userId, language: languageOf(request) };
    return follow(request, brandId, imports.undo(uploader, undoes), getReceipt);
  });

  async function receive(request: FastifyRequest, brandId: number, userId: number) {
    const uploader = { brandId, userId, language: languageOf(request) };
    const upload = await queue.receive(uploader, async () => {
      await requireRoom(db, brandId, quotas, 'imports', 1);
      await requireRoom(
        db,
        brandId,
        quotas,
        'staged_bytes',
        Number(request.headers['content-length'] ?? MAX_UPLOAD_BYTES),
      );
      allowSlowBody(request);
      return receiveUpload(request, importTexts(uploader.language).uploads);
    });
    if (!preferencesOf(request).includes('mapping=ask')) return { uploader, upload };
    return { uploader, upload: { ...upload, mapping: upload.mapping ?? ('ask' as const), asks: true } };
  }

  /** Responds with the result if the import ends within the time the caller waits, otherwise with how to poll it. */
  async function follow<Answer>(
    request: FastifyRequest,
    brandId: number,
    starting: Promise<StartedImport>,
    answer: (db: Db, key: ImportKey, language: Language) => Promise<Answer | undefined>,
  ): Promise<Answer | Accepted<endpoints.AcceptedImport>> {
    const language = languageOf(request);
    try {
      const { importId, ended } = await starting;
      const key = { brandId, importId };
      const hasEnded = await endsWithin(ended, preferredWait(request)).catch(async (error: unknown) => {
        // The response asks the question, so the failed import is deleted. A client that polls reads the question from the import instead.
        if (isQuestion(error)) await deleteFailedImport(db, key);
        throw error;
      });
      const answered = hasEnded ? await answer(db, key, language) : undefined;
      if (answered) return answered;
      ended.catch((error: unknown) => logFailure(request.log, importId, error));
      const { state } = await getReceipt(db, key, language);
      const location = `/api/v1/brands/${brandId}/imports/${importId}/`;
      return new Accepted({ import_id: importId, state }, { location, 'preference-applied': 'respond-async' });
    } catch (error) {
      throw toAppError(error, language);
    }
  }

  route(endpoints.listImportChanges, ({ params, query, request }) =>
    listImportChanges(db, params, query, languageOf(request)),
  );

  route(endpoints.dismissImports, ({ params: { brandId }, userId, body }) =>
    dismissImports(db, { brandId, userId }, body),
  );

  route(endpoints.cancelImport, async ({ params, userId, request }) => {
    const language = languageOf(request);
    const isCancelled = await imports.cancel(params, userId);
    // An unknown import is not found, rather than ended.
    const receipt = await getReceipt(db, params, language);
    if (!isCancelled) throw new AppError('import_ended', importTexts(language).ended);
    return receipt;
  });

  route(endpoints.listImports, ({ params, query, request }) =>
    listReceipts(db, params.brandId, query, languageOf(request)),
  );

  route(endpoints.getImport, async ({ params, userId, request }) => ({
    ...(await getReceipt(db, params, languageOf(request))),
    may_edit: await mayEdit(db, params.brandId, userId),
  }));

  route(corrections.listImportErrorGroups, ({ params, request }) => listErrorGroups(db, params, languageOf(request)));

  route(corrections.downloadRejectedRows, ({ params, request }) => openRejectedRows(db, params, languageOf(request)));

  route(corrections.listCorrections, ({ params, query, request }) =>
    listCorrections(db, params, query, languageOf(request)),
  );

  route(corrections.correctCell, ({ params, body, request }) => correctCell(db, params, body, languageOf(request)));

  route(corrections.correctAll, ({ params, body, request }) => correctAll(db, params, body, languageOf(request)));

  route(corrections.importCorrected, ({ params: { brandId, importId }, userId, request }) => {
    const uploader = { brandId, userId, language: languageOf(request) };
    return follow(request, brandId, imports.importCorrected(uploader, importId), getUploadResult);
  });
}

/** The `Prefer` header (RFC 7240), as in `respond-async, wait=10`. */
function preferencesOf({ headers: { prefer } }: FastifyRequest): string[] {
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

async function endsWithin(ended: Promise<void>, ms: number | undefined): Promise<boolean> {
  const hasEnded = ended.then(() => true);
  if (ms === undefined) return hasEnded;
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([hasEnded, late]).finally(() => timer.abort());
}

function isQuestion(error: unknown): boolean {
  return error instanceof FileRefusal && Object.keys(questionsOf(error.params)).length > 0;
}

function toAppError(error: unknown, language: Language): unknown {
  if (error instanceof FileRefusal) {
    const { reason, params } = error;
    const { sheets, mapping } = questionsOf(params);
    const fields = {
      // One per line, for the member to choose from.
      ...(sheets && { sheet: sheets.join('\n') }),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
    };
    return new AppError(
      'csv_rejected',
      describeRefusal(reason, params, language),
      isQuestion(error) ? fields : undefined,
    );
  }
  if (!(error instanceof ImportEnded)) return error;
  const { cancelled, unfinished } = importTexts(language);
  if (error.how === 'cancelled') return new AppError('import_cancelled', cancelled);
  return error.how === 'interrupted' ? new AppError('import_interrupted', unfinished.interrupted) : brandNotFound();
}

/** For imports that run in the background. Members see the reason in the receipt. */
function logFailure(log: FastifyBaseLogger, importId: number, error: unknown): void {
  const isExpected = error instanceof FileRefusal || error instanceof ImportEnded || error instanceof AppError;
  if (isExpected) log.info({ import_id: importId, reason: error.message }, 'Import ended early');
  else log.error({ import_id: importId, err: error }, 'Import failed');
}
