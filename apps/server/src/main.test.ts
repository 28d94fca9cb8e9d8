import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useTestDatabase } from '../test/test-database.ts';

const SERVER = join(import.meta.dirname, '..');

/** The server as it is, beside which there is no web app: building it fails when the worker is running already. */
function copyWithoutWebApp(): string {
  const root = mkdtempSync(join(tmpdir(), 'brand-portal-main-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const part of ['src', 'package.json'])
    cpSync(join(SERVER, part), join(root, 'apps/server', part), { recursive: true });
  symlinkSync(join(SERVER, '../../node_modules'), join(root, 'node_modules'), 'junction');
  return join(root, 'apps/server/src/main.ts');
}

test('a start that fails says why and stops what it has started, in order', async () => {
  const { url } = await useTestDatabase();
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'production', ALLOW_EMBEDDED_IDENTITY: 'true', LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
    ...{ DATABASE_URL: url, PORT: String(10_000 + Math.floor(Math.random() * 20_000)) },
  };
  const { output, code } = await new Promise<{ output: string; code: unknown }>((resolve) => {
    execFile(process.execPath, [copyWithoutWebApp()], { env }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error?.code }),
    );
  });
  expect(output).toContain('The web app is not built');
  // The last thing that a stop says; a part that hangs would keep it from coming.
  expect(output).toContain('"msg":"Stopped"');
  expect(code).toBe(1);
}, 60_000);
