import { DEFAULT_LANGUAGE } from '@brand-portal/contract/constants';
import type { TFunction } from 'i18next';
import { ApiError, type ApiErrorCode, errorMessage } from '../../lib/api-error.ts';

/** Messages about an import come in the requested language; the server's other messages are English. */
const TRANSLATED_BY_SERVER: readonly ApiErrorCode[] = [
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

/** The sheets of a workbook to choose from; empty for any other error. */
export function sheetsOf(error: unknown): string[] {
  return error instanceof ApiError && error.fields.sheet ? error.fields.sheet.split('\n') : [];
}

/**
 * Messages that are not from our server have no translation: they are shown unchanged. A refusal because of the role
 * has more to tell than its message: which role it takes, and whom to ask.
 */
const isShownAsItIs = ({ code, isForeign, context }: ApiError, language: string) =>
  isForeign || TRANSLATED_BY_SERVER.includes(code) || (language === DEFAULT_LANGUAGE && !context.required_role);

/** The answer's `error`, else its `detail`, else a text for the error code, else a general server error. */
export function failureDetail(error: unknown, t: TFunction, language: string): string {
  if (error instanceof ApiError && error.detail !== '' && isShownAsItIs(error, language)) return error.detail;
  // The browser cannot read a file that was changed, moved or deleted after it was chosen.
  if (error instanceof DOMException) return t('import.error.unreadable');
  return errorMessage(error, t);
}
