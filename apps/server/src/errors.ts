import { ERROR_STATUS, type ErrorCode } from '@brand-portal/contract/errors';

/** An error the caller is meant to see; its HTTP status follows from its code. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;

  constructor(code: ErrorCode, detail: string, fields?: Record<string, string>) {
    super(detail);
    this.code = code;
    this.fields = fields;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The same for a brand of others as for none at all. */
export function brandNotFound(): AppError {
  return new AppError('brand_not_found', 'There is no such brand.');
}

/** Something the operator can mend: shown as one sentence, without a stack, before a non-zero exit. */
export class StartupError extends Error {}
