import { CSV_HEADERS_FRESHNESS_MS, UPLOAD_WAIT_SECONDS, XLSX_TEMPLATE_FILE_NAME } from '@brand-portal/contract/constants';
import {
  type AcceptedImport,
  type CsvUploadAnswer,
  cancelImport,
  checkCsv,
  confirmImport,
  downloadTemplate,
  getCsvHeaders,
  getImport,
  getImportPreview,
  type ImportDetail,
  type ImportPreview,
  type LikelyId,
  takeLikelyId,
  uploadCsv,
} from '@brand-portal/contract/import';
import { downloadRejectedRows } from '@brand-portal/contract/import-corrections';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError, type ApiErrorCode, requireAnswer } from '../../lib/api-error.ts';
import { isRefusal, retryDelay } from '../../lib/retry.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';

export function csvHeadersQuery() {
  return queryOptions({
    queryKey: ['csv-headers'],
    queryFn: ({ signal }) => callApi(getCsvHeaders, { signal }),
    staleTime: CSV_HEADERS_FRESHNESS_MS,
    // Cached as long as they are fresh, even while no dialog uses them.
    gcTime: CSV_HEADERS_FRESHNESS_MS,
  });
}

interface Upload {
  brandId: number;
  file: File;
  /** The chosen sheet of a workbook, if the server has asked for it. */
  sheet: string | undefined;
  /** The column mapping, if the server has asked for it, or `choose` to be asked. */
  mapping: string | undefined;
  signal: AbortSignal;
  /** The uploaded fraction, from 0 to 1. */
  onProgress: (sent: number) => void;
}

/** The server answers with the result if the import is quick, else with its id. */
export const RESPOND_ASYNC = { Prefer: `respond-async, wait=${UPLOAD_WAIT_SECONDS}` };
/** It also asks which column is which, if it does not know them all. Not in the form, whose one field is the file. */
const ASK_FOR_COLUMNS = { Prefer: `${RESPOND_ASYNC.Prefer}, mapping=ask` };

export function sendCsv({ brandId, signal, onProgress, ...form }: Upload): Promise<CsvUploadAnswer | AcceptedImport> {
  return callApi(uploadCsv, { params: { brandId }, body: toForm(form), headers: ASK_FOR_COLUMNS, signal, onProgress });
}

/** The same as a dry run: the answer is a preview, and nothing is imported. */
export function sendForCheck({ brandId, signal, onProgress, ...form }: Upload): Promise<ImportPreview | AcceptedImport> {
  return callApi(checkCsv, { params: { brandId }, body: toForm(form), headers: ASK_FOR_COLUMNS, signal, onProgress });
}

/** Its one field is the file. Answers to the server's questions come before it, because the server reads a stream. */
function toForm({ file, sheet, mapping }: Pick<Upload, 'file' | 'sheet' | 'mapping'>): FormData {
  const body = new FormData();
  if (sheet !== undefined) body.set('sheet', sheet);
  if (mapping !== undefined) body.set('mapping', mapping);
  body.set('file', file);
  return body;
}

export function fetchPreview(brandId: number, importId: number): Promise<ImportPreview> {
  return callApi(getImportPreview, { params: { brandId, importId } });
}

/** Sends the numbers of the preview: the server refuses if the import would now have other ones. */
export function confirmChecked(brandId: number, preview: ImportPreview): Promise<CsvUploadAnswer | AcceptedImport> {
  const { import_id: importId, variants_created, variants_updated, variants_unchanged, rejected, channel } = preview;
  const body = { variants_created, variants_updated, variants_unchanged, rejected, ...channel };
  return callApi(confirmImport, { params: { brandId, importId }, body, headers: RESPOND_ASYNC });
}

/** Corrects a mistyped certificate id in all rows of a checked file. */
export function useTakeLikelyId(brandId: number, importId: number) {
  return useSingleMutation({
    mutationFn: async ({ certification_id, certificate_id, likely_id }: LikelyId) => {
      const body = { certification_id, certificate_id, likely_id };
      return requireAnswer(await callApi(takeLikelyId, { params: { brandId, importId }, body }));
    },
  });
}

export function discardChecked(brandId: number, importId: number): Promise<unknown> {
  return callApi(cancelImport, { params: { brandId, importId } });
}

export type ImportProgress = Pick<ImportDetail, 'state' | 'stage' | 'rows_done' | 'rows_total'> & { kind?: ImportDetail['kind'] };

interface PollOptions {
  brandId: number;
  importId: number;
  /** Aborted when the user cancels the import. */
  cancelling?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 2_000;
const MAX_BACKOFF_MS = 8_000;

/**
 * Polls an import until it has ended. A lost connection does not stop the import on the server, so polling continues:
 * only a refusal stops it.
 */
export async function pollImport({
  brandId,
  importId,
  cancelling = new AbortController().signal,
  onProgress,
}: PollOptions): Promise<ImportDetail> {
  const params = { brandId, importId };
  let mayCancel = true;
  let failures = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.25, MAX_PAUSE_MS)) {
    await sleepUnlessAborted(
      failures > 0 ? Math.min(retryDelay(failures - 1), MAX_BACKOFF_MS) : pause,
      // Cancelling skips the wait for the next poll; but if the cancellation fails, the delay is kept.
      mayCancel && failures === 0 ? cancelling : undefined,
    );
    try {
      if (cancelling.aborted && mayCancel) await callApi(cancelImport, { params }).catch(unlessEnded);
      mayCancel = !cancelling.aborted;
      const found = await callApi(getImport, { params });
      failures = 0;
      if (found.state !== 'waiting' && found.state !== 'running') return found;
      onProgress?.(found);
    } catch (error) {
      const mayPass = !isRefusal(error) || (error instanceof ApiError && error.code === 'rate_limited');
      if (!mayPass) throw error;
      failures += 1;
    }
  }
}

/** Resolves with the receipt of an import, however long it takes. `failureCode`: of the error if it fails. */
export async function waitForImport(brandId: number, importId: number, failureCode: ApiErrorCode): Promise<ImportDetail> {
  const ended = await pollImport({ brandId, importId });
  if (ended.failure) throw new ApiError({ code: failureCode, detail: ended.failure.message });
  if (ended.state === 'cancelled') throw new ApiError({ code: 'import_cancelled' });
  return ended;
}

/** The import ended before it could be cancelled: the next poll has its result. */
function unlessEnded(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'import_ended')) throw error;
}

function sleepUnlessAborted(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The template as a workbook. The server creates it, because it contains the list of certifications. */
export function useSaveWorkbookTemplate() {
  return useSingleMutation({
    mutationFn: async () => saveFile(await callApi(downloadTemplate), XLSX_TEMPLATE_FILE_NAME),
  });
}

export function useSaveRejectedRows(brandId: number, importId: number) {
  return useSingleMutation({
    mutationFn: async (fileName: string) => saveFile(await callApi(downloadRejectedRows, { params: { brandId, importId } }), fileName),
  });
}
