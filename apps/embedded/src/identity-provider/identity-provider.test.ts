// @module-tag empty-installation
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { tables } from '../db/tables.ts';
import { Browser } from './test-support/browser.ts';
import { ANA, ANA_INVITED, PASSWORD, useRunningProvider } from './test-support/running-provider.ts';
import {
  authorizeUrl,
  obtainCode,
  redeem,
  refresh,
  requestTokens,
  signInFully,
  startSignIn,
  submitLogin,
  type Tokens,
  userinfo,
} from './test-support/sign-in.ts';

test('signing in gives tokens that name the person, can be refreshed, and end with the session', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  const result = await obtainCode(provider, browser);
  expect(result.state).toBe('the-state');
  const answer = await redeem(provider, result);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(provider.publicUrl);
  const tokens = (await answer.json()) as Tokens;

  const keys = createRemoteJWKSet(new URL(`${provider.idp.domain}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(tokens.id_token, keys, {
    issuer: `${provider.idp.domain}/`,
    audience: provider.idp.clientId,
    algorithms: ['RS256'],
  });
  expect(payload).toMatchObject({
    email: ANA.email,
    email_verified: true,
    name: 'Ana Ruiz',
    given_name: 'Ana',
    family_name: 'Ruiz',
    nonce: 'the-nonce',
  });
  const info = await userinfo(provider, tokens.access_token);
  expect(await info.json()).toEqual({
    sub: payload.sub,
    email: ANA.email,
    email_verified: true,
    name: 'Ana Ruiz',
    given_name: 'Ana',
    family_name: 'Ruiz',
    session: expect.any(String),
  });

  const refreshed = (await (await refresh(provider, tokens.refresh_token)).json()) as Tokens;
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  expect((await userinfo(provider, refreshed.access_token)).status).toBe(200);

  const logout = await browser.send(
    `${provider.idp.domain}/v2/logout?client_id=brand-portal-web&returnTo=${encodeURIComponent(provider.publicUrl)}`,
  );
  expect(logout.status).toBe(302);
  expect(logout.headers.get('location')).toBe(provider.publicUrl);
  expect(logout.headers.getSetCookie().join('\n')).toMatch(/idp_session=;.*expires=Thu, 01 Jan 1970/);
  expect((await userinfo(provider, refreshed.access_token)).status).toBe(401);
  expect((await refresh(provider, refreshed.refresh_token)).status).toBe(400);
  expect((await startSignIn(provider, browser)).url).toContain('/idp/login/');
});

test('a session signs its person in again without asking', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  await signInFully(provider, browser);
  const again = await startSignIn(provider, browser);
  expect(again.url).toContain('/callback?code=');
  const silent = await startSignIn(provider, browser, { prompt: 'none' });
  expect(silent.url).toContain('/callback?code=');
});

test('silent sign-in without a session answers login_required to the callback', async () => {
  const provider = await useRunningProvider();
  const { url } = await startSignIn(provider, new Browser(), { prompt: 'none' });
  expect(url).toMatch(/\/callback\?error=login_required/);
  expect(new URL(url).searchParams.get('state')).toBe('the-state');
});

test('cookies are HttpOnly and SameSite, and limited to the path of the provider', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  const start = await browser.send(authorizeUrl(provider, 'v'.repeat(43)));
  const cookies = start.headers.getSetCookie();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/httponly/i);
    expect(cookie).toMatch(/samesite=lax/i);
    expect(cookie).toMatch(/path=\/idp\//i);
    expect(cookie).not.toMatch(/; secure/i);
  }
});

test('of several redemptions of one code at the same time exactly one succeeds', async () => {
  const provider = await useRunningProvider();
  const code = await obtainCode(provider, new Browser());
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => redeem(provider, code)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400]);
  for (const answer of answers.filter(({ status }) => status === 400)) {
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
  }
});

test('a code can only be redeemed with the verifier of its request', async () => {
  const provider = await useRunningProvider();
  const { code } = await obtainCode(provider, new Browser());
  const answer = await redeem(provider, { code, verifier: 'x'.repeat(43) });
  expect(answer.status).toBe(400);
});

test('tabs that refresh together with one token all succeed, and their grant survives', async () => {
  const provider = await useRunningProvider();
  const tokens = await signInFully(provider, new Browser());
  const answers = await Promise.all([1, 2, 3].map(() => refresh(provider, tokens.refresh_token)));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
  for (const answer of answers) {
    const { access_token, refresh_token } = (await answer.json()) as Tokens;
    expect((await userinfo(provider, access_token)).status).toBe(200);
    expect((await refresh(provider, refresh_token)).status).toBe(200);
  }
});

test('a refresh token that is reused after the leeway revokes its whole grant', async () => {
  const provider = await useRunningProvider();
  const tokens = await signInFully(provider, new Browser());
  const next = (await (await refresh(provider, tokens.refresh_token)).json()) as Tokens;
  await provider.database.pool.query(`update embedded.idp_records set consumed_at = consumed_at - interval '31 seconds'`);
  const replay = await refresh(provider, tokens.refresh_token);
  expect(replay.status).toBe(400);
  expect(await replay.json()).toMatchObject({ error: 'invalid_grant' });
  expect((await refresh(provider, next.refresh_token)).status).toBe(400);
  expect((await userinfo(provider, next.access_token)).status).toBe(401);
});

test('the tokens themselves are not in the database', async () => {
  const provider = await useRunningProvider();
  const tokens = await signInFully(provider, new Browser());
  const { rows } = await provider.database.pool.query<{ text: string }>('select id || payload::text as text from embedded.idp_records');
  const stored = rows.map(({ text }) => text).join('\n');
  expect(stored).not.toContain(tokens.access_token);
  expect(stored).not.toContain(tokens.refresh_token);
});

test('a restart signs nobody out: tokens, refresh and single sign-on still work', async () => {
  const before = await useRunningProvider();
  const browser = new Browser();
  const tokens = await signInFully(before, browser);
  await before.stop();
  const after = await useRunningProvider({ database: before.database, publicUrl: before.publicUrl });
  const keys = createRemoteJWKSet(new URL(`${after.idp.domain}/.well-known/jwks.json`));
  await jwtVerify(tokens.id_token, keys);
  expect((await userinfo(after, tokens.access_token)).status).toBe(200);
  expect((await refresh(after, tokens.refresh_token)).status).toBe(200);
  expect((await startSignIn(after, browser)).url).toContain('/callback?code=');
});

test('two processes that start together use the same keys', async () => {
  const first = await useRunningProvider();
  await first.database.pool.query('delete from embedded.idp_secrets');
  const [one, two] = await Promise.all([
    useRunningProvider({ database: first.database }),
    useRunningProvider({ database: first.database }),
  ]);
  const jwks = await Promise.all([one, two].map(async ({ idp }) => (await fetch(`${idp.domain}/.well-known/jwks.json`)).json()));
  expect(jwks[0]).toEqual(jwks[1]);
  expect(JSON.stringify(jwks[0])).not.toContain('"d"');
});

test('a session whose account was deleted leads to the login page, where someone else can sign in', async () => {
  const provider = await useRunningProvider();
  await provider.idp.createAccount({ ...ANA, email: 'bea@example.org', email_verified: true });
  const browser = new Browser();
  const tokens = await signInFully(provider, browser);
  await provider.database.pool.query('delete from embedded.idp_accounts where email = $1', [ANA.email]);

  expect((await startSignIn(provider, browser, { prompt: 'none' })).url).toContain('error=login_required');
  expect((await userinfo(provider, tokens.access_token)).status).toBe(401);
  expect((await refresh(provider, tokens.refresh_token)).status).toBe(400);
  const others = await signInFully(provider, browser, { email: 'bea@example.org', password: PASSWORD });
  expect(await (await userinfo(provider, others.access_token)).json()).toMatchObject({ email: 'bea@example.org' });
});

test('signing in as someone else in the same browser ends the first session', async () => {
  const provider = await useRunningProvider();
  await provider.idp.createAccount({ ...ANA, email: 'bea@example.org', email_verified: true });
  const browser = new Browser();
  const tokens = await signInFully(provider, browser);
  const bea = { email: 'bea@example.org', password: PASSWORD };
  const code = await obtainCode(provider, browser, bea, { prompt: 'login' });
  const others = (await (await redeem(provider, code)).json()) as Tokens;
  expect(await (await userinfo(provider, others.access_token)).json()).toMatchObject({ email: bea.email });
  expect((await userinfo(provider, tokens.access_token)).status).toBe(401);
});

test('an account that is not verified is reported as such', async () => {
  const provider = await useRunningProvider();
  const carla = { ...ANA, email: 'carla@example.org' };
  await provider.idp.createAccount({ ...carla, email_verified: false });
  const tokens = await signInFully(provider, new Browser(), carla);
  expect(await (await userinfo(provider, tokens.access_token)).json()).toMatchObject({ email_verified: false });
  await provider.database.pool.query('update embedded.idp_accounts set email_verified = true');
  expect(await (await userinfo(provider, tokens.access_token)).json()).toMatchObject({ email_verified: true });
});

test('only the registered callback may receive a code', async () => {
  const provider = await useRunningProvider();
  const { answer, url } = await startSignIn(provider, new Browser(), { redirect_uri: 'https://evil.example/callback' });
  expect(answer.status).toBe(400);
  expect(url).toContain('/idp/authorize');
  const page = await answer.text();
  expect(page).toContain('Sign-in could not be completed');
  expect(page).toContain('href="/login"');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('a page of another origin may not ask for tokens', async () => {
  const provider = await useRunningProvider();
  const code = await obtainCode(provider, new Browser());
  const answer = await fetch(`${provider.idp.domain}/oauth/token`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: provider.idp.clientId, code: code.code }),
  });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});

test('an unknown client gets nothing', async () => {
  const provider = await useRunningProvider();
  const { answer } = await startSignIn(provider, new Browser(), { client_id: 'someone-else' });
  expect(answer.status).toBe(400);
  const token = await requestTokens(provider, {
    client_id: 'someone-else',
    grant_type: 'refresh_token',
    refresh_token: 'x',
  });
  expect(token.status).toBe(401);
});

test('signing out leads only to the portal itself; elsewhere is refused and ends nothing', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  const tokens = await signInFully(provider, browser);
  for (const elsewhere of ['https://evil.example/', `${provider.publicUrl}.evil.example/`, '//evil.example', 'javascript:1']) {
    const refused = await browser.send(`${provider.idp.domain}/v2/logout?client_id=x&returnTo=${encodeURIComponent(elsewhere)}`);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('location')).toBeNull();
  }
  expect((await userinfo(provider, tokens.access_token)).status).toBe(200);
  const home = await browser.send(`${provider.idp.domain}/v2/logout`);
  expect(home.headers.get('location')).toBe(provider.publicUrl);
  expect((await userinfo(provider, tokens.access_token)).status).toBe(401);
});

test('a new password signs out everywhere', async () => {
  const provider = await useRunningProvider();
  const tokens = await signInFully(provider, new Browser());
  await provider.idp.createOrUpdateUser({ ...ANA_INVITED, password: 'Another-horse-2' });
  expect((await userinfo(provider, tokens.access_token)).status).toBe(401);
  const browser = new Browser();
  const { url } = await startSignIn(provider, browser);
  expect((await submitLogin(browser, url, ANA)).status).toBe(400);
  const newTokens = await signInFully(provider, browser, { email: ANA.email, password: 'Another-horse-2' });
  expect((await userinfo(provider, newTokens.access_token)).status).toBe(200);
});

test('creating an account again changes nothing, even with two concurrent calls', async () => {
  const provider = await useRunningProvider();
  const again = await provider.idp.createAccount({
    ...ANA,
    email: 'Ana@Example.org',
    password: 'Other-1!',
    email_verified: false,
  });
  expect(again.created).toBe(false);
  await signInFully(provider, new Browser());
  const dora = { ...ANA, email: 'dora@example.org', email_verified: true };
  const both = await Promise.all([provider.idp.createAccount(dora), provider.idp.createAccount(dora)]);
  expect(both.map(({ created }) => created).sort()).toEqual([false, true]);
  expect(both[0].subject).toBe(both[1].subject);
});

test('an address that Unicode folds into another one does not open that account', async () => {
  const provider = await useRunningProvider();
  const kim = { ...ANA, email: 'kim@example.org', email_verified: true };
  await provider.idp.createAccount(kim);
  const kelvin = '\u212aim@example.org';
  await expect(provider.idp.createAccount({ ...kim, email: kelvin })).rejects.toMatchObject({
    code: 'email_not_supported',
  });
  const browser = new Browser();
  const { url } = await startSignIn(provider, browser);
  expect((await submitLogin(browser, url, { email: kelvin, password: kim.password })).status).toBe(400);
  expect((await submitLogin(browser, url, { ...kim, email: 'KIM@Example.org', email_verified: '' })).status).toBe(303);
});

test('purging removes what has expired and nothing else', async () => {
  const provider = await useRunningProvider();
  const browser = new Browser();
  const tokens = await signInFully(provider, browser);
  await provider.idp.purgeExpired();
  expect(await provider.idp.purgeExpired()).toBe(0);
  const { rowCount } = await provider.database.pool.query(
    `update embedded.idp_records set expires_at = now() - interval '1 second' where model = 'AuthorizationCode'`,
  );
  await provider.database.pool.query(
    `insert into embedded.idp_attempts values ('past', 3, null, now() - interval '1 second'), ('present', 3, null, now() + interval '1 minute')`,
  );
  expect(rowCount).toBe(1);
  expect(await provider.idp.purgeExpired()).toBe(2);
  expect((await userinfo(provider, tokens.access_token)).status).toBe(200);
  expect((await startSignIn(provider, browser)).url).toContain('/callback?code=');
});

test('an invited person gets an account, and a second call only changes its password', async () => {
  const { idp, database } = await useRunningProvider();
  const luis = { email: 'luis@example.com', password: 'Correct.horse7', firstName: 'Luis', lastName: 'Vega' };
  const findLuis = () =>
    tables(database.db).selectFrom('idp_accounts').selectAll().where('email', '=', luis.email).executeTakeFirstOrThrow();
  const { subject } = await idp.createOrUpdateUser(luis);
  await database.pool.query('update embedded.idp_accounts set email_verified = false');
  const before = await findLuis();

  expect(await idp.createOrUpdateUser({ ...luis, password: 'Another.one8' })).toEqual({ subject });
  const after = await findLuis();
  expect(after).toMatchObject({ subject, first_name: 'Luis', last_name: 'Vega', email_verified: true });
  expect(after.password_hash).not.toBe(before.password_hash);
});
