import { randomBytes } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWKS } from 'oidc-provider';
import { findSecret, insertSecretUnlessPresent } from './keys.queries.ts';

export interface ProviderKeys {
  readonly jwks: JWKS;
  readonly cookieKeys: string[];
}

/** The keys of this installation, created on its first start and shared by all processes. */
export async function loadKeys(db: Db): Promise<ProviderKeys> {
  const jwks = await findOrMake(db, 'signing_keys', makeSigningKeys);
  // The first one signs, all of them verify. An earlier version could add keys.
  const cookieKeys = await findOrMake(db, 'cookie_keys', async () => [{ key: randomBytes(32).toString('base64url') }]);
  return { jwks, cookieKeys: cookieKeys.map(({ key }) => key) };
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
