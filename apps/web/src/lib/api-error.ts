import type { ErrorCode } from '@brand-portal/contract/errors';
import { QUOTAS } from '@brand-portal/contract/quotas';
import { ROLES, type Role } from '@brand-portal/contract/roles';
import type { TFunction } from 'i18next';

export type ApiErrorCode = ErrorCode | 'network_error' | 'timeout';

interface ApiErrorInit {
  code: ApiErrorCode;
  /** 0 if there was no answer. */
  status?: number;
  detail?: string;
  isForeign?: boolean;
  fields?: Record<string, string>;
  context?: Record<string, string>;
  requestId?: string;
  cause?: unknown;
}

/** Any failure of a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  /** The answer's `error`, else its `detail`. */
  readonly detail: string;
  /** The answer has none of our error codes, for example a proxy's error page: the code is derived from the status. */
  readonly isForeign: boolean;
  readonly fields: Readonly<Record<string, string>>;
  /** Data about the error, such as the current values of a variant that somebody else has changed. */
  readonly context: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;

  constructor(init: ApiErrorInit) {
    const { code, status = 0, detail = '', isForeign = false, fields = {}, context = {}, requestId, cause } = init;
    super(detail || code, { cause });
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.isForeign = isForeign;
    this.fields = fields;
    this.context = context;
    this.requestId = requestId;
  }
}

/** An empty answer is an error, if its data is needed. */
export function requireAnswer<Answer extends object>(answer: Answer | null | undefined): Answer {
  if (!answer) throw new ApiError({ code: 'internal_error' });
  return answer;
}

/** A message for any caught value, in the user's language. */
export function errorMessage(error: unknown, t: TFunction): string {
  if (error instanceof ApiError && error.code === 'permission_denied') return deniedMessage(error, t);
  if (error instanceof ApiError && isStatusRefusal(error.code)) return statusMessage(error.code, error.context.ask, t);
  if (error instanceof ApiError && error.code === 'quota_exceeded') return exceededMessage(error, t);
  return t(`errors.${error instanceof ApiError ? error.code : 'internal_error'}`);
}

const STATUS_REFUSALS = ['brand_inactive', 'brand_pending', 'brand_status_fixed'] as const;
type StatusRefusal = (typeof STATUS_REFUSALS)[number];
const isStatusRefusal = (code: string): code is StatusRefusal => STATUS_REFUSALS.some((known) => known === code);

/** `ask`: the address of somebody who can change the status; default: support. */
export function statusMessage(code: StatusRefusal, ask: string | undefined, t: TFunction): string {
  return `${t(`errors.${code}`)} ${ask ? t('denied.ask_people', { people: ask }) : t('denied.ask_support')}`;
}

const MEGABYTE = 1024 ** 2;

/** How much the brand may store, and how much it does. */
function exceededMessage({ context }: ApiError, t: TFunction): string {
  const quota = QUOTAS.find((name) => name === context.quota);
  if (!quota) return t('errors.quota_exceeded');
  const unit = quota === 'staged_bytes' ? MEGABYTE : 1;
  const amount = (value: string | undefined) => Math.round(Number(value) / unit);
  return t(`quota.${quota}`, { used: amount(context.used), limit: amount(context.limit) });
}

/**
 * The server's message, to be shown in place of a fixed text: translated if the code is known, else as sent. Undefined
 * if there is none.
 */
export function serverMessage(error: unknown, t: TFunction): string | undefined {
  if (!(error instanceof ApiError) || error.status === 0) return undefined;
  return error.isForeign ? error.detail || undefined : errorMessage(error, t);
}

function deniedMessage(error: ApiError, t: TFunction): string {
  const [denied, reason] = [t('errors.permission_denied'), reasonOfDenial(error, t)];
  return reason ? `${denied}. ${reason}` : denied;
}

/** The member's role, the required role and whom to ask, as far as the server sends them. */
export function reasonOfDenial({ context: { role, required_role: required, ask } }: ApiError, t: TFunction) {
  const [has, takes] = [ROLES.find((known) => known === role), ROLES.find((known) => known === required)];
  return has && takes && deniedReason({ role: has, required: takes, ask }, t);
}

/** `ask`: names of people who can help; default: an owner or admin, of what only an owner may do an owner. */
export function deniedReason({ role, required, ask }: { role: Role; required: Role; ask?: string | undefined }, t: TFunction): string {
  const roles = { role: t(`denied.roles.${role}`), required: t(`denied.roles.${required}`) };
  const anybody = required === 'owner' ? t('denied.ask_owner') : t('denied.ask_admin');
  return `${t('denied.role', roles)} ${ask ? t('denied.ask_people', { people: ask }) : anybody}`;
}
