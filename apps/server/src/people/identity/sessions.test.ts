import { randomBytes } from 'node:crypto';
import { getCurrentUser, getProviderUser, logIn, logOut, refreshAccessToken, syncUser } from '@brand-portal/contract/identity';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { json, useFakeProvider } from '../../../test/fake-provider.ts';
import { useOwnApp } from '../../../test/test-app.ts';
import { createSigningKeys, rotateSigningKey } from './signing-keys.ts';

const ada = {
  sub: 'auth0|ada',
  email: 'ada@example.com',
  email_verified: true,
  given_name: 'Ada',
  family_name: 'Byron',
};

async function useSignedIn() {
  const provider = await useFakeProvider(json(200, ada));
  const { app, database } = await useOwnApp({ identity: { domain: provider.domain, clientId: 'web' } });
  const post = (url: string, body: object, access?: string) =>
    app.inject({ method: 'POST', url, body, headers: access ? { authorization: `Bearer ${access}` } : {} });
  const get = (url: string, access: string) => app.inject({ url, headers: { authorization: `Bearer ${access}` } });
  const { access, refresh, user } = (await post(logIn.path, { token: 'opaque' })).json();
  return { app, database, provider, post, get, access, refresh, user };
}

// spec: §7 me
test('the access token is accepted as a sign-in, and valid for 15 minutes', async () => {
  const { get, access, user } = await useSignedIn();
  expect((await get(getCurrentUser.path, access)).json()).toEqual(user);
  const { iat = 0, exp = 0 } = decodeJwt(access);
  expect(exp - iat).toBe(15 * 60);
});

// spec: §7 provider user
test('the user’s profile at the provider is available', async () => {
  const { get, access } = await useSignedIn();
  expect((await get(getProviderUser.path, access)).json()).toEqual({
    sub: ada.sub,
    email: ada.email,
    email_verified: true,
    first_name: 'Ada',
    last_name: 'Byron',
  });
});

// spec: §7 token refresh
test('a refresh returns only a new access token, and the refresh token stays valid', async () => {
  const { post, get, refresh } = await useSignedIn();
  const answer = await post(refreshAccessToken.path, { refresh });
  expect(Object.keys(answer.json())).toEqual(['access']);
  expect((await get(getCurrentUser.path, answer.json().access)).statusCode).toBe(200);
  expect((await post(refreshAccessToken.path, { refresh })).statusCode).toBe(200);
});

test('many refreshes at once all succeed', async () => {
  const { post, refresh } = await useSignedIn();
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(refreshAccessToken.path, { refresh })));
  expect(answers.map((answer) => answer.statusCode)).toEqual(Array(10).fill(200));
});

test('logging out revokes the refresh token, and a second time changes nothing', async () => {
  const { post, refresh } = await useSignedIn();
  expect((await post(logOut.path, { refresh })).statusCode).toBe(204);
  const answer = await post(refreshAccessToken.path, { refresh });
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({ code: 'refresh_token_invalid' });
  expect((await post(logOut.path, { refresh })).statusCode).toBe(204);
  expect((await post(logOut.path, { refresh: 'never heard of' })).statusCode).toBe(204);
});

test('the provider token of an ended session cannot start another session, on any server', async () => {
  const { post, refresh, database, provider } = await useSignedIn();
  await post(logIn.path, { token: 'of another browser' });
  await post(logOut.path, { refresh });
  const { app: second } = await useOwnApp({
    db: database.db,
    identity: { domain: provider.domain, clientId: 'web' },
  });
  for (const exchange of [
    await post(logIn.path, { token: 'opaque' }),
    await second.inject({ method: 'POST', url: logIn.path, body: { token: 'opaque' } }),
  ]) {
    expect(exchange.statusCode).toBe(401);
    expect(exchange.json()).toMatchObject({ code: 'provider_token_rejected' });
  }
  expect((await post(logIn.path, { token: 'of another browser' })).statusCode).toBe(200);
});

test('a refresh token expires after 30 days', { tags: 'empty-installation' }, async () => {
  const { post, refresh, database } = await useSignedIn();
  const { rows } = await database.pool.query(
    'select round(extract(epoch from expires_at - created_at) / 86400)::int as days from sessions',
  );
  expect(rows).toEqual([{ days: 30 }]);
  await database.pool.query(`update sessions set expires_at = now() - interval '1 second'`);
  expect((await post(refreshAccessToken.path, { refresh })).statusCode).toBe(401);
});

