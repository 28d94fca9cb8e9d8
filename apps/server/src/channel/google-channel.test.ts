/// <reference types="@maxim_mazurok/gapi.client.manufacturers-v1" />
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProductBody } from '@brand-portal/embedded/channel-emulator/resource-rules.ts';
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { json, useFakeProvider } from '../../test/fake-provider.ts';
import { StartupError } from '../lib/errors.ts';
import { type AttemptedDelivery, afterAttempt } from '../writes/delivery-states.ts';
import { ChannelRefused, ChannelUnavailable } from './channel.ts';
import type { Connection } from './connections.queries.ts';
import { DELIVERY_SETTINGS } from './delivery.ts';
import { readServiceAccount } from './google-account.ts';
import { createGoogleChannel } from './google-channel.ts';
import { type Attributes, type Product, toAttributes, toJudgement } from './google-resources.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const PRODUCT = { gtin: '4006381333931', title: 'Oil', category: '', details: {}, certifications: [] };
const CONNECTION: Connection = {
  id: 1,
  brand_id: 1,
  kind: 'partner',
  account: null,
  client_id: '77',
  countries: ['US'],
  language: 'en',
  registered_name: 'Acme',
  credentials: null,
  refusal: '',
  ended: false,
};

/** A fake Google that issues tokens and gives the same answer to every other call. */
async function useGoogle(answer: ReturnType<typeof json>, { apiUrl }: { apiUrl?: string } = {}) {
  const requests: { method: string | undefined; url: string | undefined; authorization: string | undefined }[] = [];
  let tokens = 0;
  const { domain } = await useFakeProvider((request, response) => {
    if (request.url === '/token') {
      tokens += 1;
      return json(200, { access_token: `token-${tokens}`, expires_in: 3600, token_type: 'Bearer' })(request, response);
    }
    requests.push({ method: request.method, url: request.url, authorization: request.headers.authorization });
    return answer(request, response);
  });
  const credentials = { client_email: 'a@example.com', private_key, token_uri: `${domain}/token` };
  const channel = createGoogleChannel({
    apiUrl: apiUrl ?? domain,
    account: '7',
    credentials,
    firstCheckMs: 1,
    deadlineMs: 300,
    callsPer100Seconds: 18_000,
  });
  return { channel, requests, tokens: () => tokens };
}

describe("Google's answer", () => {
  test.each([
    [400, 'Invalid GTIN', ChannelRefused],
    [401, 'No token', ChannelUnavailable],
    [403, 'No right', ChannelUnavailable],
    [404, 'No account', ChannelUnavailable],
    [429, 'Quota exceeded', ChannelUnavailable],
    [500, 'Internal', ChannelUnavailable],
    [503, 'Unavailable', ChannelUnavailable],
  ])("%i to a product is reported with Google's message", async (status, message, kind) => {
    const { channel } = await useGoogle(json(status, { error: { code: status, message } }));
    const session = await channel.open(CONNECTION);
    const error = await session.send('accounts/7/products/US:en:1', PRODUCT).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ message });
    if (status === 429) expect(error).toMatchObject({ answered: true, pauseMs: 5_000 });
  });

  test('404 means that the product does not exist: nothing to withdraw, and no verdict', async () => {
    const { channel } = await useGoogle(json(404, {}));
    const session = await channel.open(CONNECTION);
    await session.withdraw('accounts/7/products/US:en:1');
    expect(await session.check('accounts/7/products/US:en:1')).toEqual({ kind: 'missing' });
  });

  test('400 to anything else says nothing about the product, so it is retried', async () => {
    const { channel } = await useGoogle(json(400, { error: { code: 400, message: 'Bad request' } }));
    const session = await channel.open(CONNECTION);
    for (const call of [session.withdraw, session.check]) {
      const error = await call('accounts/7/products/US:en:1').catch((error: unknown) => error);
      expect(error).toBeInstanceOf(ChannelUnavailable);
      expect(error).toMatchObject({ message: 'Bad request', answered: true });
    }
  });

  test('that does not come fails at the deadline', async () => {
    const { channel } = await useGoogle(() => undefined);
    const session = await channel.open(CONNECTION);
    const began = Date.now();
    const error = await session.withdraw('accounts/7/products/US:en:1').catch((error: unknown) => error);
    expect(error).toMatchObject({ answered: false, message: expect.stringContaining('No answer') });
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  test('that cannot be asked for, because the name is unknown, is a failure after which nothing can take effect', async () => {
    const { channel } = await useGoogle(json(200, {}), { apiUrl: 'http://manufacturers.invalid' });
    const session = await channel.open(CONNECTION);
    const error = await session.withdraw('accounts/7/products/US:en:1').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ChannelUnavailable);
    expect(error).toMatchObject({ answered: true, pauseMs: undefined });
  });

  test.each([
    ['a number of seconds', () => '60', 60_000],
    ['a date', () => new Date(Date.now() + 60_000).toUTCString(), 60_000],
    ['a date that is over', () => new Date(0).toUTCString(), 5_000],
    ['something else', () => 'soon', 5_000],
  ])('429 asks for a pause by %s', async (_name, retryAfter, most) => {
    const { channel } = await useGoogle((_request, response) => {
      response.writeHead(429, { 'retry-after': retryAfter() }).end('{}');
    });
    const session = await channel.open(CONNECTION);
    const error = await session.withdraw('accounts/7/products/US:en:1').catch((error: unknown) => error);
    const { pauseMs = 0 } = error as ChannelUnavailable;
    expect(pauseMs).toBeGreaterThan(most === 60_000 ? 5_000 : 0);
    expect(pauseMs).toBeLessThanOrEqual(most);
  });

  test('is requested with a token that is cached until it is refused', async () => {
    const { channel, requests, tokens } = await useGoogle(json(200, {}));
    for (let n = 0; n < 3; n++) await (await channel.open(CONNECTION)).check('accounts/7/products/US:en:1');
    expect(tokens()).toBe(1);
    expect(requests[0]).toEqual({
      method: 'GET',
      url: '/v1/accounts/7/products/US:en:1?include=ISSUES&include=DESTINATION_STATUSES',
      authorization: 'Bearer token-1',
    });
    const refusing = await useGoogle(json(401, {}));
    for (let n = 0; n < 2; n++) {
      await (await refusing.channel.open(CONNECTION)).withdraw('accounts/7/products/US:en:1').catch(() => undefined);
    }
    expect(refusing.tokens()).toBe(2);
  });
});

