import { logIn } from '@brand-portal/contract/identity';
import { expect, test, vi } from 'vitest';
import { type FakeProvider, json, useFakeProvider } from '../../../test/fake-provider.ts';
import { useOwnApp } from '../../../test/test-app.ts';
import { WAITING_FOR_LOCK } from '../../../test/test-database.ts';
import { inTransaction } from '../../db/database.ts';
import { getOrCreateUser } from './users.ts';

const ada = {
  sub: 'auth0|ada',
  email: 'Ada@example.com',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Byron',
};

async function useApp(provider: FakeProvider, audience?: string) {
  const { app, database } = await useOwnApp({ identity: { domain: provider.domain, clientId: 'web', audience } });
  const exchange = (token: string) => app.inject({ method: 'POST', url: logIn.path, body: { token } });
  return { app, database, exchange };
}

// spec: §1 identity provider, §3 user, §7 login
test('a provider token is exchanged for our own tokens and the user', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange, database } = await useApp(provider);
  const answer = await exchange('opaque');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    access: expect.stringMatching(/^ey/),
    refresh: expect.stringMatching(/^[\w-]{43}$/),
    user: { id: expect.any(Number), first_name: 'Ada', last_name: 'Byron', email: 'Ada@example.com' },
  });
  const { rows } = await database.pool.query('select encode(refresh_hash, $1) as hash from sessions', ['hex']);
  expect(JSON.stringify(rows)).not.toContain(answer.json().refresh);
});

test('signing in again finds the same user, whatever the case of the e-mail', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider);
  const first = (await exchange('one')).json().user.id;
  provider.answerWith(json(200, { ...ada, sub: 'google|ada', email: 'ada@EXAMPLE.com' }));
  expect((await exchange('two')).json().user.id).toBe(first);
});

test('an address that Unicode folds into another one is not that person, and cannot sign in', {
  tags: 'empty-installation',
}, async () => {
  const provider = await useFakeProvider(json(200, { ...ada, email: 'ceo@bigcorp.example' }));
  const { exchange, database } = await useApp(provider);
  const ceo = (await exchange('one')).json().user;
  for (const email of ['ceo@b\u0130gcorp.example', 'ceo@bigcorp.e\u212aample', '\uff43eo@bigcorp.example']) {
    provider.answerWith(json(200, { ...ada, sub: `google|${email}`, email }));
    const answer = await exchange(`token of ${provider.calls()}`);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'email_not_supported' });
  }
  const { rows } = await database.pool.query('select id from users');
  expect(rows).toEqual([{ id: ceo.id }]);
});

test('an existing member whose address would be refused today can still sign in', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider);
  const { user } = (await exchange('one')).json();
  provider.answerWith(json(200, { ...ada, email: 'stra\u00dfe@example.com' }));
  const again = await exchange('two');
  expect(again.statusCode).toBe(200);
  expect(again.json().user).toMatchObject({ id: user.id, email: user.email });
});

test.each(['\u0130', '\u212a', '\u017f'])('the unique index distinguishes %j from the letter it folds into', async (letter) => {
  const { database } = await useApp(await useFakeProvider(json(200, ada)));
  const insert = (email: string) => database.pool.query('insert into users (email) values ($1)', [email]);
  const plain = letter.normalize('NFKD').toLowerCase().charAt(0);
  await insert(`${plain}@example.com`);
  await insert(`${letter}@example.com`);
  await expect(insert(`${plain.toUpperCase()}@EXAMPLE.com`)).rejects.toThrow('users_email_key');
});

test('someone whose e-mail changed at the provider stays the same user', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider);
  const first = (await exchange('one')).json().user;
  provider.answerWith(json(200, { ...ada, email: 'countess@example.com' }));
  expect((await exchange('two')).json().user).toEqual({ ...first, email: 'countess@example.com' });
});

