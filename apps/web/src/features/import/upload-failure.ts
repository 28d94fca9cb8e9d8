import { DEFAULT_LANGUAGE } from '@brand-portal/contract/constants';
import type { TFunction } from 'i18next';
import { ApiError, type ApiErrorCode, errorMessage } from '../../lib/api-error.ts';

/** What the server says about an import comes in the language that was asked for; its other words are English. */
const ABOUT_THE_IMPORT: readonly ApiErrorCode[] = [
  'csv_rejected',
  'payload_too_large',
  'unsupported_media_type',
  'malformed_request',
  'too_many_imports',
  'storage_full',
  'import_not_found',
  'import_cancelled',
  'import_interrupted',
];

/** The sheets of a workbook among which the member must choose; none where that is not what is wrong. */
export function sheetsOf(error: unknown): string[] {
  return error instanceof ApiError && error.fields.sheet ? error.fields.sheet.split('\n') : [];
}

/** Words that are not our server's have no translation: they are shown as they are. */
const isShownAsItIs = ({ code, isForeign }: ApiError, language: string) =>
  isForeign || language === DEFAULT_LANGUAGE || ABOUT_THE_IMPORT.includes(code);

/** The answer's `error`, else its `detail`, else what the kind of failure means, else that the server failed. */
export function failureDetail(error: unknown, t: TFunction, language: string): string {
  if (error instanceof ApiError && error.detail !== '' && isShownAsItIs(error, language)) return error.detail;
  // The browser refuses to read a file that was changed, moved or deleted after it was chosen.
  if (error instanceof DOMException) return t('import.error.unreadable');
  return errorMessage(error, t);
}
