import type { ErrorCode } from '@brand-portal/contract/errors';
import { ROLES, type Role } from '@brand-portal/contract/roles';
import type { TFunction } from 'i18next';

export type ApiErrorCode = ErrorCode | 'network_error' | 'timeout';

interface ApiErrorInit {
  code: ApiErrorCode;
  /** 0 when no answer arrived. */
  status?: number;
  detail?: string;
  isForeign?: boolean;
  fields?: Record<string, string>;
  context?: Record<string, string>;
  requestId?: string;
  cause?: unknown;
}

/** Every failure of a call, whatever went wrong. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  /** What the server said: the answer's `error`, else its `detail`. */
  readonly detail: string;
  /** The answer named none of our codes, such as that of a proxy: the code is guessed from its status. */
  readonly isForeign: boolean;
  readonly fields: Readonly<Record<string, string>>;
  /** What the error is about, such as the current values of a variant that somebody has changed. */
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

/** What to tell the member about any caught value, in their language. */
export function errorMessage(error: unknown, t: TFunction): string {
  if (error instanceof ApiError && error.code === 'permission_denied') return deniedMessage(error, t);
  return t(`errors.${error instanceof ApiError ? error.code : 'internal_error'}`);
}

/**
 * What the server said, to be shown in place of a fixed text: in the member's language where the code is one of ours, else
 * in its own words. Undefined where it said nothing.
 */
export function serverMessage(error: unknown, t: TFunction): string | undefined {
  if (!(error instanceof ApiError) || error.status === 0) return undefined;
  return error.isForeign ? error.detail || undefined : errorMessage(error, t);
}

/** What the member's role is, which one it takes, and whom to ask, as far as the server tells. */
function deniedMessage({ context: { role, required_role: required, ask } }: ApiError, t: TFunction): string {
  const denied = t('errors.permission_denied');
  const [has, takes] = [ROLES.find((known) => known === role), ROLES.find((known) => known === required)];
  if (!has || !takes) return denied;
  return `${denied}. ${deniedReason({ role: has, required: takes, ask }, t)}`;
}

/** `ask`: names of people who can help; without them it is an owner or admin. */
export function deniedReason(
  { role, required, ask }: { role: Role; required: Role; ask?: string | undefined },
  t: TFunction,
): string {
  const roles = { role: t(`denied.roles.${role}`), required: t(`denied.roles.${required}`) };
  return `${t('denied.role', roles)} ${ask ? t('denied.ask_people', { people: ask }) : t('denied.ask_admin')}`;
}
