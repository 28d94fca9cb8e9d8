import { randomBytes } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWKS } from 'oidc-provider';
import { deleteSecrets, findSecret, insertSecretUnlessPresent, updateSecret } from './keys.queries.ts';

const SIGNING_KEYS = 'signing_keys';
const COOKIE_KEYS = 'cookie_keys';
const REREAD_AFTER_MS = 60_000;
/** By then every process has read the new key, so none gets a cookie that it cannot verify. */
const ACTIVE_AFTER_MS = 2 * REREAD_AFTER_MS;
/** As long as a session: a cookie is signed again only when its browser sends a request. */
const REPLACED_KEY_TTL_MS = 30 * 24 * 60 * 60 * 1000;

interface CookieKey {
  readonly key: string;
  /** When it starts signing, in milliseconds since 1970. */
  readonly active_at: number;
}

export interface ProviderKeys {
  readonly jwks: JWKS;
  readonly cookieKeys: string[];
}

/** The keys of this installation, created on its first start and shared by all processes. */
export async function loadKeys(db: Db): Promise<ProviderKeys> {
  const [jwks, cookieKeys] = await Promise.all([findOrMake<JWKS>(db, SIGNING_KEYS, makeSigningKeys), loadCookieKeys(db)]);
  return { jwks, cookieKeys };
}

/** Call it before each request. Every process sees a rotation within a minute. */
export function watchCookieKeys(db: Db, use: (keys: string[]) => void): () => Promise<void> {
  let readAt = performance.now();
  return async () => {
    if (performance.now() - readAt < REREAD_AFTER_MS) return;
    readAt = performance.now();
    use(await loadCookieKeys(db));
  };
}

/** The new key signs after two minutes. Cookies signed by older keys stay valid for 30 days, so that nobody is signed out. */
export function rotateCookieKey(db: Db): Promise<void> {
  const now = Date.now();
  return updateSecret<CookieKey[]>(db, COOKIE_KEYS, (keys) => {
    const replaced = keys.map((_key, index) => keys[index - 1]?.active_at ?? now);
    const kept = keys.filter((_key, index) => (replaced[index] ?? now) > now - REPLACED_KEY_TTL_MS);
    return [{ key: makeCookieKey(), active_at: now + ACTIVE_AFTER_MS }, ...kept];
  });
}

/** After a theft. Servers create new keys when these are missing: for cookies within a minute, for ID tokens at their next start. */
export function revokeProviderKeys(db: Db): Promise<void> {
  return deleteSecrets(db);
}

/** The first one signs, all of them verify. Stored from newest to oldest. */
async function loadCookieKeys(db: Db): Promise<string[]> {
  const keys = await findOrMake<CookieKey[]>(db, COOKIE_KEYS, async () => [{ key: makeCookieKey(), active_at: 0 }]);
  const now = Date.now();
  const isActive = ({ active_at }: CookieKey) => active_at <= now;
  return [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))].map(({ key }) => key);
}

function makeCookieKey(): string {
  return randomBytes(32).toString('base64url');
}

async function findOrMake<T>(db: Db, name: string, make: () => Promise<T>): Promise<T> {
  const found = await findSecret(db, name);
  if (found !== undefined) return found as T;
  await insertSecretUnlessPresent(db, name, await make());
  return (await findSecret(db, name)) as T;
}

/** RS256: the only algorithm that Auth0's browser SDK accepts. */
async function makeSigningKeys(): Promise<JWKS> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const kid = randomBytes(8).toString('base64url');
  return { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] };
}