test('names are stored without control characters and marks of text directions, and cut at 150 characters', async () => {
  const names = { given_name: '\0Ada\r\nBcc:\u202e\u2028x', family_name: `${'x'.repeat(149)}😀` };
  const provider = await useFakeProvider(json(200, { ...ada, ...names }));
  const { exchange } = await useApp(provider);
  expect((await exchange('one')).json().user).toMatchObject({
    first_name: 'Ada Bcc: x',
    last_name: `${'x'.repeat(149)}\ufffd`,
  });
});

test.each(['bp_1a2b3c4d', 'deleted-7', `${'a'.repeat(250)}@example.org`, 'a\0@example.org'])(
  'an e-mail that is no address (%s) is not stored',
  async (email) => {
    const provider = await useFakeProvider(json(200, ada));
    const { exchange } = await useApp(provider);
    const { user } = (await exchange('one')).json();
    provider.answerWith(json(200, { ...ada, email }));
    expect((await exchange('two')).json().user).toEqual(user);
    provider.answerWith(json(200, { ...ada, sub: 'auth0|eve', email }));
    expect((await exchange('three')).json()).toMatchObject({ code: 'email_not_supported' });
  },
);

test('an e-mail that another user already has is not taken over', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider);
  await exchange('ada');
  provider.answerWith(json(200, { ...ada, sub: 'auth0|eve', email: 'eve@example.com' }));
  const eve = (await exchange('eve')).json().user;
  provider.answerWith(json(200, { ...ada, sub: 'auth0|eve' }));
  expect((await exchange('eve again')).json().user).toEqual(eve);
});

test('concurrent first sign-ins of one person create one user', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => exchange(`token-${index}`)));
  expect(answers.map((answer) => answer.statusCode)).toEqual(Array(8).fill(200));
  expect(new Set(answers.map((answer) => answer.json().user.id)).size).toBe(1);
});

test('a first sign-in during an uncommitted invitation is linked to the invited user', {
  tags: 'empty-installation',
}, async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange, database } = await useApp(provider);
  const { db, pool } = database;
  const { invited, signIn } = await inTransaction(db, async (db) => {
    const invited = await getOrCreateUser(db, { email: ada.email, first_name: '', last_name: '' });
    const signIn = exchange('opaque');
    await vi.waitFor(async () => {
      expect((await pool.query(WAITING_FOR_LOCK)).rows).toHaveLength(1);
    }, 10_000);
    return { invited, signIn };
  });
  expect((await signIn).json()).toMatchObject({ user: { id: invited.id, first_name: 'Ada' } });
  const { rows } = await pool.query('select provider_subject from users');
  expect(rows).toEqual([{ provider_subject: ada.sub }]);
});

test('concurrent exchanges of one token call the provider once', async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider);
  await Promise.all(Array.from({ length: 12 }, () => exchange('same')));
  await exchange('same');
  expect(provider.calls()).toBe(1);
});

test.each([
  ['an unverified e-mail', json(200, { ...ada, email_verified: false }), 403, 'email_not_verified'],
  ['an e-mail whose verified flag is a string', json(200, { ...ada, email_verified: 'true' }), 403, 'email_not_verified'],
  ['no e-mail at all', json(200, { sub: 'auth0|ada' }), 403, 'email_not_verified'],
  ['no subject', json(200, { email: ada.email, email_verified: true }), 401, 'provider_token_rejected'],
  ['a token the provider refuses', json(401, { error: 'invalid_token' }), 401, 'provider_token_rejected'],
  ['a provider that throttles us', json(429, {}), 503, 'provider_unavailable'],
  ['a provider that fails', json(500, {}), 503, 'provider_unavailable'],
])('%s is answered with its own status and code', async (_name, providerAnswer, status, code) => {
  const { exchange } = await useApp(await useFakeProvider(providerAnswer));
  const answer = await exchange('opaque');
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ code, detail: expect.any(String) });
});

