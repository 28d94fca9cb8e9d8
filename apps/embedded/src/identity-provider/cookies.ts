import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The provider's path below the portal's URL. */
export const MOUNT_PATH = '/idp';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Cookies of the provider's own pages. The library handles those of the protocol. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1);
}

/** A Set-Cookie header for a year, inaccessible to scripts and other sites. */
export function persistentCookie(name: string, value: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=${MOUNT_PATH}; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** Marks a browser that has signed in to an account before. It gives no access; its guesses are counted separately. */
export const KNOWN_BROWSER_COOKIE = 'idp_known';

/**
 * Signed with the password hash. So it is valid for this account only, and a new password makes every browser unknown, including one of an
 * attacker who knew the old password.
 */
export function makeKnownBrowser(passwordHash: string, id = randomBytes(16).toString('base64url')): string {
  return `${id}.${sign(id, passwordHash)}`;
}

/** The id of the browser if it is known to this account. */
export function readKnownBrowser(cookie: string | undefined, passwordHash: string): string | undefined {
  const [, id = '', signature = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (!id) return undefined;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id, passwordHash))) ? id : undefined;
}

function sign(id: string, passwordHash: string): string {
  return createHmac('sha256', passwordHash).update(id).digest('base64url');
}
