import { createHmac } from 'node:crypto';
import type { TestDatabase } from '@brand-portal/server/test/test-database.ts';
import { expect, test } from 'vitest';
import { deleteSecrets } from './keys.queries.ts';
import { Browser } from './test-support/browser.ts';
import { ANA, type RunningProvider, useRunningProvider } from './test-support/running-provider.ts';
import { authorizeUrl, obtainCode, redeem, signInFully, startSignIn, submitLogin, type Tokens } from './test-support/sign-in.ts';

async function everythingStored({ pool }: TestDatabase): Promise<string> {
  const { rows } = await pool.query<{ text: string }>('select to_jsonb(r)::text as text from embedded.idp_records r');
  return rows.map(({ text }) => text).join('\n');
}

async function readCookieKeys({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query("select value from embedded.idp_secrets where name = 'cookie_keys'");
  return rows[0].value.map(({ key }: { key: string }) => key);
}

/** A cookie forged by an attacker who has the provider's signing keys. */
function forge(name: string, value: string, key: string): string {
  const signature = createHmac('sha1', key).update(`${name}=${value}`).digest('base64url');
  return `${name}=${value}; ${name}.sig=${signature}`;
}

/** The result of a sign-in with `prompt=none` with these cookies. */
async function silentSignIn(provider: RunningProvider, cookie: string): Promise<string> {
  const url = authorizeUrl(provider, 'v'.repeat(43), { prompt: 'none' });
  const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

test('the database does not contain any token or cookie in plain text', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  const secrets: string[] = [];
  const { url } = await startSignIn(provider, browser);
  secrets.push(new URL(url).pathname.split('/').at(-1) ?? '', ...browser.cookieValues());
  // Unfinished: the password was right, but the browser has not followed the redirect yet.
  expect((await submitLogin(browser, url, ANA)).status).toBe(303);
  const halfWay = await everythingStored(provider.database);

  const code = await obtainCode(provider, browser);
  const tokens = (await (await redeem(provider, code)).json()) as Tokens;
  // With `prompt=login` the form knows the existing session.
  const again = await startSignIn(provider, browser, { prompt: 'login' });
  secrets.push(new URL(again.url).pathname.split('/').at(-1) ?? '', ...browser.cookieValues());
  secrets.push(code.code, tokens.access_token, tokens.refresh_token);
  const stored = halfWay + (await everythingStored(provider.database));

  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(stored).not.toContain(secret);
  }
  expect(stored).toContain('"Interaction"');
});

test('an attacker with a copy of the database and its cookie keys cannot take over a session', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  await signInFully(provider, browser);
  const [key = ''] = await readCookieKeys(provider.database);
  // Proves that the forgery itself works: with the session id from the member's own browser it opens their session.
  const own = forge('idp_session', browser.cookie('idp_session') ?? '', key);
  expect(await silentSignIn(provider, own)).toContain('/callback?code=');

  const stored = await everythingStored(provider.database);
  const words = new Set(stored.match(/[\w-]{20,}/g));
  expect(words.size).toBeGreaterThan(3);
  for (const word of words) {
    expect(await silentSignIn(provider, forge('idp_session', word, key)), word).toContain('error=login_required');
  }
});

test('after the keys were deleted, a restarted server refuses what the old ones signed, and everybody signs in again', async () => {
  const before = await useRunningProvider();
  const { database, publicUrl } = before;
  const browser = new Browser();
  await signInFully(before, browser);
  const [key = ''] = await readCookieKeys(database);
  await deleteSecrets(database.db);
  await before.stop();
  const after = await useRunningProvider({ database, publicUrl });
  expect(await readCookieKeys(database)).not.toContain(key);
  const forged = forge('idp_session', browser.cookie('idp_session') ?? '', key);
  expect(await silentSignIn(after, forged)).toContain('error=login_required');
  expect((await startSignIn(after, browser)).url).toContain('/idp/login/');
  expect((await signInFully(after, browser)).access_token).toBeTruthy();
});

test('cookie keys that an earlier version added still verify', async () => {
  const before = await useRunningProvider();
  const { database, publicUrl } = before;
  const browser = new Browser();
  await signInFully(before, browser);
  await database.pool.query(
    `update embedded.idp_secrets set value = '[{"key": "newer", "active_at": 0}]' || value where name = 'cookie_keys'`,
  );
  await before.stop();
  const after = await useRunningProvider({ database, publicUrl });
  expect((await startSignIn(after, browser)).url).toContain('/callback?code=');
});
