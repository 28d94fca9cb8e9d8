import { ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';
import type { FastifyError } from 'fastify';
import { codeOfDatabaseError } from '../db/pg-errors.ts';
import { AppError, alreadyMember, brandNotFound, invalidFields, tooManyRequests } from '../lib/errors.ts';
import { describeFields } from './validation.ts';

const DETAILS: Partial<Record<ErrorCode, string>> = {
  malformed_request: 'The request could not be read.',
  already_member: alreadyMember().message,
  brand_not_found: brandNotFound().message,
  payload_too_large: 'The request is too large.',
  unsupported_media_type:
    'This content type is not accepted here. A body is JSON (application/json); a file comes in the field "file" of a form (multipart/form-data).',
  rate_limited: tooManyRequests().message,
  database_unavailable: 'The database cannot be reached at the moment. Please try again.',
  storage_full: 'The server has no storage space left. Please try again later.',
  internal_error: 'Server error. Please try again later.',
};

/** Maps any error to an `AppError`, for the API and the command line. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { validation, statusCode, message } = error as FastifyError;
  if (validation) return invalidFields(describeFields(validation));
  const code = codeOfDatabaseError(error) ?? codeOfStatus(statusCode);
  return new AppError(code, DETAILS[code] ?? message);
}

/** Fastify's own errors (invalid JSON, body too large, unknown media type …) are mapped by their status. */
function codeOfStatus(status: number | undefined): ErrorCode {
  if (status === ERROR_STATUS.payload_too_large) return 'payload_too_large';
  if (status === ERROR_STATUS.unsupported_media_type) return 'unsupported_media_type';
  if (status === ERROR_STATUS.rate_limited) return 'rate_limited';
  // A read that took longer than its caller waits.
  if (status === ERROR_STATUS.database_unavailable) return 'database_unavailable';
  return status !== undefined && status >= 400 && status < 500 ? 'malformed_request' : 'internal_error';
}
