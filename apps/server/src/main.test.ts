import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { runPortal } from '../test/run-portal.ts';
import { useTestDatabase } from '../test/test-database.ts';
import { loadDemoData } from './embedded/demo-data.ts';
import { createEmbeddedIdentityProvider } from './embedded/identity-provider/identity-provider.ts';

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

function start(main: string, databaseUrl: string): Promise<{ output: string; code: unknown }> {
  const env = {
    ...process.env,
    ...{ NODE_ENV: 'production', ALLOW_EMBEDDED_IDENTITY: 'true', LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
    ...{ DATABASE_URL: databaseUrl, PORT: String(10_000 + Math.floor(Math.random() * 20_000)) },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [main], { env, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, code: error?.code }),
    );
  });
}

test('a start that fails says why and stops what it has started, in order', async () => {
  const { url } = await useTestDatabase();
  const { output, code } = await start(copyWithoutWebApp(), url);
  expect(output).toContain('The web app is not built');
  // The last thing that a stop says; a part that hangs would keep it from coming.
  expect(output).toContain('"msg":"Stopped"');
  expect(code).toBe(1);
}, 60_000);

test('in production the demo people, whose password everybody knows, keep the server from starting', async () => {
  const { db, url } = await useTestDatabase();
  const logger = pino({ level: 'silent' });
  const hashingCost = { memoryCost: 1024, timeCost: 1 };
  const idp = await createEmbeddedIdentityProvider({ db, publicUrl: 'http://localhost:3000', logger, hashingCost });
  await loadDemoData(db, idp);
  const refused = await start(join(SERVER, 'src/main.ts'), url);
  expect(refused.output).toMatch(/olivia\.owner@demo\.example.*npm run portal -- demo remove.*\./);
  expect(refused.code).toBe(1);

  expect((await runPortal(['demo', 'remove'], { DATABASE_URL: url })).code).toBe(0);
  const { output } = await start(copyWithoutWebApp(), url);
  expect(output).toContain('The web app is not built');
}, 60_000);
