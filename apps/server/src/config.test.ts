import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

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
  [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, but it is "abc".'],
  [{ PORT: '70000' }, 'PORT must be a whole number'],
  [{ PUBLIC_URL: 'portal.example' }, 'PUBLIC_URL must be an http or https address'],
  [{ PUBLIC_URL: 'https://portal.example/app' }, 'PUBLIC_URL must be an http or https address without a path'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be one of true, false, but it is "yes".'],
  [{ DATABASE_URL: 'localhost:5432' }, 'DATABASE_URL must look like postgres://'],
])('%o is told in one sentence that names the variable', (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});

test('a bad DATABASE_URL is not repeated, because it may hold a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host/db' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
  );
});
