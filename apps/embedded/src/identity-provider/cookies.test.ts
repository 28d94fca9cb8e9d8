import { expect, test } from 'vitest';
import { persistentCookie, readCookie } from './cookies.ts';

test('a cookie of the pages is HttpOnly and SameSite, and Secure on https', () => {
  const http = persistentCookie('idp_known', 'x', 'http://localhost:3000');
  expect(http).toMatch(/^idp_known=x; Path=\/idp; .*HttpOnly; SameSite=Lax$/);
  expect(persistentCookie('idp_known', 'x', 'https://portal.example')).toMatch(/; Secure$/);
});

test('a cookie is found by its whole name', () => {
  const header = 'not_idp_known=1; idp_known=a.b=c;idp_known2=2';
  expect(readCookie(header, 'idp_known')).toBe('a.b=c');
  expect(readCookie(header, 'idp_know')).toBeUndefined();
  expect(readCookie(undefined, 'idp_known')).toBeUndefined();
});
