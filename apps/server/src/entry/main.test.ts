// @module-tag empty-installation
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTestDatabase } from '../../test/test-database.ts';

/** Starts only the server, without the environment of the developer. */
function start(settings: Record<string, string>): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const { PATH, NODE_COMPILE_CACHE, BRAND_PORTAL_TEST_RUN } = process.env;
  const PORT = String(10_000 + Math.floor(Math.random() * 20_000));
  const options = { env: { PATH, NODE_COMPILE_CACHE, BRAND_PORTAL_TEST_RUN, PORT, ...settings }, timeout: 30_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'main.ts')], options, (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout: stdout.trim(), stderr: stderr.trim() }),
    );
  });
}

test('without the stand-ins, the server reports missing configuration in one sentence', async () => {
  const { url } = await useTestDatabase();
  expect(await start({})).toMatchObject({ code: 1, stderr: 'No database is configured: set DATABASE_URL.' });
  expect(await start({ DATABASE_URL: url, ALLOW_EMBEDDED_IDENTITY: 'true' })).toMatchObject({
    code: 1,
    stderr: 'No identity provider is configured: set AUTH0_DOMAIN and AUTH0_CLIENT_ID.',
  });
}, 60_000);

test('half of the identity provider’s configuration is an error in the log, and does not stop the start', async () => {
  const { url } = await useTestDatabase();
  // Read after it: ends the start.
  const channel = { CHANNEL_ACCOUNT: '1', GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json' };
  for (const [name, value] of [
    ['AUTH0_CLIENT_ID', 'id'],
    ['AUTH0_DOMAIN', 'tenant.example'],
  ] as const) {
    const { stdout, stderr } = await start({ DATABASE_URL: url, ...channel, [name]: value });
    expect(stdout).toContain('Missing Auth0 configuration: set both AUTH0_DOMAIN and AUTH0_CLIENT_ID');
    expect(stderr).toContain('/nowhere.json');
  }
}, 60_000);

test('in production, what is wrong with the configuration is a JSON line like the rest of the log', async () => {
  for (const [name, value, message] of [
    ['PORT', 'http', 'PORT must be a whole number from 1 to 65535, but it is "http".'],
    ['LOG_FORMAT', 'xml', 'LOG_FORMAT must be one of pretty, json, but it is "xml".'],
    ['LOG_LEVEL', 'info', 'No database is configured: set DATABASE_URL.'],
  ] as const) {
    const { code, stdout, stderr } = await start({ NODE_ENV: 'production', [name]: value });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const lines = stdout.split('\n').map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ level: 60, msg: message }));
  }
}, 60_000);
