import { logIn, logOut, logOutEverywhere, refreshAccessToken } from '@brand-portal/contract/identity';
import { expect, test } from 'vitest';
import { type EmbeddedServer, useEmbeddedServer } from '../../test/embedded-server.ts';
import { Browser } from './test-support/browser.ts';
import { ANA } from './test-support/running-provider.ts';
import { refresh, signInFully, startSignIn, type Tokens, userinfo } from './test-support/sign-in.ts';

const exchange = ({ app }: EmbeddedServer, token: string, remoteAddress = '192.0.2.1') =>
  app.inject({ method: 'POST', url: logIn.path, body: { token }, remoteAddress });

test('strangers who use up the rate limit do not block others from signing in', async () => {
  const server = await useEmbeddedServer({ config: { requestsPerMinute: 30 } });
  const { access_token } = await signInFully(server, new Browser());
  for (let stranger = 1; stranger <= 30; stranger++) {
    const answer = await exchange(server, `guess-${stranger}`, `198.51.100.${stranger}`);
    expect(answer.json()).toMatchObject({ code: 'provider_token_rejected' });
  }
  const answer = await exchange(server, access_token);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ user: { email: ANA.email } });
});

test('a token that a header cannot carry is refused', async () => {
  const server = await useEmbeddedServer();
  for (const token of ['a\nb', 'ключ', 'a b', '\u0000']) {
    const answer = await exchange(server, token);
    const code = token === '\u0000' ? 'validation_failed' : 'provider_token_rejected';
    expect(answer.json(), token).toMatchObject({ code });
  }
});

const rejected = { code: 'provider_token_rejected' };

test('after signing out at the provider its token is not exchanged any more, not even for a moment', async () => {
  const server = await useEmbeddedServer();
  const browser = new Browser();
  const { access_token } = await signInFully(server, browser);
  expect((await exchange(server, access_token)).statusCode).toBe(200);
  await browser.send(`${server.idp.domain}/v2/logout?returnTo=${encodeURIComponent(server.publicUrl)}`);
  const answer = await exchange(server, access_token);
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject(rejected);
});

test('signing out of the portal ends the session at the embedded provider with all its tokens, and no other one', async () => {
  const server = await useEmbeddedServer();
  const [browser, other] = [new Browser(), new Browser()];
  const tokens = await signInFully(server, browser);
  const elsewhere = await signInFully(server, other);
  const session = (await exchange(server, tokens.access_token)).json();
  await exchange(server, elsewhere.access_token);
  const renewed = (await (await refresh(server, tokens.refresh_token)).json()) as Tokens;

  await server.app.inject({ method: 'POST', url: logOut.path, body: { refresh: session.refresh } });
  for (const token of [tokens.access_token, renewed.access_token]) {
    expect((await exchange(server, token)).json()).toMatchObject(rejected);
  }
  expect((await refresh(server, renewed.refresh_token)).status).toBe(400);
  expect((await startSignIn(server, browser)).url).toContain('/idp/login/');

  expect((await exchange(server, elsewhere.access_token)).statusCode).toBe(200);
  expect((await userinfo(server, elsewhere.access_token)).status).toBe(200);
  expect((await startSignIn(server, other)).url).toContain('/callback?code=');
});

test('signing out everywhere ends every session of the member, here and at the embedded provider, and nobody else’s', async () => {
  const server = await useEmbeddedServer();
  const bea = { ...ANA, email: 'bea@example.org' };
  await server.idp.createAccount({ ...bea, email_verified: true });
  const [laptop, phone, others] = [new Browser(), new Browser(), new Browser()];
  const sessions = [];
  for (const [browser, account] of [
    [laptop, ANA],
    [phone, ANA],
    [others, bea],
  ] as const) {
    const tokens = await signInFully(server, browser, account);
    sessions.push({ ...tokens, ...(await exchange(server, tokens.access_token)).json() });
  }
  const headers = { authorization: `Bearer ${sessions[0].access}` };
  const answer = await server.app.inject({ method: 'POST', url: logOutEverywhere.path, headers });
  expect(answer.statusCode).toBe(204);

  const states = [];
  for (const { refresh: ours, refresh_token, access_token } of sessions) {
    const renewal = await server.app.inject({ method: 'POST', url: refreshAccessToken.path, body: { refresh: ours } });
    states.push([renewal.statusCode, (await exchange(server, access_token)).statusCode, (await refresh(server, refresh_token)).status]);
  }
  expect(states).toEqual([
    [401, 401, 400],
    [401, 401, 400],
    [200, 200, 200],
  ]);
  expect((await startSignIn(server, phone)).url).toContain('/idp/login/');
  expect((await startSignIn(server, others)).url).toContain('/callback?code=');
});
