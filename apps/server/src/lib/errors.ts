import type { StatusRefusal } from '@brand-portal/contract/brand-status';
import { ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';

/** Of every code with status 429 or 503. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  rate_limited: 2,
  too_many_imports: 10,
  brand_busy: 5,
  database_unavailable: 5,
  storage_full: 60,
  import_interrupted: 10,
  provider_unavailable: 10,
  not_ready: 5,
};

/** An error for the caller. Its HTTP status follows from its code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  /** Details that the code alone does not give. */
  readonly context: Record<string, string> | undefined;

  constructor(code: ErrorCode, detail: string, fields?: Record<string, string>, context?: Record<string, string>) {
    super(detail);
    this.code = code;
    this.fields = fields;
    this.context = context;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** When a call that was refused for the moment may come back. Undefined: it would be refused again. */
  get retryAfterSeconds(): number | undefined {
    return RETRY_AFTER_SECONDS[this.code];
  }
}

/** The same for another tenant's brand and for one that does not exist. */
export function brandNotFound(): AppError {
  return new AppError('brand_not_found', 'There is no such brand.');
}

/** The same for another tenant's variant and for one that does not exist. */
export function variantNotFound(): AppError {
  return new AppError('variant_not_found', 'There is no such product variant.');
}

/** The same for another tenant's certificate and for one that does not exist. */
export function certificateNotFound(): AppError {
  return new AppError('certificate_not_found', 'The brand has no such certificate.');
}

export function tooManyRequests(): AppError {
  return new AppError('rate_limited', 'Too many requests. Please wait a moment and try again.');
}

export function userNotFound(): AppError {
  return new AppError('user_not_found', 'User not found');
}

export function alreadyMember(): AppError {
  return new AppError('already_member', 'User is already a member');
}

/** `context`: the caller's role, the required one, and whom to ask. */
export function permissionDenied(context?: Record<string, string>): AppError {
  return new AppError('permission_denied', 'Permission denied', undefined, context);
}

const STATUS_DETAILS: Record<StatusRefusal | 'brand_status_fixed', string> = {
  brand_inactive: 'This brand is inactive: its members read and export, but nothing is changed or sent.',
  brand_pending: 'This brand is pending review: nothing is published until then.',
  brand_status_fixed: 'Only platform staff change the status of a brand.',
};

/** `ask`: the address of someone who can change the status. Default: support. */
export function refusedByStatus(code: keyof typeof STATUS_DETAILS, ask?: string): AppError {
  return new AppError(code, `${STATUS_DETAILS[code]} Ask ${ask ?? 'support'}.`, undefined, ask ? { ask } : undefined);
}

/** Some mail systems would deliver the address to another person. */
export function emailNotSupported(): AppError {
  return new AppError('email_not_supported', 'This e-mail address has letters that can be read as others. Please use another address.');
}

/** The errors by field name. The first is used as the message. */
export function invalidFields(fields: Record<string, string>): AppError {
  const [name, problem] = Object.entries(fields)[0] ?? ['request', 'is not valid'];
  return new AppError('validation_failed', `${name} ${problem}`, fields);
}

/** A query parameter, body field or form field that the contract does not have. */
export function unknownField(name: string): AppError {
  return invalidFields({ [name]: 'is not known' });
}

/** The filter now matches another number of variants than the caller saw. */
export function selectionChanged(count: number): AppError {
  const context = { count: String(count) };
  return new AppError('selection_changed', `Other variants match now: ${count}.`, undefined, context);
}

export function selectionOfOtherFilter(): AppError {
  return new AppError('selection_of_other_filter', 'The selection was made with another search or filter.');
}

/** An error that the operator can fix. Shown as one sentence, without a stack trace, before a non-zero exit. */
export class StartupError extends Error {}