test('an answer that is not JSON counts as an outage of the provider', async () => {
  const provider = await useFakeProvider((_request, response) => response.end('<html>'));
  const { exchange } = await useApp(provider);
  expect((await exchange('opaque')).json()).toMatchObject({ code: 'provider_unavailable' });
});

test('a redirect of the provider is not followed, so that the token is not sent elsewhere', async () => {
  const provider = await useFakeProvider((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
  );
  const { exchange } = await useApp(provider);
  expect((await exchange('opaque')).json()).toMatchObject({ code: 'provider_unavailable' });
});

test('an outage is not cached: the next attempt works', async () => {
  const provider = await useFakeProvider(json(500, {}));
  const { exchange } = await useApp(provider);
  expect((await exchange('opaque')).statusCode).toBe(503);
  provider.answerWith(json(200, ada));
  expect((await exchange('opaque')).statusCode).toBe(200);
});

test('with an audience the token is checked by its signature, without asking the provider', {
  tags: 'empty-installation',
}, async () => {
  const provider = await useFakeProvider(json(500, {}));
  const { exchange } = await useApp(provider, 'https://api.example');
  expect((await exchange(await provider.sign(ada))).json()).toMatchObject({ user: { email: ada.email } });
  expect(provider.calls()).toBe(0);
});

test('a signed token without an e-mail is completed at the provider', { tags: 'empty-installation' }, async () => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider, 'https://api.example');
  expect((await exchange(await provider.sign({ sub: ada.sub }))).json()).toMatchObject({ user: { email: ada.email } });
});

test.each([
  ['a foreign audience', { audience: 'https://other.example' }],
  ['a foreign issuer', { issuer: 'https://evil.example/' }],
  ['an expired token', { expires: '-1 minute' }],
])('with an audience, %s is refused', async (_name, options) => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider, 'https://api.example');
  const answer = await exchange(await provider.sign(ada, options));
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({ code: 'provider_token_rejected' });
});

test.each(['garbage', 'a.b.c', `${'x'.repeat(8000)}`])('with an audience, garbage is refused', async (token) => {
  const provider = await useFakeProvider(json(200, ada));
  const { exchange } = await useApp(provider, 'https://api.example');
  expect((await exchange(token)).json()).toMatchObject({ code: 'provider_token_rejected' });
});

test('a token signed with a key that is not the provider’s is refused', async () => {
  const [provider, other] = await Promise.all([useFakeProvider(json(200, ada)), useFakeProvider(json(200, ada))]);
  const { exchange } = await useApp(provider, 'https://api.example');
  const forged = await other.sign(ada, { issuer: `${provider.domain}/` });
  expect((await exchange(forged)).json()).toMatchObject({ code: 'provider_token_rejected' });
});

test('a sign-in is in the audit log, with its origin and without secrets', { tags: 'empty-installation' }, async () => {
  const { exchange, database } = await useApp(await useFakeProvider(json(200, ada)));
  const { access, refresh, user } = (await exchange('opaque-token')).json();
  const { rows } = await database.pool.query('select brand_id, user_id, action, details from audit_log');
  expect(rows).toEqual([{ brand_id: 0, user_id: user.id, action: 'user.signed_in', details: { address: '127.0.0.1' } }]);
  for (const secret of ['opaque-token', access, refresh]) expect(JSON.stringify(rows)).not.toContain(secret);
});

test('the language that someone signs in with is remembered for their mails', {
  tags: 'empty-installation',
}, async () => {
  const { app, database } = await useApp(await useFakeProvider(json(200, ada)));
  const signIn = (language: string) =>
    app.inject({
      method: 'POST',
      url: logIn.path,
      body: { token: 'opaque' },
      headers: { 'accept-language': language },
    });
  for (const language of ['es', 'en']) {
    await signIn(language);
    expect((await database.pool.query('select language from users')).rows).toEqual([{ language }]);
  }
});
