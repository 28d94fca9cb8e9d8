import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import type { AcceptedOf, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '@brand-portal/contract/endpoint';
import { PIECES_TYPE } from '@brand-portal/contract/exports';
import { ApiError } from './api-error.ts';
import { errorFromResponse } from './api-failure.ts';
import { transfer } from './api-transfer.ts';

interface ApiClientConfig {
  getAccessToken: () => string | null;
  /**
   * Called once for all calls that got a 401 at the same time. Resolves with a new access token, or with null if the
   * session could not be renewed and was ended.
   */
  renewAccessToken?: () => Promise<string | null>;
  /** Called when the server refuses an access token that was just renewed. */
  onTokenRefused?: (accessToken: string) => void;
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
type BodyPart<E extends Endpoint> = E['bodyKind'] extends 'multipart'
  ? { body: FormData; onProgress?: (sent: number) => void }
  : Part<'body', BodyOf<E>>;
/** A GET always has a body. Other calls may be answered without one. */
type JsonAnswer<E extends Endpoint> = E['method'] extends 'GET' ? ResponseOf<E> : ResponseOf<E> | undefined;
type Answer<E extends Endpoint> = E['responseKind'] extends 'file'
  ? Blob
  : [AcceptedOf<E>] extends [never]
    ? JsonAnswer<E>
    : ResponseOf<E> | AcceptedOf<E>;
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  BodyPart<E> & { signal?: AbortSignal; headers?: Record<string, string> };
type CallArguments<E extends Endpoint> = Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

interface LooseInput {
  params?: object;
  query?: object;
  body?: unknown;
  signal?: AbortSignal;
  /** In addition to those of every call. */
  headers?: Record<string, string>;
  /** The uploaded fraction of the body, from 0 to 1. */
  onProgress?: (sent: number) => void;
}

/** Calls one endpoint of the contract. Failures are thrown as `ApiError`; an aborted call rejects with the signal's reason. */
export async function callApi<E extends Endpoint>(endpoint: E, ...args: CallArguments<E>): Promise<Answer<E>> {
  return withToken(endpoint, args[0] ?? {}, (input, token) => send<Answer<E>>(endpoint, input, token));
}

/** The same for a file that is streamed: resolves when the response headers have arrived. */
export async function openDownload<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
  return withToken(endpoint, input, (input, token) => sendForStream(endpoint, input, token));
}

/** Retries once with a new token if the old one was refused. */
async function withToken<Answer>(
  endpoint: Endpoint,
  input: LooseInput,
  attempt: (input: LooseInput, token: string | null) => Promise<Answer>,
): Promise<Answer> {
  const token = config.getAccessToken();
  try {
    return await attempt(input, token);
  } catch (error) {
    const refused = error instanceof ApiError && error.status === 401;
    if (!refused || token === null || endpoint.access === 'public') throw error;
    const renewed = await renewedToken(token);
    if (renewed === null) throw error;
    return attemptOnceMore(renewed, () => attempt(input, renewed));
  }
}

async function attemptOnceMore<Answer>(renewed: string, attempt: () => Promise<Answer>): Promise<Answer> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') config.onTokenRefused?.(renewed);
    throw error;
  }
}

async function renewedToken(refused: string): Promise<string | null> {
  const current = config.getAccessToken();
  // Another call renewed the token while this one was waiting for its answer.
  if (current !== null && current !== refused) return current;
  if (!config.renewAccessToken) return null;
  renewal ??= config.renewAccessToken().finally(() => {
    renewal = undefined;
  });
  return renewal;
}

async function send<Response>(endpoint: Endpoint, input: LooseInput, token: string | null): Promise<Response> {
  try {
    const carriesFile = input.body instanceof FormData || endpoint.responseKind === 'file';
    return (await (carriesFile ? sendFile : sendJson)(endpoint, input, token)) as Response;
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw toApiError(error);
  }
}

async function sendJson(endpoint: Endpoint, input: LooseInput, token: string | null): Promise<unknown> {
  const text = await request(endpoint, input, token, (response) => response.text());
  const isEmpty = endpoint.response === undefined || (text === '' && endpoint.method !== 'GET');
  return isEmpty ? undefined : JSON.parse(text);
}

/** The timeout includes reading the answer. */
async function request<Answer>(
  endpoint: Endpoint,
  { params, query, body, headers, signal }: LooseInput,
  token: string | null,
  read: (response: Response) => Answer | Promise<Answer>,
): Promise<Answer> {
  const timeout = new AbortController();
  const url = new URL(withQuery(fillPath(endpoint.path, params), query), window.location.origin);
  const options = {
    method: endpoint.method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headersOf(endpoint, token), ...headers },
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
  };
  const timer = setTimeout(() => timeout.abort(new ApiError({ code: 'timeout' })), HTTP_TIMEOUT_MS);
  try {
    const response = await fetch(url, options);
    if (!response.ok) throw errorFromResponse(response.status, parsed(await response.text().catch(() => '')));
    return await read(response);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ApiError) throw error;
    // Chrome and Safari reject the reading of a body without the signal's reason.
    timeout.signal.throwIfAborted();
    // What `fetch` throws without an answer, and when the body breaks off.
    if (error instanceof TypeError) throw new ApiError({ code: 'network_error', cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Uploads a form with a file, or downloads a file. */
async function sendFile(endpoint: Endpoint, input: LooseInput, token: string | null): Promise<unknown> {
  const { status, body } = await transfer({
    method: endpoint.method,
    path: withQuery(fillPath(endpoint.path, input.params), input.query),
    headers: { ...headersOf(endpoint, token), ...input.headers },
    body: input.body instanceof FormData ? input.body : undefined,
    signal: input.signal,
    onProgress: input.onProgress,
  });
  if (status >= 400) throw errorFromResponse(status, parsed(await body.text()));
  return endpoint.responseKind === 'file' ? body : JSON.parse(await body.text());
}

async function sendForStream(endpoint: Endpoint, input: LooseInput, token: string | null): Promise<Response> {
  try {
    const headers = { Accept: PIECES_TYPE, ...input.headers };
    return await request(endpoint, { ...input, headers }, token, (response) => response);
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw toApiError(error);
  }
}

function withQuery(path: string, query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

function headersOf(endpoint: Endpoint, token: string | null): Record<string, string> {
  return {
    Accept: endpoint.responseKind === 'file' ? (endpoint.fileTypes ?? ['text/csv']).join() : 'application/json',
    // The server's messages about a file's rows are shown unchanged, so they must be in the user's language.
    'Accept-Language': document.documentElement.lang,
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fillPath(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  return path.replace(/:(\w+)/g, (_placeholder, name: string) => encodeURIComponent(String(values.get(name))));
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // For example an answer that is not JSON.
  return new ApiError({ code: 'internal_error', cause: error });
}
