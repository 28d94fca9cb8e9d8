// @module-tag empty-installation

import { useEmulator } from '@brand-portal/server/channel/test-support/delivery.ts';
import { useErrorHandler } from '@brand-portal/server/http/error-handler.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import fastify from 'fastify';
import { importPKCS8, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { PARTNER_ACCOUNT } from './channel-emulator.ts';
import { registerSwitchRoutes } from './switch-routes.ts';

const SCOPE = 'https://www.googleapis.com/auth/manufacturercenter';
const PRODUCTS = `accounts/${PARTNER_ACCOUNT}/products`;
const PRODUCT = {
  targetClientId: '77',
  gtin: ['4006381333931'],
  title: 'Oil',
  brand: 'Acme',
  intendedCountry: ['DE', 'AT'],
  productType: ['Food'],
  certification: [],
  description: 'Cold pressed.',
  imageLink: { imageUrl: 'https://acme.example/oil.jpg' },
};
/** A brand owner's account, and the brands registered in each account. */
const OWN_ACCOUNT = '2000002';
const LINKS = [
  { account: PARTNER_ACCOUNT, client_id: '77', brand: 'Acme' },
  { account: PARTNER_ACCOUNT, client_id: '78', brand: 'Borea' },
  { account: OWN_ACCOUNT, client_id: '', brand: 'Acme' },
];

interface Answered {
  products?: { productId: string }[];
  nextPageToken?: string;
  destinationStatuses?: { status: string }[];
  issues?: { type: string; severity: string; attribute?: string }[];
  attributes?: object;
  error?: { message: string };
}

async function useCaller(account = PARTNER_ACCOUNT) {
  const database = await useTestDatabase();
  const { emulator, setSwitches } = await useEmulator(database);
  await setSwitches({ links: LINKS });
  const { client_email, private_key, token_uri } = emulator.credentialsFor(account);
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
  return { emulator, setSwitches, call, askToken };
}

describe('the emulated channel', () => {
  test('keeps products: put, get, list in pages, delete', async () => {
    const { call } = await useCaller();
    for (const id of ['77:a', '77:b', '77:c']) {
      expect(await call('PUT', `${PRODUCTS}/DE:de:${id}`, PRODUCT)).toEqual({ status: 200, body: {} });
    }
    expect((await call('GET', `${PRODUCTS}/DE:de:77:a`)).body).toEqual({
      parent: `accounts/${PARTNER_ACCOUNT}`,
      name: 'DE:de:77:a',
      targetCountry: 'DE',
      contentLanguage: 'de',
      productId: '77:a',
      attributes: PRODUCT,
      issues: [],
      destinationStatuses: [
        {
          destination: 'ClientShoppingCatalog',
          status: 'ACTIVE',
          approvedCountries: ['DE', 'AT'],
          disapprovedCountries: [],
        },
      ],
    });
    const first = (await call('GET', `${PRODUCTS}?pageSize=2`)).body;
    expect(first.products?.map(({ productId }) => productId)).toEqual(['77:a', '77:b']);
    const second = (await call('GET', `${PRODUCTS}?pageSize=2&pageToken=${encodeURIComponent(first.nextPageToken ?? '')}`)).body;
    expect(second).toMatchObject({ products: [{ productId: '77:c' }] });
    expect(second.nextPageToken).toBeUndefined();
    expect(await call('DELETE', `${PRODUCTS}/DE:de:77:a`)).toEqual({ status: 200, body: {} });
    expect(await call('GET', `${PRODUCTS}/DE:de:77:a`)).toMatchObject({
      status: 404,
      body: { error: { code: 404, status: 'NOT_FOUND' } },
    });
    expect((await call('DELETE', `${PRODUCTS}/DE:de:77:a`)).status).toBe(404);
  });

  test('drops attributes that a later PUT leaves out: "all attributes are replaced with the new ones"', async () => {
    const { call } = await useCaller();
    const { description: _, imageLink: __, ...less } = PRODUCT;
    for (const body of [PRODUCT, less]) await call('PUT', `${PRODUCTS}/DE:de:77:a`, body);
    expect((await call('GET', `${PRODUCTS}/DE:de:77:a`)).body.attributes).toEqual(less);
  });

  // Each with the sentence of Google's reference or help (with the number of the article) that it follows.
  test.each([
    ['Invalid JSON payload received. Unknown name', 400, { colour: 'red' }],
    ['Invalid JSON payload received. Unknown name', 400, { productCode: ['1'] }],
    ['"All required attributes need to be present for a product to be valid" (reference)', 400, { title: undefined }],
    ['Title: "Required for all items" (6124116)', 400, { title: '' }],
    ['Brand: "Required for all items" (6124116)', 400, { brand: undefined }],
    ['GTIN: "Required for all items" (6124116)', 400, { gtin: [] }],
    ['gtin is a list of texts (discovery document)', 400, { gtin: '4006381333931' }],
    ['gtin is a list of texts (discovery document)', 400, { gtin: [4006381333931] }],
    ['imageLink is an Image (discovery document)', 400, { imageLink: 'https://acme.example/oil.jpg' }],
    ['"Required. Name of the certification body" (reference)', 400, { certification: [{ name: 'EPREL' }] }],
    ['"Required. Name of the certification" (reference)', 400, { certification: [{ authority: 'EC' }] }],
    ['"The expiration date (UTC)" (reference)', 400, { certification: [{ name: 'EPREL', authority: 'EC', validUntil: 'soon' }] }],
    ['"Required for all products uploaded by data partners" (10857344)', 400, { targetClientId: undefined }],
    ['target_client_id is the client id of a link (10857344)', 403, { targetClientId: '99' }],
  ])('refuses at once: %s: %i for %j', async (_sentence, status, change) => {
    const { call } = await useCaller();
    expect(await call('PUT', `${PRODUCTS}/DE:de:77:a`, { ...PRODUCT, ...change })).toMatchObject({
      status,
      body: { error: { status: status === 400 ? 'INVALID_ARGUMENT' : 'PERMISSION_DENIED' } },
    });
    expect((await call('GET', `${PRODUCTS}/DE:de:77:a`)).status).toBe(404);
  });

  test.each([
    ['"{target_country}:{content_language}:{product_id}" (reference)', '77:a'],
    ['"Maximum 50" characters (6124116)', `DE:de:${'x'.repeat(51)}`],
    ['"ASCII only" (6124116)', 'DE:de:%C3%B6l'],
  ])('refuses a name at once: %s', async (_sentence, name) => {
    const { call } = await useCaller();
    expect((await call('PUT', `${PRODUCTS}/${name}`, PRODUCT)).status).toBe(400);
  });

  test.each([
    ['accepts what data partners send', {}, 'ACTIVE', []],
    ['"Invalid GTIN" (7656106)', { gtin: ['4006381333932'] }, 'DISAPPROVED', ['INVALID_GTIN']],
    ['981–984: "Unsupported coupon value" (7656106)', { gtin: ['9810000000006'] }, 'DISAPPROVED', ['COUPON_GTIN']],
    ['2: "Restricted" (7656106)', { gtin: ['2000000000008'] }, 'DISAPPROVED', ['RESTRICTED_GTIN']],
    ['an indicator digit is not part of the prefix', { gtin: ['24006381333935'] }, 'ACTIVE', []],
    ['a brand must be registered (6260813)', { brand: 'Zeta' }, 'DISAPPROVED', ['BRAND_NOT_REGISTERED']],
    ['it must match exactly, case included (6260813)', { brand: 'ACME' }, 'DISAPPROVED', ['BRAND_NOT_REGISTERED']],
    ["with another client's brand", { brand: 'Borea' }, 'DISAPPROVED', ['BRAND_NOT_REGISTERED']],
    ['the sample file has an image (6124098)', { imageLink: undefined }, 'ACTIVE', ['MISSING_IMAGE']],
    ['the sample file has a description (6124098)', { description: undefined }, 'ACTIVE', ['MISSING_DESCRIPTION']],
    ['"Unsupported certification name"', { certification: [{ name: 'FSC', authority: 'FSC' }] }, 'ACTIVE', ['UNSUPPORTED_CERTIFICATION']],
    [
      '"Unverifiable certification": EC or European_Commission for EPREL (15672748)',
      { certification: [{ name: 'EPREL', authority: 'European Commission', code: '1' }] },
      'ACTIVE',
      ['UNVERIFIABLE_CERTIFICATION'],
    ],
    [
      'the EPREL certification of 15672748',
      { certification: [{ name: 'EPREL', authority: 'EC', code: '1', validUntil: '2099-01-01' }] },
      'ACTIVE',
      [],
    ],
  ])('accepts the PUT and reports the result later: %s: %j', async (_sentence, change, status, types) => {
    const { call } = await useCaller();
    expect((await call('PUT', `${PRODUCTS}/DE:de:77:a`, { ...PRODUCT, ...change })).status).toBe(200);
    const { destinationStatuses, issues = [] } = (await call('GET', `${PRODUCTS}/DE:de:77:a`)).body;
    expect(destinationStatuses?.map(({ status }) => status)).toEqual([status]);
    expect(issues.map(({ type }) => type)).toEqual(types);
    const isRefused = status === 'DISAPPROVED';
    expect(issues.every(({ severity }) => severity === (isRefused ? 'ERROR' : 'WARNING'))).toBe(true);
  });

  test('an issue can apply to some countries only', async () => {
    const { call, setSwitches } = await useCaller();
    const issue = { type: 'T', title: 'Title', description: 'Description', applicableCountries: ['AT'] };
    await setSwitches({ refusals: [{ gtin: PRODUCT.gtin[0], ...issue }] });
    await call('PUT', `${PRODUCTS}/DE:de:77:a`, PRODUCT);
    expect((await call('GET', `${PRODUCTS}/DE:de:77:a`)).body).toMatchObject({
      issues: [{ ...issue, severity: 'ERROR' }],
      destinationStatuses: [{ status: 'ACTIVE', approvedCountries: ['DE'], disapprovedCountries: ['AT'] }],
    });
  });

  test("a brand owner's account accepts its own brand without a client id, and has no access to another account", async () => {
    const { call } = await useCaller(OWN_ACCOUNT);
    const name = `accounts/${OWN_ACCOUNT}/products/DE:de:a`;
    const { targetClientId: _, ...own } = PRODUCT;
    expect((await call('PUT', name, own)).status).toBe(200);
    expect((await call('GET', name)).body.issues).toEqual([]);
    expect((await call('PUT', name, PRODUCT)).status).toBe(403);
    expect((await call('PUT', `${PRODUCTS}/DE:de:77:a`, PRODUCT)).status).toBe(403);
    expect((await call('GET', PRODUCTS)).status).toBe(403);
  });

  test('refuses calls without a token that it issued', async () => {
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

  test('shows a product as pending first, then decides, and refuses a wrong check digit', async () => {
    const { call, setSwitches } = await useCaller();
    await setSwitches({ processing_ms: 60_000 });
    await call('PUT', `${PRODUCTS}/DE:de:77:a`, { ...PRODUCT, gtin: ['4006381333932'] });
    const statusOf = async () => (await call('GET', `${PRODUCTS}/DE:de:77:a`)).body.destinationStatuses?.[0]?.status;
    expect(await statusOf()).toBe('PENDING');
    await setSwitches({ processing_ms: 0 });
    expect(await statusOf()).toBe('DISAPPROVED');
  });

  test('fails as its switches say, and reports invalid switches', async () => {
    const { call, setSwitches } = await useCaller();
    await setSwitches({ fail_share: 1 });
    expect((await call('GET', PRODUCTS)).status).toBe(503);
    await setSwitches({ throttle_share: 1 });
    expect((await call('GET', PRODUCTS)).status).toBe(429);
    await setSwitches({ fail_share: 0, throttle_share: 0, lose_share: 1 });
    await expect(call('PUT', `${PRODUCTS}/DE:de:77:a`, PRODUCT)).rejects.toThrow();
    await setSwitches({ lose_share: 0, refuse_share: 1 });
    expect((await call('GET', `${PRODUCTS}/DE:de:77:a`)).body.issues).toMatchObject([{ severity: 'ERROR' }]);
    await expect(setSwitches({ fail_share: 2 })).rejects.toThrow('validation_failed');
    await expect(setSwitches({ fail: 1 })).rejects.toThrow('validation_failed');
  });

  test('refuses requests with another host name', async () => {
    const { emulator } = await useCaller();
    const answer = await fetch(`${emulator.apiUrl.replace('127.0.0.1', 'localhost')}/switches`);
    expect(await answer.json()).toMatchObject({ code: 'host_not_allowed' });
  });
});

test('its switches can be changed from the same machine only', async () => {
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
