import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '@brand-portal/contract/endpoint';
import { isErrorBody } from '@brand-portal/contract/errors';
import ky, { isHTTPError, isNetworkError, isTimeoutError } from 'ky';
import { ApiError, type ApiErrorCode } from './api-error.ts';

interface ApiClientConfig {
  getAccessToken: () => string | null;
  /**
   * Called once for all calls that were refused with 401 at the same time. Resolves with a new access token,
   * or with null after ending the session when there is none to be had.
   */
  renewAccessToken?: () => Promise<string | null>;
}

let config: ApiClientConfig = { getAccessToken: () => null };
let renewal: Promise<string | null> | undefined;

export function configureApiClient(next: ApiClientConfig): void {
  config = next;
  renewal = undefined;
}

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value };
type BodyPart<E extends Endpoint> = E['bodyKind'] extends 'multipart' ? { body: FormData } : Part<'body', BodyOf<E>>;
type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  BodyPart<E> & { signal?: AbortSignal };
type CallArguments<E extends Endpoint> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

interface LooseInput {
  params?: object;
  query?: object;
  body?: unknown;
  signal?: AbortSignal;
}

/** Calls one endpoint of the contract. Failures are thrown as `ApiError`; an aborted call rejects as the signal says. */
export async function callApi<E extends Endpoint>(endpoint: E, ...args: CallArguments<E>): Promise<ResponseOf<E>> {
  const input: LooseInput = args[0] ?? {};
  const token = config.getAccessToken();
  try {
    return await send<ResponseOf<E>>(endpoint, input, token);
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 401;
    if (!refused || token === null || endpoint.access === 'public') throw error;
    const renewed = await renewedToken(token);
    if (renewed === null) throw error;
    return send<ResponseOf<E>>(endpoint, input, renewed);
  }
}

async function renewedToken(refused: string): Promise<string | null> {
  const current = config.getAccessToken();
  // Another call renewed it while this one was on its way.
  if (current !== null && current !== refused) return current;
  if (!config.renewAccessToken) return null;
  renewal ??= config.renewAccessToken().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function send<Response>(endpoint: Endpoint, input: LooseInput, token: string | null): Promise<Response> {
  const { body, signal } = input;
  try {
    const text = await ky(fillPath(endpoint.path, input.params), {
      method: endpoint.method,
      baseUrl: window.location.origin,
      searchParams: { ...input.query },
      ...(body instanceof FormData ? { body } : body === undefined ? {} : { json: body }),
      headers: { Accept: 'application/json', Authorization: token === null ? undefined : `Bearer ${token}` },
      // Without the total, reading the body would get ten more seconds of its own.
      timeout: HTTP_TIMEOUT_MS,
      totalTimeout: HTTP_TIMEOUT_MS,
      retry: 0,
      signal,
    }).text();
    return endpoint.response === undefined ? (undefined as Response) : (JSON.parse(text) as Response);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toApiError(error);
  }
}

function fillPath(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  return path.replace(/:(\w+)/g, (_placeholder, name: string) => encodeURIComponent(String(values.get(name))));
}

const STATUS_CODES: Record<number, ApiErrorCode> = {
  400: 'malformed_request',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

function toApiError(error: unknown): ApiError {
  if (isTimeoutError(error)) return new ApiError({ code: 'timeout', cause: error });
  if (isNetworkError(error)) return new ApiError({ code: 'network_error', cause: error });
  // Such as an answer that is not JSON.
  if (!isHTTPError(error)) return new ApiError({ code: 'internal_error', cause: error });
  const { status } = error.response;
  const body: unknown = error.data;
  if (isErrorBody(body)) {
    const { code, detail, fields, request_id: requestId } = body;
    return new ApiError({ code, status, detail, fields, requestId, cause: error });
  }
  // A proxy or load balancer in front of the server answers in its own words.
  return new ApiError({ code: STATUS_CODES[status] ?? 'internal_error', status, cause: error });
}
