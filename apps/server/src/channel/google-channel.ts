import { JWT } from 'google-auth-library';
import { type Channel, ChannelRefused, type ChannelSession, ChannelUnavailable } from './channel.ts';
import type { Connection } from './connections.queries.ts';
import { productIdPrefix } from './connections.ts';
import { decryptCredentials } from './credentials.ts';
import { parseServiceAccount, type ServiceAccount } from './google-account.ts';
import { type Product, toAttributes, toJudgement } from './google-resources.ts';

/** "A recently updated product takes around 15 minutes to process", says Google's reference of `accounts.products.get`. */
export const GOOGLE_FIRST_CHECK_MS = 15 * 60_000;

/** The period of Google's quota. */
const QUOTA_MS = 100_000;
const SCOPE = 'https://www.googleapis.com/auth/manufacturercenter';
/** Wrong rights or a wrong account are for the operator to fix, not the member. Until then it is retried. */
const CONNECTION_ERROR_STATUSES = [401, 403, 404];
/** Google's maximum. */
const LIST_PAGE = 250;
const SECTIONS = 'include=ISSUES&include=DESTINATION_STATUSES';

export interface GoogleChannelOptions {
  readonly apiUrl: string;
  /** The installation's account, which is a data partner's. */
  readonly account: string;
  readonly credentials: ServiceAccount;
  /** For the credentials of brands' own accounts. */
  readonly encryptionKey?: Buffer | undefined;
  readonly firstCheckMs: number;
  readonly callsPer100Seconds: number;
  readonly deadlineMs?: number;
  /** The pause after a 429 without Retry-After. */
  readonly throttledPauseMs?: number;
}

/** Google's Manufacturer Center API v1, `accounts.products`. */
export function createGoogleChannel(options: GoogleChannelOptions): Channel {
  const { apiUrl, firstCheckMs, callsPer100Seconds, deadlineMs = 15_000, throttledPauseMs = 5_000 } = options;
  const accountOf = (connection: Connection) => connection.account ?? options.account;
  /** Cached by their credentials, so that tokens are reused, also by connections that share an account. */
  const clients = new Map<string, JWT>();

  const credentialsOf = ({ brand_id, credentials }: Connection): ServiceAccount => {
    if (!credentials) return options.credentials;
    const own = parseServiceAccount(decryptCredentials(options.encryptionKey, brand_id, credentials));
    if (!own) throw new Error(`The credentials of brand ${brand_id} are not those of a service account.`);
    return own;
  };

  const getClient = (account: ServiceAccount): JWT => {
    const client = clients.get(JSON.stringify(account)) ?? createClient(account, deadlineMs);
    clients.set(JSON.stringify(account), client);
    return client;
  };

  return {
    firstCheckMs,
    quota: { calls: callsPer100Seconds, perMs: QUOTA_MS },
    account: accountOf,
    resourcePrefix: (connection) => {
      const { countries, language } = connection;
      return `accounts/${accountOf(connection)}/products/${countries[0]}:${language}:${productIdPrefix(connection)}`;
    },
    owns: (connection, resource) => resource.startsWith(`accounts/${accountOf(connection)}/`),
    open: async (connection) => {
      const serviceAccount = credentialsOf(connection);
      const { token } = await getClient(serviceAccount)
        .getAccessToken()
        .catch((error: unknown) => {
          throw explainTokenError(error);
        });
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await request({ url: `${apiUrl}/v1/${path}`, method, token: String(token), body, deadlineMs });
        // The library would keep a revoked token until it expires.
        if (answer.status === 401) clients.delete(JSON.stringify(serviceAccount));
        return answer;
      };
      const parent = `accounts/${accountOf(connection)}/products`;
      return {
        send: async (resource, product) => {
          const answer = await call('PUT', resource, toAttributes(product, connection));
          if (isRejection(answer.status)) throw new ChannelRefused(messageOf(answer));
          throwFailure(answer, throttledPauseMs);
        },
        withdraw: async (resource) => {
          const answer = await call('DELETE', resource);
          if (answer.status !== 404) throwFailure(answer, throttledPauseMs);
        },
        check: async (resource) => {
          const answer = await call('GET', `${resource}?${SECTIONS}`);
          if (answer.status === 404) return { kind: 'missing' };
          throwFailure(answer, throttledPauseMs);
          return { kind: 'judged', ...toJudgement(answer.body as Product) };
        },
        list: async (pageToken) => {
          const token = pageToken ? `&pageToken=${encodeURIComponent(pageToken)}` : '';
          const answer = await call('GET', `${parent}?pageSize=${LIST_PAGE}&${SECTIONS}${token}`);
          throwFailure(answer, throttledPauseMs);
          const { products = [], nextPageToken } = answer.body as { products?: Product[]; nextPageToken?: string };
          const verdicts = new Map(products.map((product) => [`${parent}/${product.name}`, toJudgement(product)]));
          return { verdicts, nextPageToken };
        },
      } satisfies ChannelSession;
    },
  };
}

/** The library requests tokens from Google's own address. A key file may name another, as the emulator's does. */
function createClient({ client_email, private_key, token_uri }: ServiceAccount, deadlineMs: number): JWT {
  return new JWT({
    email: client_email,
    key: private_key,
    scopes: [SCOPE],
    additionalClaims: { aud: token_uri },
    transporterOptions: {
      timeout: deadlineMs,
      adapter: (request, send) => send({ ...request, url: new URL(token_uri) }),
    },
  });
}

/** If Google refuses the key itself, the operator must fix it. Other failures are temporary. */
function explainTokenError(error: unknown): unknown {
  const { message, status = 0 } = error as Error & { status?: number };
  const isRefused = [400, ...CONNECTION_ERROR_STATUSES].includes(status);
  if (!isRefused) return error;
  // The library's message is the answer's body, which may be empty.
  return new ChannelUnavailable(message || noMessage(status), { answered: true, isConnectionError: true });
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

interface Request {
  readonly url: string;
  readonly method: string;
  readonly token: string;
  readonly body: unknown;
  readonly deadlineMs: number;
}

/** There was no connection, so nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

async function request({ url, method, token, body, deadlineMs }: Request): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parse(text) };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const answered = NOT_SENT.includes(cause?.code ?? '');
    throw new ChannelUnavailable(`No answer: ${cause?.message || message}`, { answered });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Something is wrong with the product. The others are temporary, or for the operator to fix. */
function isRejection(status: number): boolean {
  return status >= 400 && status < 500 && ![...CONNECTION_ERROR_STATUSES, 408, 429].includes(status);
}

function messageOf({ status, body }: Answer): string {
  return (body as { error?: { message?: string } }).error?.message ?? noMessage(status);
}

const noMessage = (status: number) => `Google answered ${status}.`;

/** Seconds or a date (RFC 9110). Undefined if it is neither, or is over. */
function parseRetryAfter(text: string | null): number | undefined {
  const ms = /^\d+$/.test(text ?? '') ? Number(text) * 1_000 : Date.parse(text ?? '') - Date.now();
  return ms > 0 ? ms : undefined;
}

function throwFailure(answer: Answer, throttledPauseMs: number): void {
  const { status, retryAfter } = answer;
  if (status < 300) return;
  const retryAfterMs = parseRetryAfter(retryAfter) ?? throttledPauseMs;
  throw new ChannelUnavailable(messageOf(answer), {
    answered: true,
    pauseMs: status === 429 ? retryAfterMs : undefined,
    isConnectionError: CONNECTION_ERROR_STATUSES.includes(status),
  });
}
