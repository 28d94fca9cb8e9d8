import type { ErrorCode } from '@brand-portal/contract/errors';
import type { TFunction } from 'i18next';

export type ApiErrorCode = ErrorCode | 'network_error' | 'timeout';

interface ApiErrorInit {
  code: ApiErrorCode;
  /** 0 when no answer arrived. */
  status?: number;
  detail?: string;
  fields?: Record<string, string>;
  requestId?: string;
  cause?: unknown;
}

/** Every failure of a call, whatever went wrong. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;

  constructor({ code, status = 0, detail = '', fields = {}, requestId, cause }: ApiErrorInit) {
    super(detail || code, { cause });
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.fields = fields;
    this.requestId = requestId;
  }
}

/** What to tell the member about any caught value, in their language. */
export function errorMessage(error: unknown, t: TFunction): string {
  return t(`errors.${error instanceof ApiError ? error.code : 'internal_error'}`);
}
