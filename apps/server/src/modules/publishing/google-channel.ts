import { JWT } from 'google-auth-library';
import { type Channel, ChannelRefused, type ChannelSession, ChannelUnavailable } from './channel.ts';
import type { ServiceAccount } from './google-account.ts';
import { type Judged, toAttributes, toProductCertification, toVerdict } from './google-resources.ts';

/** "A recently updated product takes around 15 minutes to process", says Google's reference of `accounts.products.get`. */
export const GOOGLE_FIRST_CHECK_MS = 15 * 60_000;

/** The time that Google counts calls in. */
const QUOTA_MS = 100_000;
const SCOPE = 'https://www.googleapis.com/auth/manufacturercenter';
/** Wrong rights or a wrong account are mended by the operator, not by the member: until then it is tried again. */
const FOR_THE_OPERATOR = [401, 403, 404, 408];

export interface GoogleChannelOptions {
  readonly apiUrl: string;
  readonly account: string;
  readonly kind: 'brand_owner' | 'certification_body';
  readonly country: string;
  readonly language: string;
  readonly credentials: ServiceAccount;
  readonly firstCheckMs: number;
  readonly callsPer100Seconds: number;
  readonly deadlineMs?: number;
  /** After a 429 that names no time itself. */
  readonly throttledPauseMs?: number;
}

/** Google's Manufacturer Center API v1. */
export function createGoogleChannel(options: GoogleChannelOptions): Channel {
  const {
    apiUrl,
    account,
    kind,
    country,
    language,
    firstCheckMs,
    callsPer100Seconds,
    deadlineMs = 15_000,
    throttledPauseMs = 5_000,
  } = options;
  const isOwner = kind === 'brand_owner';
  let client = createClient(options.credentials, deadlineMs);
  return {
    resourcePrefix: isOwner
      ? `accounts/${account}/products/${country}:${language}:`
      : `accounts/${account}/languages/${language}/productCertifications/`,
    needsCertificate: !isOwner,
    firstCheckMs,
    quota: { calls: callsPer100Seconds, perMs: QUOTA_MS },
    owns: (resource) => resource.startsWith(`accounts/${account}/`),
    authorize: async () => {
      const { token } = await client.getAccessToken();
      const call = async (method: string, path: string, body?: unknown) => {
        const answer = await request({ url: `${apiUrl}/v1/${path}`, method, token: String(token), body, deadlineMs });
        // A token that was revoked is not replaced until the library believes that it has expired.
        if (answer.status === 401) client = createClient(options.credentials, deadlineMs);
        return answer;
      };
      return {
        send: async (resource, product) => {
          const [method, body] = isOwner
            ? ['PUT', toAttributes(product)]
            : ['PATCH', toProductCertification(resource, product)];
          throwFailure(await call(String(method), resource, body), throttledPauseMs);
        },
        withdraw: async (resource) => {
          const answer = await call('DELETE', resource);
          if (answer.status !== 404) throwFailure(answer, throttledPauseMs);
        },
        check: async (resource) => {
          const sections = isOwner ? '?include=ISSUES&include=DESTINATION_STATUSES' : '';
          const answer = await call('GET', resource + sections);
          if (answer.status === 404) return { kind: 'missing' };
          throwFailure(answer, throttledPauseMs);
          return toVerdict(answer.body as Judged);
        },
      } satisfies ChannelSession;
    },
  };
}

/** The library asks Google's own address for tokens; a key file may name another one, and the emulator's does. */
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
    // A connection that was refused has carried nothing.
    const answered = cause?.code === 'ECONNREFUSED';
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

function throwFailure({ status, retryAfter, body }: Answer, throttledPauseMs: number): void {
  if (status < 300) return;
  const told = (body as { error?: { message?: string } }).error?.message;
  const message = told ?? `Google answered ${status}.`;
  if (status === 429) {
    const pauseMs = Number(retryAfter) > 0 ? Number(retryAfter) * 1000 : throttledPauseMs;
    throw new ChannelUnavailable(message, { answered: true, pauseMs });
  }
  if (status >= 500 || FOR_THE_OPERATOR.includes(status)) throw new ChannelUnavailable(message, { answered: true });
  throw new ChannelRefused(message);
}
