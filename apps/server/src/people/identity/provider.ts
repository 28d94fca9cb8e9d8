import { createHash } from 'node:crypto';
import { MAX_PERSON_NAME_LENGTH } from '@brand-portal/contract/constants';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { AppError } from '../../lib/errors.ts';
import { singleLine } from '../../mail/single-line.ts';

/** The person that the identity provider names for a token. */
export interface ProviderProfile {
  readonly subject: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The provider's session of the token. Embedded provider only. */
  readonly providerSession?: string | undefined;
}

export interface Provider {
  /** Refuses tokens that the provider does not accept, and people whose e-mail is not verified. */
  verify(token: string): Promise<ProviderProfile>;
}

export interface ProviderOptions {
  /** `tenant.auth0.com`, or a URL. Empty: sign-in is not configured. */
  readonly domain: string;
  readonly audience?: string | undefined;
  readonly deadlineMs?: number;
  /** Embedded provider only: called directly and without a cache, because there is no network call. */
  readonly askUserInfo?: ((token: string) => Promise<Response>) | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

const DEADLINE_MS = 5_000;
const CACHE_MS = 15_000;
const MAX_REMEMBERED_TOKENS = 10_000;

interface Verdict {
  readonly profile: Promise<ProviderProfile>;
  readonly until: number;
}

/**
 * Without an audience Auth0's access tokens are opaque, so they are checked at `/userinfo`. Its rate limit is about 5 calls a minute and
 * user, so results are cached for a short time, and concurrent calls for one token share one request.
 */
export function createProvider({ domain, audience, deadlineMs = DEADLINE_MS, askUserInfo }: ProviderOptions): Provider {
  if (!domain) return { verify: () => Promise.reject(notConfigured()) };
  const baseUrl = domain.includes('://') ? domain : `https://${domain}`;
  const verdicts = new BoundedMap<string, Verdict>(MAX_REMEMBERED_TOKENS);
  const jwks = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), { timeoutDuration: deadlineMs });

  const askOverNetwork = (token: string) =>
    fetch(`${baseUrl}/userinfo`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
  const readUserInfo = (token: string) => claimsOf((askUserInfo ?? askOverNetwork)(token), deadlineMs);

  async function readClaims(token: string): Promise<Claims> {
    // Other characters are not allowed in a header.
    if (!/^[\x20-\x7e]+$/.test(token)) throw rejected();
    if (!audience) return readUserInfo(token);
    const payload = await verifyJwt(token, jwks, { issuer: `${baseUrl}/`, audience });
    // Such a token has the e-mail only if the tenant adds it. Otherwise /userinfo returns it.
    return 'email' in payload ? payload : readUserInfo(token);
  }

  return {
    verify: (token) => {
      if (askUserInfo) return readClaims(token).then((claims) => ({ ...toProfile(claims), ...sessionOf(claims) }));
      const key = createHash('sha256').update(token).digest('base64');
      const known = verdicts.get(key);
      if (known && known.until > performance.now()) return known.profile;
      const profile = readClaims(token).then(toProfile);
      verdicts.set(key, { profile, until: performance.now() + CACHE_MS });
      // Failures are not cached: an outage ends, and an e-mail may be verified a moment later.
      profile.catch(() => verdicts.delete(key));
      return profile;
    },
  };
}

async function claimsOf(asking: Promise<Response>, deadlineMs: number): Promise<Claims> {
  const unavailable = (reason: string) =>
    new AppError('provider_unavailable', `The identity provider cannot be reached at the moment (${reason}).`);
  const late = () => unavailable(`no answer within ${deadlineMs / 1000} s`);
  try {
    const response = await withDeadline(asking, deadlineMs, late);
    if (response.status === 400 || response.status === 401 || response.status === 403) throw rejected();
    if (!response.ok) throw unavailable(`it answered ${response.status}`);
    return (await withDeadline(response.json(), deadlineMs, late)) as Claims;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw error instanceof DOMException ? late() : unavailable('no connection');
  }
}

async function verifyJwt(
  token: string,
  jwks: ReturnType<typeof createRemoteJWKSet>,
  expected: { issuer: string; audience: string },
): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, jwks, { ...expected, algorithms: ['RS256', 'PS256', 'ES256'] });
    return payload;
  } catch (error) {
    const keysOutOfReach = error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError);
    if (!keysOutOfReach && error.code !== 'ERR_JOSE_GENERIC') throw rejected();
    throw new AppError('provider_unavailable', "The identity provider's keys cannot be read at the moment.");
  }
}

function toProfile(claims: Claims): ProviderProfile {
  const { sub, email, email_verified: verified, given_name: firstName, family_name: lastName } = claims;
  if (typeof sub !== 'string' || sub === '') throw rejected();
  if (typeof email !== 'string' || verified !== true) {
    throw new AppError('email_not_verified', 'Please verify your e-mail address at the sign-in provider first.');
  }
  return { subject: sub, email, firstName: nameOf(firstName), lastName: nameOf(lastName) };
}

function sessionOf({ session }: Claims): { providerSession?: string } {
  return typeof session === 'string' ? { providerSession: session } : {};
}

/** As names that are entered here (`toPersonName`), and only what the database can store. */
function nameOf(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  return singleLine(claim.toWellFormed()).slice(0, MAX_PERSON_NAME_LENGTH).toWellFormed();
}

function rejected(): AppError {
  return new AppError('provider_token_rejected', 'The identity provider does not accept this token.');
}

function notConfigured(): AppError {
  return new AppError('provider_unavailable', 'No identity provider is configured.');
}
