import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTestDatabase } from '../test/test-database.ts';

/** Starts only the server, without the environment of the developer. */
function start(settings: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const PORT = String(10_000 + Math.floor(Math.random() * 20_000));
  const options = { env: { PATH, NODE_COMPILE_CACHE, PORT, ...settings }, timeout: 30_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'main.ts')], options, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr: stderr.trim() }),
    );
  });
}

test('without the stand-ins, the server reports missing configuration in one sentence', async () => {
  const { url } = await useTestDatabase();
  expect(await start({})).toEqual({ code: 1, stderr: 'No database is configured: set DATABASE_URL.' });
  expect(await start({ DATABASE_URL: url, ALLOW_EMBEDDED_IDENTITY: 'true' })).toEqual({
    code: 1,
    stderr: 'No identity provider is configured: set AUTH0_DOMAIN and AUTH0_CLIENT_ID.',
  });
}, 60_000);
