import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where the provider lies below the portal's own address. */
export const MOUNT_PATH = '/idp';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Of the provider's own pages; those of the protocol are the library's. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((part) => part.trimStart().startsWith(`${name}=`));
  return pair?.trim().slice(name.length + 1);
}

/** A line that has the browser keep it for a year, out of reach of scripts and of other sites. */
export function lastingCookie(name: string, value: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=${MOUNT_PATH}; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

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
