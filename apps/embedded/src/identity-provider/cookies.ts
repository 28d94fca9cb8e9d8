import { MOUNT_PATH } from './mount-path.ts';

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
