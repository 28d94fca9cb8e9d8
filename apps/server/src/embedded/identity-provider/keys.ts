import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWKS } from 'oidc-provider';
import type { Db } from '../../db/database.ts';
import { findSecret, insertSecretUnlessPresent } from './keys.queries.ts';

export interface ProviderKeys {
  readonly jwks: JWKS;
  readonly cookieKeys: string[];
}

/** The keys of this installation, made on its first start and the same for every process ever after. */
export async function loadKeys(db: Db): Promise<ProviderKeys> {
  const [jwks, cookieKeys] = await Promise.all([
    findOrMake<JWKS>(db, 'signing_keys', makeSigningKeys),
    findOrMake<string[]>(db, 'cookie_keys', async () => [randomBytes(32).toString('base64url')]),
  ]);
  return { jwks, cookieKeys };
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
