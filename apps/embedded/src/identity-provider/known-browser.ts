import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The cookie by which a browser shows that an account signed in with it before. It lets nobody in; its guesses are counted apart. */
export const KNOWN_BROWSER_COOKIE = 'idp_known';

/**
 * Signed with the hash of the password: good for this account only, and a new password makes every browser unknown, also those of
 * somebody who knew the old one.
 */
export function makeKnownBrowser(passwordHash: string, id = randomBytes(16).toString('base64url')): string {
  return `${id}.${sign(id, passwordHash)}`;
}

/** The id of the browser, where it is known to this account. */
export function readKnownBrowser(cookie: string | undefined, passwordHash: string): string | undefined {
  const [, id = '', signature = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (!id) return undefined;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id, passwordHash))) ? id : undefined;
}

function sign(id: string, passwordHash: string): string {
  return createHmac('sha256', passwordHash).update(id).digest('base64url');
}
