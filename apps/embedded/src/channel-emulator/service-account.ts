import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '@brand-portal/server/db/database.ts';
import { jwtVerify, SignJWT } from 'jose';
import { findOrInsertSecret } from './channel-emulator.queries.ts';

/** One service account per account of the emulator. All have the same key. */
const emailOf = (account: string) => `account-${account}@channel-emulator.example`;
const ACCOUNT = /^account-(\d{1,20})@channel-emulator\.example$/;
const SCOPE = 'https://www.googleapis.com/auth/manufacturercenter';
const LIFETIME_SECONDS = 3_600;

export interface EmulatedAccount {
  /** The content of Google's key file, for a service account with access to this account only. */
  credentialsFor(account: string): Credentials;
  /** Like Google's token endpoint. Throws if the assertion is not signed with our key. */
  exchange(assertion: string): Promise<{ access_token: string; expires_in: number; token_type: 'Bearer' }>;
  /** The account of the token. Throws if the token was not issued here. */
  verify(token: string): Promise<string>;
}

export interface Credentials {
  readonly client_email: string;
  readonly private_key: string;
  readonly token_uri: string;
}

/** A service account whose key is created once and stored in the database, so that all servers accept each other's tokens. */
export async function createEmulatedAccount(db: Db, tokenUri: string): Promise<EmulatedAccount> {
  const privateKey = await findOrInsertSecret(db, 'private_key', makePrivateKey);
  const secret = Buffer.from(await findOrInsertSecret(db, 'token_secret', async () => randomBytes(32).toString('base64')), 'base64');
  const publicKey = createPublicKey(createPrivateKey(privateKey));
  return {
    credentialsFor: (account) => ({ client_email: emailOf(account), private_key: privateKey, token_uri: tokenUri }),
    exchange: async (assertion) => {
      const { payload } = await jwtVerify(assertion, publicKey, { audience: tokenUri });
      if (![payload.scope].flat().includes(SCOPE)) throw new Error('The scope is missing');
      const access_token = await new SignJWT({ scope: SCOPE })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(accountOf(payload.iss))
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .sign(secret);
      return { access_token, expires_in: LIFETIME_SECONDS, token_type: 'Bearer' };
    },
    verify: async (token) => {
      const { payload } = await jwtVerify(token, secret);
      return payload.sub ?? '';
    },
  };
}

function accountOf(issuer: string | undefined): string {
  const account = ACCOUNT.exec(issuer ?? '')?.[1];
  if (!account) throw new Error('The service account is unknown');
  return account;
}

async function makePrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
