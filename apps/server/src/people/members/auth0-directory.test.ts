import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../lib/config.ts';
import { chooseDirectory, createAuth0Directory } from './auth0-directory.ts';

const luis = { email: 'Luis@Example.com', password: 'Correct.horse7', firstName: 'Luis', lastName: '' };
const connection = 'Username-Password-Authentication';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly authorization: string | undefined;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'reset';

/** A fake Auth0 tenant on a real port. The SDK allows only https and a host name, so its calls are redirected. */
async function useTenant(answer: (call: Call, calls: readonly Call[]) => Answer, deadlineMs?: number) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const call = await read(request);
    calls.push(call);
    const token = { access_token: 'management-token', expires_in: 86_400, token_type: 'Bearer' };
    const reply: Answer = call.path === '/oauth/token' ? { status: 200, body: token } : answer(call, calls);
    if (reply === 'hang') return;
    if (reply === 'reset') return void request.socket.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const directory = await createAuth0Directory({
    domain: 'tenant.eu.auth0.com',
    clientId: 'management-client',
    clientSecret: 'management-secret',
    loginClientId: 'web-client',
    connection,
    ...(deadlineMs && { deadlineMs }),
    fetch: (input, init) => fetch(String(input).replace('https://tenant.eu.auth0.com', origin), init),
  });
  return { directory, calls };
}

async function read(request: IncomingMessage): Promise<Call> {
  const body = await text(request);
  const isJson = request.headers['content-type']?.includes('json');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    body: isJson && body ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body)),
    authorization: request.headers.authorization,
  };
}

const conflict: Answer = {
  status: 409,
  body: { statusCode: 409, error: 'Conflict', message: 'The user already exists.', errorCode: 'auth0_idp_error' },
};

test('creates an account with a verified e-mail, without sending a mail', async () => {
  const { directory, calls } = await useTenant(() => ({ status: 201, body: { user_id: 'auth0|1' } }));
  expect(await directory.createOrUpdateUser(luis)).toEqual({ subject: 'auth0|1' });
  expect(calls).toEqual([
    expect.objectContaining({
      path: '/oauth/token',
      body: {
        grant_type: 'client_credentials',
        client_id: 'management-client',
        client_secret: 'management-secret',
        audience: 'https://tenant.eu.auth0.com/api/v2/',
      },
    }),
    {
      method: 'POST',
      path: '/api/v2/users',
      authorization: 'Bearer management-token',
      // Auth0 refuses an empty name, so the missing last name is not sent.
      body: {
        connection,
        email: luis.email,
        password: luis.password,
        email_verified: true,
        verify_email: false,
        given_name: 'Luis',
      },
    },
  ]);
});

