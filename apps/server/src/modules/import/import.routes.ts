import type { Language } from '@brand-portal/contract/constants';
import * as endpoints from '@brand-portal/contract/import';
import type { FastifyRequest } from 'fastify';
import { FileRefusal } from '../../csv/file-refusal.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { allowSlowBody } from '../../http/bodies.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { importCsv } from './import.ts';
import type { ImportQueue } from './import-queue.ts';
import { getReceipt, getUploadResult, listReceipts, openRejectedRows } from './receipts.ts';
import { COLUMNS, OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from './rows/columns.ts';
import { describeRefusal, importTexts } from './rows/describe.ts';
import { receiveUpload } from './upload.ts';

export function registerImportRoutes(route: Route, { db, queue }: { db: Db; queue: ImportQueue }): void {
  route(endpoints.getCsvHeaders, async () => ({
    columns: [...COLUMNS],
    required_columns: [...REQUIRED_COLUMNS],
    optional_columns: [...OPTIONAL_COLUMNS],
  }));

  route(endpoints.uploadCsv, async ({ params: { brandId }, userId, request }) => {
    const language = languageOf(request.headers['accept-language']);
    const texts = importTexts(language).uploads;
    const uploader = { brandId, userId, crowded: texts.crowded };
    const upload = await queue.receive(uploader, () => {
      allowSlowBody(request);
      return receiveUpload(request, texts);
    });
    const { signal, stop } = watchCaller(request);
    try {
      const work = () => importCsv(db, { brandId, userId, upload, signal });
      const importId = await queue.run(uploader, signal, work);
      return await getUploadResult(db, { brandId, importId }, language);
    } catch (error) {
      throw error instanceof FileRefusal ? toAppError(error, language) : error;
    } finally {
      stop();
      await upload.file.close();
    }
  });

  route(endpoints.listImports, ({ params, query, request }) =>
    listReceipts(db, params.brandId, query, languageOf(request.headers['accept-language'])),
  );

  route(endpoints.getImport, ({ params, request }) =>
    getReceipt(db, params, languageOf(request.headers['accept-language'])),
  );

  route(endpoints.downloadRejectedRows, ({ params, request }) =>
    openRejectedRows(db, params, languageOf(request.headers['accept-language'])),
  );
}

function toAppError({ reason, params }: FileRefusal, language: Language): AppError {
  return new AppError('csv_rejected', describeRefusal(reason, params, language));
}

/** A request counts as read once its body is; that somebody still waits for its answer only the socket knows. */
function watchCaller({ raw: { socket } }: FastifyRequest): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new AppError('malformed_request', 'The caller has gone.'));
  if (socket.destroyed) abort();
  socket.once('close', abort);
  return { signal: controller.signal, stop: () => socket.off('close', abort) };
}
