// @module-tag empty-installation
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@brand-portal/server/test/free-port.ts';
import { runPortal } from '@brand-portal/server/test/run-portal.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { loadDemoData } from './demo-data.ts';
import { createEmbeddedIdentityProvider } from './identity-provider/identity-provider.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MAIN = 'apps/embedded/src/main.ts';

/** A copy of the product without a web app, so that a start fails after all earlier steps. */
function copyWithoutWebApp(): string {
  const root = mkdtempSync(join(tmpdir(), 'brand-portal-main-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const part of ['apps/server/src', 'apps/server/package.json', 'apps/embedded/src', 'apps/embedded/package.json'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
  // Resolved before the link in the copy, which leads back to the original.
  mkdirSync(join(root, 'apps/node_modules/@brand-portal'), { recursive: true });
  symlinkSync(join(root, 'apps/server'), join(root, 'apps/node_modules/@brand-portal/server'), 'junction');
  return join(root, MAIN);
}

async function start(main: string, databaseUrl: string, settings = {}): Promise<{ output: string; code: unknown }> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    ALLOW_EMBEDDED_IDENTITY: 'true',
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    DATABASE_URL: databaseUrl,
    PORT: String(await freePort()),
    ...settings,
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
  // The last line of a stop. If a part hangs, it is missing.
  expect(output).toContain('"msg":"Stopped"');
  expect(code).toBe(1);
}, 60_000);

test('in production the server does not start while there are demo people, whose password is public', async () => {
  const { db, url } = await useTestDatabase();
  const logger = pino({ level: 'silent' });
  const hashingCost = { memoryCost: 1024, timeCost: 1 };
  const idp = await createEmbeddedIdentityProvider({ db, publicUrl: 'http://localhost:3000', logger, hashingCost });
  await loadDemoData(db, idp);
  const refused = await start(join(ROOT, MAIN), url);
  expect(refused.output).toMatch(/olivia\.owner@demo\.example.*npm run portal -- demo remove.*\./);
  expect(refused.code).toBe(1);

  expect((await runPortal(['demo', 'remove'], { DATABASE_URL: url })).code).toBe(0);
  const { output } = await start(copyWithoutWebApp(), url);
  expect(output).toContain('The web app is not built');
}, 60_000);

test('a server that has everything configured makes no tables for stand-ins; one that uses a stand-in does', async () => {
  const { pool, url } = await useTestDatabase();
  await pool.query('drop schema embedded cascade');
  const listTables = async () => {
    const { rows } = await pool.query(
      `select schemaname || '.' || tablename as name from pg_tables
       where schemaname = 'embedded' or tablename ~ '^(idp|mailbox|channel_emulator)_' order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  const main = copyWithoutWebApp();
  const configured = { AUTH0_DOMAIN: 'tenant.example', AUTH0_CLIENT_ID: 'id', SMTP_URL: 'smtp://127.0.0.1:9' };
  expect((await start(main, url, configured)).output).toContain('The web app is not built');
  expect(await listTables()).toEqual([]);

  expect((await start(main, url)).output).toContain('The web app is not built');
  expect(await listTables()).toContain('embedded.idp_accounts');
}, 60_000);