/** The names in `Ours` that `Published` does not have, at any depth. */
type UnknownNames<Ours, Published> = Ours extends readonly (infer Item)[]
  ? Published extends readonly (infer PublishedItem)[]
    ? UnknownNames<Item, PublishedItem>
    : 'a list'
  : Ours extends object
    ? {
        [Name in keyof Ours]-?: Name extends keyof Published ? UnknownNames<NonNullable<Ours[Name]>, NonNullable<Published[Name]>> : Name;
      }[keyof Ours]
    : never;

describe("the types that are generated from Google's discovery document", () => {
  const certifications = [{ name: 'FSC', authority: 'FSC', code: 'FSC-C1', link: 'https://a.example/c1', valid_until: '2027-03-31' }];

  test('have every attribute that is sent, with its type', () => {
    const sent: gapi.client.manufacturers.Attributes = toAttributes({ ...PRODUCT, certifications }, CONNECTION);
    expect(sent.certification).toEqual([
      { name: 'FSC', authority: 'FSC', code: 'FSC-C1', link: 'https://a.example/c1', validUntil: '2027-03-31' },
    ]);
    expectTypeOf<UnknownNames<Attributes, gapi.client.manufacturers.Attributes>>().toBeNever();
  });

  test('have everything that is read from an answer', () => {
    expectTypeOf<gapi.client.manufacturers.Product>().toExtend<Product>();
    expectTypeOf<UnknownNames<Product, gapi.client.manufacturers.Product>>().toBeNever();
  });

  test('have everything that the emulator accepts', () => {
    expectTypeOf<ProductBody>().toExtend<gapi.client.manufacturers.Attributes>();
    expectTypeOf<UnknownNames<ProductBody, gapi.client.manufacturers.Attributes>>().toBeNever();
  });

  test('reveal a name that Google does not know', () => {
    type Wrong = { title: string; colour: string; certification: { name: string; expires: string }[] };
    expectTypeOf<UnknownNames<Wrong, gapi.client.manufacturers.Attributes>>().toEqualTypeOf<'colour' | 'expires'>();
  });
});

const pauses = { backoffMs: 1, maxBackoffMs: 1, recheckMs: 1 };
const delivery: AttemptedDelivery = {
  variant_id: 1,
  wanted: 'present',
  revision: 1,
  sent_revision: 1,
  state: 'sent',
  attempts: 0,
  connection_id: 1,
  resource: 'r',
};

