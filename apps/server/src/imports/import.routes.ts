import { type Language, MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import * as endpoints from '@brand-portal/contract/import';
import * as corrections from '@brand-portal/contract/import-corrections';
import type { Quotas } from '@brand-portal/contract/quotas';
import type { FastifyRequest } from 'fastify';
import { COLUMNS, OPTIONAL_COLUMNS, REQUIRED_COLUMNS } from '../catalog/fields/columns.ts';
import { importTexts } from '../catalog/fields/describe.ts';
import type { Db } from '../db/database.ts';
import { allowSlowBody } from '../http/bodies.ts';
import { languageOf } from '../http/language.ts';
import type { Route } from '../http/route.ts';
import { AppError } from '../lib/errors.ts';
import { requireRoom } from '../people/brands/quotas.ts';
import { mayEdit } from '../people/members/memberships.ts';
import { acceptCorrected, acceptFile, acceptUndo, cancel, confirm } from './accept.ts';
import { correctAll, correctCell, listCorrections } from './corrections.ts';
import { type Follow, preferencesOf } from './follow.ts';
import { dismissImports } from './import-notices.ts';
import type { ImportRecord } from './imports.queries.ts';
import { describeKept } from './kept.ts';
import { getPreview, planChanged, takeLikelyId } from './preview.ts';
import { getReceipt, getUploadResult, listErrorGroups, listImportChanges, listReceipts, openRejectedRows } from './receipts.ts';
import { makeTemplate } from './template.ts';
import { previewUndo } from './undo.ts';
import { createUploadPlaces, receiveUpload } from './upload.ts';

interface ImportRoutes {
  readonly db: Db;
  readonly quotas: Quotas;
  readonly follow: Follow;
}

export function registerImportRoutes(route: Route, { db, quotas, follow }: ImportRoutes): void {
  const arriving = createUploadPlaces();

  route(endpoints.getCsvHeaders, async () => ({
    columns: [...COLUMNS],
    required_columns: [...REQUIRED_COLUMNS],
    optional_columns: [...OPTIONAL_COLUMNS],
  }));

  route(endpoints.downloadTemplate, ({ request }) => makeTemplate(db, languageOf(request)));

  route(endpoints.uploadCsv, async ({ params: { brandId }, userId, request }) => {
    const { uploader, upload } = await receive(request, brandId, userId);
    return follow(request, await acceptFile(db, uploader, upload, { isCheck: false }), uploadResult);
  });

  route(endpoints.checkCsv, async ({ params: { brandId }, userId, request }) => {
    const { uploader, upload } = await receive(request, brandId, userId);
    return follow(request, await acceptFile(db, uploader, upload, { isCheck: true }), previewOf);
  });

  route(endpoints.getImportPreview, ({ params, request }) => getPreview(db, params, languageOf(request)));

  route(endpoints.takeLikelyId, async ({ params, body, request }) => {
    await takeLikelyId(db, params, body);
    return getPreview(db, params, languageOf(request));
  });

  route(endpoints.confirmImport, async ({ params: { brandId, importId }, body, userId, request }) => {
    const key = await confirm(db, { brandId, userId, language: languageOf(request) }, importId, body);
    return follow(request, key, async (record) => {
      if (record.state === 'checked') throw planChanged();
      return uploadResult(record, languageOf(request));
    });
  });

  route(endpoints.previewUndo, async ({ params, request }) => {
    const { kept, names, ...counts } = await previewUndo(db, params);
    return { ...counts, kept_count: kept, kept: await describeKept(db, params.brandId, names, languageOf(request)) };
  });

  route(endpoints.undoImport, async ({ params: { brandId, importId: undoes }, userId, request }) => {
    const key = await acceptUndo(db, { brandId, userId, language: languageOf(request) }, undoes);
    return follow(request, key, (_record, language) => getReceipt(db, key, language));
  });

  async function receive(request: FastifyRequest, brandId: number, userId: number) {
    const uploader = { brandId, userId, language: languageOf(request) };
    const upload = await arriving.receive(uploader, async () => {
      await requireRoom(db, brandId, quotas, 'imports', 1);
      await requireRoom(db, brandId, quotas, 'staged_bytes', Number(request.headers['content-length'] ?? MAX_UPLOAD_BYTES));
      allowSlowBody(request);
      return receiveUpload(request, importTexts(uploader.language).uploads);
    });
    if (!preferencesOf(request).includes('mapping=ask')) return { uploader, upload };
    return { uploader, upload: { ...upload, mapping: upload.mapping ?? ('ask' as const), asks: true } };
  }

  const uploadResult = (record: ImportRecord, language: Language) =>
    getUploadResult(db, { brandId: record.brand_id, importId: record.id }, language);
  const previewOf = (record: ImportRecord, language: Language) =>
    getPreview(db, { brandId: record.brand_id, importId: record.id }, language);

  route(endpoints.listImportChanges, ({ params, query, request }) => listImportChanges(db, params, query, languageOf(request)));

  route(endpoints.dismissImports, ({ params: { brandId }, userId, body }) => dismissImports(db, { brandId, userId }, body));

  route(endpoints.cancelImport, async ({ params, userId, request }) => {
    const language = languageOf(request);
    const isCancelled = await cancel(db, params, userId);
    // An unknown import is not found, rather than ended.
    const receipt = await getReceipt(db, params, language);
    if (!isCancelled) throw new AppError('import_ended', importTexts(language).ended);
    return receipt;
  });

  route(endpoints.listImports, ({ params, query, request }) => listReceipts(db, params.brandId, query, languageOf(request)));

  route(endpoints.getImport, async ({ params, userId, request }) => ({
    ...(await getReceipt(db, params, languageOf(request))),
    may_edit: await mayEdit(db, params.brandId, userId),
  }));

  route(corrections.listImportErrorGroups, ({ params, request }) => listErrorGroups(db, params, languageOf(request)));

  route(corrections.downloadRejectedRows, ({ params, request }) => openRejectedRows(db, params, languageOf(request)));

  route(corrections.listCorrections, ({ params, query, request }) => listCorrections(db, params, query, languageOf(request)));

  route(corrections.correctCell, ({ params, body, request }) => correctCell(db, params, body, languageOf(request)));

  route(corrections.correctAll, ({ params, body, request }) => correctAll(db, params, body, languageOf(request)));

  route(corrections.importCorrected, async ({ params: { brandId, importId }, userId, request }) => {
    const key = await acceptCorrected(db, { brandId, userId, language: languageOf(request) }, importId);
    return follow(request, key, uploadResult);
  });
}
