import { isErrorBody } from '@brand-portal/contract/errors';
import { ApiError, type ApiErrorCode } from './api-error.ts';

const STATUS_CODES: Record<number, ApiErrorCode> = {
  400: 'malformed_request',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

/** Converts an error answer, whether it came by fetch or by XMLHttpRequest. */
export function errorFromResponse(status: number, body: unknown, cause?: unknown): ApiError {
  if (isErrorBody(body)) {
    const { code, fields, context, request_id: requestId } = body;
    return new ApiError({ code, status, detail: messageFrom(body), fields, context, requestId, cause });
  }
  // A proxy or load balancer in front of the server has its own error format.
  const code = STATUS_CODES[status] ?? 'internal_error';
  return new ApiError({ code, status, detail: messageFrom(body), isForeign: true, cause });
}

/** The body's `error`, else its `detail`. */
function messageFrom(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return ([error, detail].find((said) => typeof said === 'string' && said !== '') as string | undefined) ?? '';
}
