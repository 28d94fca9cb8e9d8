import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StartupError } from '../lib/errors.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a brand's credentials: initialization vector, tag, cipher text. The brand id is authenticated, so they are useless in another
 * brand's row.
 */
export function encryptCredentials(key: Buffer, brandId: number, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(String(brandId)));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

export function decryptCredentials(key: Buffer | undefined, brandId: number, sealed: Buffer): string {
  if (!key) throw new StartupError("CHANNEL_ENCRYPTION_KEY is not set, and a brand's own credentials need it.");
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(String(brandId)))
      .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new StartupError(`CHANNEL_ENCRYPTION_KEY is not the one that the credentials of brand ${brandId} were encrypted with.`);
  }
}
