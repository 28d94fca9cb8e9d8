import { useErrorHandler } from '@brand-portal/server/http/error-handler.ts';
import { useEmulator } from '@brand-portal/server/modules/publishing/test-support/delivery.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import fastify from 'fastify';
import { importPKCS8, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerSwitchRoutes } from './switch-routes.ts';

const SCOPE = 'https://www.googleapis.com/auth/manufacturercenter';
const PRODUCT = { gtin: ['4006381333931'], title: 'Oil', brand: 'Acme', productType: ['Food'], certification: [] };
const PRODUCTS = 'accounts/1/products';

interface Answered {
  products?: { productId: string }[];
  nextPageToken?: string;
  destinationStatuses?: { status: string }[];
  issues?: unknown[];
}

async function useCaller() {
  const database = await useTestDatabase();
  const { emulator, turn } = await useEmulator(database);
  const { client_email, private_key, token_uri } = emulator.credentials;
  const askToken = async (claims: { scope?: string; aud?: string } = {}) => {
    const assertion = await new SignJWT({ scope: SCOPE, aud: token_uri, ...claims })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(client_email)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await importPKCS8(private_key, 'RS256'));
    const answer = await fetch(token_uri, { method: 'POST', body: new URLSearchParams({ assertion }) });
    return { status: answer.status, body: (await answer.json()) as { access_token?: string; error?: string } };
  };
  const { access_token: token = '' } = (await askToken()).body;
  const call = async (method: string, path: string, body?: unknown, bearer = token) => {
    const answer = await fetch(`${emulator.apiUrl}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: (await answer.json()) as Answered };
  };
  return { emulator, turn, call, askToken };
}

describe('the emulated channel', () => {
  test('keeps products: put, get, list in pages, delete', async () => {
    const { call } = await useCaller();
    for (const id of ['a', 'b', 'c']) {
      expect(await call('PUT', `${PRODUCTS}/US:en:${id}`, PRODUCT)).toEqual({ status: 200, body: {} });
    }
    expect((await call('GET', `${PRODUCTS}/US:en:a`)).body).toEqual({
      ...{ parent: 'accounts/1', name: 'US:en:a', targetCountry: 'US', contentLanguage: 'en', productId: 'a' },
      ...{ attributes: PRODUCT, issues: [], destinationStatuses: [{ destination: 'Shopping', status: 'ACTIVE' }] },
    });
    const first = (await call('GET', `${PRODUCTS}?pageSize=2`)).body;
    expect(first.products?.map(({ productId }) => productId)).toEqual(['a', 'b']);
    const second = (
      await call('GET', `${PRODUCTS}?pageSize=2&pageToken=${encodeURIComponent(first.nextPageToken ?? '')}`)
    ).body;
    expect(second).toMatchObject({ products: [{ productId: 'c' }] });
    expect(second.nextPageToken).toBeUndefined();
    expect(await call('DELETE', `${PRODUCTS}/US:en:a`)).toEqual({ status: 200, body: {} });
    expect(await call('GET', `${PRODUCTS}/US:en:a`)).toMatchObject({
      status: 404,
      body: { error: { code: 404, status: 'NOT_FOUND' } },
    });
    expect((await call('DELETE', `${PRODUCTS}/US:en:a`)).status).toBe(404);
  });

  test('keeps product certifications', async () => {
    const { call } = await useCaller();
    const name = 'accounts/1/languages/en/productCertifications/a';
    const certification = [{ name: 'FSC', authority: 'FSC', code: 'FSC-C1', validUntil: '2099-01-01' }];
    const body = { name, title: 'Oil', brand: 'Acme', productCode: ['4006381333931'], certification };
    expect(await call('PATCH', name, body)).toEqual({ status: 200, body });
    expect((await call('GET', name)).body).toMatchObject({ ...body, destinationStatuses: [{ status: 'ACTIVE' }] });
    expect((await call('GET', 'accounts/1/languages/en/productCertifications')).body).toMatchObject({
      productCertifications: [{ name }],
    });
    expect((await call('PATCH', name, { ...body, certification: [] })).status).toBe(400);
  });

  test.each([
    ['an unknown field', `${PRODUCTS}/US:en:a`, { ...PRODUCT, colour: 'red' }],
    ['a field of another resource', `${PRODUCTS}/US:en:a`, { ...PRODUCT, productCode: ['1'] }],
    ['a missing title', `${PRODUCTS}/US:en:a`, { ...PRODUCT, title: undefined }],
    [
      'a certification with a date',
      `${PRODUCTS}/US:en:a`,
      { ...PRODUCT, certification: [{ name: 'a', authority: 'b', code: 'c', validUntil: 'd' }] },
    ],
    ['a name without a country', `${PRODUCTS}/a`, PRODUCT],
    ['an id that is too long', `${PRODUCTS}/US:en:${'x'.repeat(51)}`, PRODUCT],
  ])('refuses %s', async (_name, path, body) => {
    const { call } = await useCaller();
    expect(await call('PUT', path, body)).toMatchObject({
      status: 400,
      body: { error: { status: 'INVALID_ARGUMENT' } },
    });
  });

  test('lets nobody in without a token of its own', async () => {
    const { call, askToken } = await useCaller();
    for (const bearer of ['', 'x.y.z']) {
      expect(await call('GET', PRODUCTS, undefined, bearer)).toMatchObject({
        status: 401,
        body: { error: { status: 'UNAUTHENTICATED' } },
      });
    }
    for (const claims of [{ scope: 'email' }, { aud: 'https://elsewhere.example' }]) {
      expect(await askToken(claims)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
  });

  test('ponders first, then decides, and refuses a wrong check digit', async () => {
    const { call, turn } = await useCaller();
    await turn({ processing_ms: 60_000 });
    await call('PUT', `${PRODUCTS}/US:en:a`, { ...PRODUCT, gtin: ['4006381333932'] });
    const statusOf = async () => (await call('GET', `${PRODUCTS}/US:en:a`)).body.destinationStatuses?.[0]?.status;
    expect(await statusOf()).toBe('PENDING');
    await turn({ processing_ms: 0 });
    expect(await statusOf()).toBe('DISAPPROVED');
  });

  test('misbehaves as it is told, and tells what it is told wrongly', async () => {
    const { call, turn } = await useCaller();
    await turn({ fail_share: 1 });
    expect((await call('GET', PRODUCTS)).status).toBe(503);
    await turn({ throttle_share: 1 });
    expect((await call('GET', PRODUCTS)).status).toBe(429);
    await turn({ fail_share: 0, throttle_share: 0, lose_share: 1 });
    await expect(call('PUT', `${PRODUCTS}/US:en:a`, PRODUCT)).rejects.toThrow();
    await turn({ lose_share: 0, refuse_share: 1 });
    expect((await call('GET', `${PRODUCTS}/US:en:a`)).body.issues).toMatchObject([{ severity: 'ERROR' }]);
    await expect(turn({ fail_share: 2 })).rejects.toThrow('validation_failed');
    await expect(turn({ fail: 1 })).rejects.toThrow('validation_failed');
  });

  test('is only for those who come by the right name', async () => {
    const { emulator } = await useCaller();
    const answer = await fetch(`${emulator.apiUrl.replace('127.0.0.1', 'localhost')}/switches`);
    expect(await answer.json()).toMatchObject({ code: 'host_not_allowed' });
  });
});

test('its switches are turned on the same machine only', async () => {
  const { db } = await useTestDatabase();
  const app = fastify();
  useErrorHandler(app);
  registerSwitchRoutes(app, db);
  const url = '/channel-emulator/switches';
  for (const method of ['GET', 'PATCH'] as const) {
    const request = { method, url, ...(method === 'PATCH' && { payload: { fail_share: 0 } }) };
    expect((await app.inject({ ...request, remoteAddress: '192.0.2.7' })).statusCode).toBe(403);
    expect((await app.inject({ ...request, headers: { forwarded: 'for=192.0.2.7' } })).statusCode).toBe(403);
    expect((await app.inject(request)).statusCode).toBe(200);
  }
});