test.each([
  [{}, { state: 'sent', reason: '', countries: { DE: 'pending', AT: 'pending' } }],
  [{ destinationStatuses: [{ status: 'PENDING' }] }, { state: 'sent', reason: '' }],
  [{ destinationStatuses: [{ status: 'ACTIVE' }] }, { state: 'live', countries: { DE: 'approved', AT: 'approved' } }],
  [{ destinationStatuses: [{ status: 'DISAPPROVED' }, { status: 'ACTIVE' }] }, { state: 'refused' }],
  [
    { destinationStatuses: [{ status: 'ACTIVE', approvedCountries: ['DE', 'CH'], pendingCountries: ['AT'] }] },
    { state: 'partly_live', countries: { DE: 'approved', AT: 'pending' } },
  ],
  [
    {
      destinationStatuses: [
        { status: 'ACTIVE', approvedCountries: ['DE', 'AT'] },
        { status: 'ACTIVE', approvedCountries: ['DE'], disapprovedCountries: ['AT'] },
      ],
    },
    { state: 'partly_live', countries: { DE: 'approved', AT: 'disapproved' } },
  ],
  [
    {
      destinationStatuses: [{ status: 'DISAPPROVED' }],
      issues: [
        { severity: 'WARNING', title: 'Short title' },
        { severity: 'ERROR', title: 'Bad image', description: 'Provide another.' },
        { severity: 'ERROR', type: 'GTIN' },
      ],
    },
    { state: 'refused', reason: 'Bad image: Provide another. · GTIN' },
  ],
  [{ destinationStatuses: [{ status: 'DISAPPROVED' }] }, { state: 'refused', reason: 'Google refused it without naming an issue.' }],
])('%j as an answer for DE and AT gives the delivery %j', (answer, result) => {
  const outcome = { kind: 'judged', shownIn: ['DE', 'AT'], checkAfterMs: 1, ...toJudgement(answer) } as const;
  expect(afterAttempt(delivery, outcome, pauses)).toMatchObject(result);
});

test.each<AttemptedDelivery['state']>(['live', 'partly_live', 'refused'])(
  'a product that was %s and is pending in every country is on its way, and is checked again soon',
  (state) => {
    const judgement = toJudgement({ destinationStatuses: [{ status: 'PENDING' }] });
    const outcome = { kind: 'judged', shownIn: ['DE', 'AT'], checkAfterMs: 1_000, ...judgement } as const;
    const result = afterAttempt({ ...delivery, state }, outcome, { ...pauses, maxBackoffMs: 10_000 });
    expect(result).toMatchObject({
      state: 'sent',
      reason: '',
      countries: { DE: 'pending', AT: 'pending' },
      attempts: 1,
    });
    expect(result.delay_ms).toBeLessThanOrEqual(1_250);
  },
);

test.each([
  ['every hour while a country is pending', { pendingCountries: ['AT'] }, 3_600_000],
  ['every day once every country has a verdict', { approvedCountries: ['AT'] }, 24 * 3_600_000],
])('a product that is live in a country is checked %s', (_name, others, delay) => {
  const answer = { status: 'ACTIVE', approvedCountries: ['DE'] };
  const destinationStatuses = [answer, { status: 'ACTIVE', ...others }];
  const outcome = {
    kind: 'judged',
    shownIn: ['DE', 'AT'],
    checkAfterMs: 1,
    ...toJudgement({ destinationStatuses }),
  } as const;
  const { delay_ms, attempts } = afterAttempt(delivery, outcome, DELIVERY_SETTINGS);
  expect(delay_ms).toBeGreaterThanOrEqual(delay * 0.75);
  expect(delay_ms).toBeLessThanOrEqual(delay * 1.25);
  expect(attempts).toBe(0);
});

describe('the key file', () => {
  function writeFile(content: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'brand-portal-key-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'key.json'), content);
    return join(folder, 'key.json');
  }

  test('of Google is read', () => {
    const key = { type: 'service_account', client_email: 'a@example.com', private_key: 'PEM' };
    expect(readServiceAccount(writeFile(JSON.stringify(key)))).toEqual({
      client_email: 'a@example.com',
      private_key: 'PEM',
      token_uri: 'https://oauth2.googleapis.com/token',
    });
  });

  test.each(['', 'null', '[]', '{}', '{"client_email":"a@example.com"}', '{"client_email":"a","private_key":"b","token_uri":"c"}'])(
    '%j is refused in one sentence',
    (content) => {
      const path = writeFile(content);
      expect(() => readServiceAccount(path)).toThrow(StartupError);
      expect(() => readServiceAccount(path)).toThrow('GOOGLE_APPLICATION_CREDENTIALS must name the JSON key file');
    },
  );

  test('that is missing is reported with its path', () => {
    expect(() => readServiceAccount('/nowhere/key.json')).toThrow(
      'The file that GOOGLE_APPLICATION_CREDENTIALS names cannot be read: /nowhere/key.json (ENOENT).',
    );
  });
});
