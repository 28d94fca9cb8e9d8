import { createHash, randomBytes } from 'node:crypto';

/** The secret of a session or an invitation. It is sent once; only its hash is stored. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** 32 random bytes cannot be guessed from their hash: one round of SHA-256 is enough, no slow password hash is needed. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