describe('a rotation of the signing key', () => {
  const nextKeyActive = `update signing_keys set active_from = active_from - interval '3 minutes'`;

  test('signs nobody out, on running servers and on new ones', { tags: 'empty-installation' }, async () => {
    const { get, post, access, refresh, database } = await useSignedIn();
    const oldKey = decodeProtectedHeader(access).kid;
    await rotateSigningKey(database.db);
    const waiting = (await post(refreshAccessToken.path, { refresh })).json();
    expect(decodeProtectedHeader(waiting.access).kid).toBe(oldKey);

    await database.pool.query(nextKeyActive);
    const { app: second } = await useOwnApp({ database });
    const renewed = (await second.inject({ method: 'POST', url: refreshAccessToken.path, body: { refresh } })).json();
    expect(decodeProtectedHeader(renewed.access).kid).not.toBe(oldKey);
    const old = await second.inject({ url: getCurrentUser.path, headers: { authorization: `Bearer ${access}` } });
    expect(old.statusCode).toBe(200);
    expect((await get(getCurrentUser.path, access)).statusCode).toBe(200);
  });

  test('deletes keys that were replaced more than a day ago, and no others', async () => {
    const { database } = await useSignedIn();
    const countKeys = async () => (await database.pool.query('select count(*)::int as keys from signing_keys')).rows[0].keys;
    await rotateSigningKey(database.db);
    expect(await countKeys()).toBe(2);
    await database.pool.query(`update signing_keys set active_from = active_from - interval '2 days'`);
    await rotateSigningKey(database.db);
    expect(await countKeys()).toBe(2);
  });
});

test('servers that start together on an empty database agree on one key', async () => {
  const { database } = await useSignedIn();
  await database.pool.query('delete from signing_keys');
  const keys = await Promise.all(Array.from({ length: 6 }, () => createSigningKeys(database.db).current()));
  expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
});

test.each([
  ['no token', undefined],
  ['another scheme', 'Basic YWRhOmFkYQ=='],
  ['garbage', 'Bearer garbage'],
  ['an unsigned token', `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.`.replaceAll('=', '')],
])('%s is refused as signed out', async (_name, authorization) => {
  const { app } = await useSignedIn();
  const answer = await app.inject({ url: getCurrentUser.path, headers: authorization ? { authorization } : {} });
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({ code: 'unauthenticated' });
});

test.each([
  ['a foreign secret', {}, undefined],
  ['a foreign audience', { aud: 'another-api' }, 'ours'],
  ['a foreign issuer', { iss: 'somebody' }, 'ours'],
  ['an expired token', { exp: Math.floor(Date.now() / 1000) - 10 }, 'ours'],
])('a forged or stale token (%s) is refused', { tags: 'empty-installation' }, async (_name, claims, secret) => {
  const { get, database, user } = await useSignedIn();
  const { rows } = await database.pool.query<{ id: string; secret: Buffer }>('select id, secret from signing_keys');
  const key = rows[0];
  const token = await new SignJWT({ iss: 'brand-portal', aud: 'brand-portal-api', sub: String(user.id), ...claims })
    .setProtectedHeader({ alg: 'HS256', kid: key?.id ?? '' })
    .setExpirationTime('exp' in claims ? claims.exp : '5 minutes')
    .sign((secret && key?.secret) || randomBytes(32));
  const answer = await get(getCurrentUser.path, token);
  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toMatchObject({ code: 'unauthenticated' });
});

test('a user who was removed is signed out', async () => {
  const { get, access, database } = await useSignedIn();
  await database.pool.query('delete from users');
  expect((await get(getCurrentUser.path, access)).statusCode).toBe(401);
});

// spec: §7 sync
test('sync copies the names from the provider', async () => {
  const { post, provider, access, user } = await useSignedIn();
  provider.answerWith(json(200, { ...ada, given_name: 'Augusta Ada' }));
  const answer = await post(syncUser.path, { token: 'fresh' }, access);
  expect(answer.json()).toEqual({ ...user, first_name: 'Augusta Ada' });
});

test('sync refuses the token of another user, and a caller without a session', async () => {
  const { post, provider, access } = await useSignedIn();
  expect((await post(syncUser.path, { token: 'fresh' })).statusCode).toBe(401);
  provider.answerWith(json(200, { ...ada, sub: 'auth0|eve', email: 'eve@example.com' }));
  const answer = await post(syncUser.path, { token: 'of eve' }, access);
  expect(answer.json()).toMatchObject({ code: 'provider_token_rejected' });
});
