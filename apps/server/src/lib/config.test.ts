import { expect, test } from 'vitest';
import { listMisspelledVariables, readConfig } from './config.ts';

test('an empty environment gives a working development configuration', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 3000,
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    identity: { domain: '', clientId: '' },
    logFormat: 'pretty',
  });
});

test('the public address follows the port unless it is given', () => {
  expect(readConfig({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000');
  expect(readConfig({ PORT: '4000', PUBLIC_URL: 'https://portal.example/' }).publicUrl).toBe('https://portal.example');
});

test('a trailing slash in the provider domain, which its SDK cannot take, is removed', () => {
  expect(readConfig({ AUTH0_DOMAIN: 'http://localhost:3000/idp/' }).identity.domain).toBe('http://localhost:3000/idp');
});

test.each([
  [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535, but it is "abc".'],
  [{ PORT: '0' }, 'PORT must be a whole number'],
  [{ PORT: '70000' }, 'PORT must be a whole number'],
  [{ PUBLIC_URL: 'portal.example' }, 'PUBLIC_URL must be an http or https address'],
  [{ PUBLIC_URL: 'https://portal.example/app' }, 'PUBLIC_URL must be an http or https address without a path'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be false, the number of proxies in front (1 to 9), or their addresses'],
  [{ DATABASE_URL: 'localhost:5432' }, 'DATABASE_URL must look like postgres://'],
  [{ SMTP_URL: 'mail.example:587' }, 'SMTP_URL must look like smtp://'],
  [{ SMTP_URL: 'https://mail.example' }, 'SMTP_URL must look like smtp://'],
  [{ QUOTA_VARIANTS: 'many' }, 'QUOTA_VARIANTS must be a whole number from 1'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters'],
  [{ MAIL_FROM: 'Brand Portal' }, 'MAIL_FROM must look like'],
  [{ MAIL_FROM: 'a@example.com, b@example.com' }, 'MAIL_FROM must look like'],
  [{ CHANNEL_ACCOUNT: 'acme' }, 'CHANNEL_ACCOUNT must be the number of a Manufacturer Center account'],
  [{ CHANNEL_ACCOUNT: '123' }, 'CHANNEL_ACCOUNT needs GOOGLE_APPLICATION_CREDENTIALS as well'],
  [{ CHANNEL_ENCRYPTION_KEY: 'c2hvcnQ=' }, 'CHANNEL_ENCRYPTION_KEY must be 32 random bytes in base64'],
  [{ CHANNEL_API_URL: 'google' }, 'CHANNEL_API_URL must be an http or https address'],
  [{ CHANNEL_CALLS_PER_100_SECONDS: '0' }, 'CHANNEL_CALLS_PER_100_SECONDS must be a whole number'],
  [{ AUTH0_DOMAIN: 'our tenant' }, 'AUTH0_DOMAIN must be a host name such as tenant.eu.auth0.com'],
  [{ AUTH0_DOMAIN: 'https://' }, 'AUTH0_DOMAIN must be a host name'],
  [{ AUTH0_DOMAIN: 'ldap://tenant.example' }, 'AUTH0_DOMAIN must be a host name'],
  [{ AUTH0_MANAGEMENT_DOMAIN: 'https://tenant.auth0.com' }, 'AUTH0_MANAGEMENT_DOMAIN must be a bare host name'],
])('%o is reported in one sentence that names the variable', (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});

test.each([
  [undefined, false],
  ['false', false],
  ['true', 1],
  ['2', 2],
  ['10.0.0.0/8,loopback', '10.0.0.0/8, loopback'],
  ['2001:db8::/32', '2001:db8::/32'],
])('TRUST_PROXY %j is read as %j', (value, trusted) => {
  expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(trusted);
});

test.each(['10', '0', '0.0.0.0/0', '10.0.0.0/33', '2001:db8::/129', '10.0.0.0/8/8', 'proxy.example'])(
  'TRUST_PROXY %j is refused',
  (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).toThrow('TRUST_PROXY must be false');
  },
);

test('accounts are created at AUTH0_DOMAIN, or at AUTH0_MANAGEMENT_DOMAIN if that is set', () => {
  const env = { AUTH0_DOMAIN: 'https://login.example.com/', AUTH0_MANAGEMENT_CLIENT_ID: 'id' };
  expect(readConfig(env).identityManagement).toMatchObject({ domain: 'login.example.com', clientId: 'id' });
  const custom = { ...env, AUTH0_MANAGEMENT_DOMAIN: 'tenant.eu.auth0.com' };
  expect(readConfig(custom).identityManagement.domain).toBe('tenant.eu.auth0.com');
});

test.each(['Brand Portal <portal@example.com>', 'portal@example.com'])('mail may come from %s', (from) => {
  expect(readConfig({ MAIL_FROM: from }).mail.from).toBe(from);
});

test.each(['postgres:///brands?host=/run/postgresql', 'postgresql://me@db.example/brands'])('the database may be at %s', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test('a bad DATABASE_URL is not repeated, because it may hold a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host/db' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});

test('a bad SMTP_URL is not repeated either', () => {
  expect(() => readConfig({ SMTP_URL: 'imap://user:hunter2@host' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});

test('variables that are misspelled are named with what they should be, others are left alone', () => {
  const env = {
    REQUEST_PER_MINUTE: '60',
    Database_URL: 'postgres://a@b/c',
    PUBLIC_URL: 'http://localhost:1',
    POSTS: '1',
  };
  expect(listMisspelledVariables(env)).toEqual([
    { name: 'REQUEST_PER_MINUTE', meant: 'REQUESTS_PER_MINUTE' },
    { name: 'Database_URL', meant: 'DATABASE_URL' },
  ]);
});
