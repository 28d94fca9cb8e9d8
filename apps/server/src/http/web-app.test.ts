import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PAGE_PATHS } from '@brand-portal/contract/pages';
import { expect, test } from 'vitest';
import { useOwnApp, useTestApp } from '../../test/test-app.ts';

const html = { accept: 'text/html,application/xhtml+xml' };

test.each(PAGE_PATHS)('%s answers with the page', async (path) => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: path.replace(':id', '7'), headers: html });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('the template of the page is never served as a file', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: '/index.html', headers: html });
  expect(answer.body).toContain('<title>Brand Portal</title>');
  expect(answer.body).not.toContain('__');
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('an unknown address shows the page to a person, with a 404', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: '/no/such/screen', headers: html });
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain('<title>Brand Portal</title>');
});

test.each(['/assets/gone.js', '/favicon.ico'])('a missing file (%s) is an error, not the page', async (url) => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url, headers: html });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'not_found' });
});

test('each page has its own nonce in its policy, and inline code without it is not allowed', async () => {
  const { app } = await useTestApp();
  const [first, second] = await Promise.all([app.inject('/login'), app.inject('/login')]);
  const nonceOf = (body: string) => /nonce="([^"]+)"/.exec(body)?.[1] ?? '';
  expect(nonceOf(first.body)).not.toBe(nonceOf(second.body));
  const policy = String(first.headers['content-security-policy']);
  expect(policy).toContain(`script-src 'self' 'nonce-${nonceOf(first.body)}'`);
  expect(policy).not.toContain('unsafe-inline');
});

test('the page is compressed if the client accepts that', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: '/login', headers: { ...html, 'accept-encoding': 'br, gzip' } });
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(answer.headers.vary).toContain('accept-encoding');
  expect(gunzipSync(answer.rawPayload).toString()).toContain('<title>Brand Portal</title>');
});

test('the runtime configuration cannot break out of its script block', async () => {
  const { app } = await useOwnApp({ config: { supportEmail: '</script><script>alert(1)</script>' } });
  const { body } = await app.inject('/login');
  const block = /<script type="application\/json" id="runtime-config">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
  expect(JSON.parse(block)).toMatchObject({ support_email: '</script><script>alert(1)</script>' });
});

test('built files are cached as immutable, and compressed if the client accepts that', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject({ url: '/assets/main-fixture.js', headers: { 'accept-encoding': 'br, gzip' } });
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(answer.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(answer.rawPayload).toString()).toContain('fixture');
});
