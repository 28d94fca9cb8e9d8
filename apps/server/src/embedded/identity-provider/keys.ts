import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWKS } from 'oidc-provider';
import type { Db } from '../../db/database.ts';
import { deleteSecrets, findSecret, insertSecretUnlessPresent, pushSecret } from './keys.queries.ts';

const SIGNING_KEYS = 'signing_keys';
const COOKIE_KEYS = 'cookie_keys';
const REREAD_AFTER_MS = 60_000;

export interface ProviderKeys {
  readonly jwks: JWKS;
  readonly cookieKeys: string[];
}

/** The keys of this installation, made on its first start and the same for every process. */
export async function loadKeys(db: Db): Promise<ProviderKeys> {
  const [jwks, cookieKeys] = await Promise.all([
    findOrMake<JWKS>(db, SIGNING_KEYS, makeSigningKeys),
    loadCookieKeys(db),
  ]);
  return { jwks, cookieKeys };
}

/** Call it before each request: every process follows a rotation within a minute. */
export function followCookieKeys(db: Db, use: (keys: string[]) => void): () => Promise<void> {
  let readAt = performance.now();
  return async () => {
    if (performance.now() - readAt < REREAD_AFTER_MS) return;
    readAt = performance.now();
    use(await loadCookieKeys(db));
  };
}

/** What the key before signed stays valid until the next rotation, so that nobody is signed out. */
export function rotateCookieKey(db: Db): Promise<void> {
  return pushSecret(db, COOKIE_KEYS, makeCookieKey());
}

/** After a theft. Servers make new keys when they miss them: for cookies within a minute, for ID tokens at their next start. */
export function revokeProviderKeys(db: Db): Promise<void> {
  return deleteSecrets(db);
}

/** The first one signs. */
function loadCookieKeys(db: Db): Promise<string[]> {
  return findOrMake<string[]>(db, COOKIE_KEYS, async () => [makeCookieKey()]);
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

/** RS256: the only signature that Auth0's browser SDK accepts. */
async function makeSigningKeys(): Promise<JWKS> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const kid = randomBytes(8).toString('base64url');
  return { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] };
}