test('the token for the Management API is requested once', async () => {
  const { directory, calls } = await useTenant(() => ({ status: 201, body: { user_id: 'auth0|1' } }));
  await directory.createOrUpdateUser(luis);
  await directory.createOrUpdateUser(luis);
  expect(calls.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
});

describe('an e-mail that has an account', () => {
  const found = (account: object): Answer => ({
    status: 200,
    body: [{ identities: [{ connection: 'google' }], user_id: 'google|9' }, account],
  });

  test('gets the new password and a verified e-mail, in the right connection', async () => {
    const { directory, calls } = await useTenant(({ method }) => {
      if (method === 'POST') return conflict;
      if (method === 'GET') return found({ user_id: 'auth0|7', email_verified: false, identities: [{ connection }] });
      return { status: 200, body: { user_id: 'auth0|7' } };
    });
    expect(await directory.createOrUpdateUser(luis)).toEqual({ subject: 'auth0|7' });
    expect(calls.slice(2).map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/v2/users-by-email?email=luis%40example.com', {}],
      ['PATCH', '/api/v2/users/auth0%7C7', { password: luis.password, connection }],
      ['PATCH', '/api/v2/users/auth0%7C7', { email_verified: true, connection }],
    ]);
  });

  test('that is verified already is not verified again', async () => {
    const { directory, calls } = await useTenant(({ method }) => {
      if (method === 'POST') return conflict;
      if (method === 'GET') return found({ user_id: 'auth0|7', email_verified: true, identities: [{ connection }] });
      return { status: 200, body: { user_id: 'auth0|7' } };
    });
    await directory.createOrUpdateUser(luis);
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  test('in another connection only is reported as an outage, and no password is changed', async () => {
    const { directory, calls } = await useTenant(({ method }) =>
      method === 'POST' ? conflict : { status: 200, body: [{ user_id: 'google|9', identities: [{ connection: 'google' }] }] },
    );
    await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(0);
  });
});

test.each([
  ['PasswordStrengthError: Password is too weak', 'Password is too weak'],
  ['PasswordDictionaryError: Password is too common', 'Password is too common'],
])('%s is reported as a password that is too weak', async (message, reason) => {
  const { directory } = await useTenant(() => ({
    status: 400,
    body: { statusCode: 400, error: 'Bad Request', message },
  }));
  await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({
    code: 'password_too_weak',
    fields: { password: reason },
  });
});

test.each([
  ['an invalid request from us', { status: 400, body: { message: 'Payload validation error' } }, 'it answered 400'],
  ['missing rights', { status: 403, body: { message: 'Insufficient scope' } }, 'it answered 403'],
  ['a broken answer', { status: 201, body: {} }, 'it does not tell the account'],
  ['a lost connection', 'reset', 'no connection'],
] as const)('%s is an outage', async (_name, answer, reason) => {
  const { directory } = await useTenant(() => answer);
  await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({
    code: 'provider_unavailable',
    message: `The identity provider cannot make the account at the moment (${reason}).`,
  });
});

test.each([429, 500, 503])('an answer %i is retried once, then it is an outage', async (status) => {
  const { directory, calls } = await useTenant(() => ({ status, body: {} }));
  await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(calls.filter(({ path }) => path === '/api/v2/users')).toHaveLength(2);
});

test('a retry that succeeds is a success', async () => {
  const { directory } = await useTenant((_call, calls) =>
    calls.length === 2 ? { status: 503, body: {} } : { status: 201, body: { user_id: 'auth0|1' } },
  );
  expect(await directory.createOrUpdateUser(luis)).toEqual({ subject: 'auth0|1' });
});

test.each([
  ['no answer', 'hang'],
  ['a Retry-After of a minute', { status: 429, body: {}, headers: { 'retry-after': '60' } }],
] as const)('%s fails at the deadline', async (_name, answer) => {
  const { directory } = await useTenant(() => answer, 300);
  const started = performance.now();
  await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(performance.now() - started).toBeLessThan(1_500);
});

test('without credentials for Auth0’s Management API the server starts, and creating an account fails', async () => {
  const directory = await chooseDirectory(readConfig({ AUTH0_DOMAIN: 'tenant.eu.auth0.com' }), pino({ level: 'silent' }));
  const luis = { email: 'luis@example.com', password: 'Correct.horse7', firstName: 'Luis', lastName: 'Vega' };
  await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({ code: 'provider_unavailable' });
});

describe('an account that exists', () => {
  test('gets a mail to change its password if Auth0 stores it', async () => {
    const { directory, calls } = await useTenant(() => ({ status: 200 }));
    expect(directory.passwordChange?.('auth0|1')).toBe('mail');
    expect(directory.passwordChange?.('google-oauth2|1')).toBe('none');
    await directory.mailPasswordLink?.(luis.email);
    expect(calls).toMatchObject([
      { path: '/dbconnections/change_password', body: { client_id: 'web-client', email: luis.email, connection } },
    ]);
  });

  test.each([{ status: 429 }, 'reset'] as const)('gets no mail while Auth0 answers %j, and the call fails', async (answer) => {
    const { directory } = await useTenant(() => answer);
    await expect(directory.mailPasswordLink?.(luis.email)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('is deleted by its subject', async () => {
    const { directory, calls } = await useTenant(() => ({ status: 204 }));
    await directory.deleteUser?.('auth0|1');
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/v2/users/auth0%7C1' });
  });
});
