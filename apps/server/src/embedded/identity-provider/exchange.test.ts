import { logIn } from '@brand-portal/contract/identity';
import { expect, test } from 'vitest';
import { type EmbeddedServer, useEmbeddedServer } from '../../../test/embedded-server.ts';
import { Browser } from './test-support/browser.ts';
import { ANA } from './test-support/running-provider.ts';
import { signInFully } from './test-support/sign-in.ts';

const exchange = ({ app }: EmbeddedServer, token: string, remoteAddress = '192.0.2.1') =>
  app.inject({ method: 'POST', url: logIn.path, body: { token }, remoteAddress });

test('strangers who use the limit of requests up keep nobody from signing in', async () => {
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

test('what cannot stand in a header is no token', async () => {
  const server = await useEmbeddedServer();
  for (const token of ['a\nb', 'ключ', 'a b', '\u0000']) {
    expect((await exchange(server, token)).statusCode).toBeLessThan(500);
  }
});
