import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../scripts/free-port.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 120_000;

export interface Portal {
  /** The server's process id, for memory and CPU figures. */
  readonly pid: number;
  readonly url: string;
  readonly databaseUrl: string;
  readonly postgresLog: string;
  /** The process id of the postmaster. */
  readonly postgresPid: number;
  stop(): Promise<void>;
}

/** The product as users run it: a separate process with its embedded database and an empty data folder, which is removed at the end. */
export async function startPortal(settings: Readonly<Record<string, string>> = {}): Promise<Portal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'brand-portal-bench-'));
  const { server, url } = await startServer(dataDir, settings);
  const connection = JSON.parse(readFileSync(join(dataDir, 'postgres/connection.json'), 'utf8')) as { url: string };
  return {
    pid: server.pid ?? 0,
    url,
    databaseUrl: connection.url,
    postgresLog: join(dataDir, 'postgres/postgres.log'),
    postgresPid: Number.parseInt(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10),
    stop: async () => {
      await stopProcess(server);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Another server on the same database. */
export async function startSecondServer({ databaseUrl }: Portal, settings: Readonly<Record<string, string>> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'brand-portal-bench-'));
  const { server, url } = await startServer(dataDir, { ...settings, DATABASE_URL: databaseUrl });
  const stop = async () => {
    await stopProcess(server);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, stop };
}

async function startServer(dataDir: string, settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [join(ROOT, 'apps/embedded/src/main.ts')], {
    cwd: dataDir,
    stdio: ['ignore', process.env.LOG_LEVEL ? 'inherit' : 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...{
        NODE_ENV: 'production',
        ALLOW_EMBEDDED_IDENTITY: 'true',
        DATABASE_URL: '',
        LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      },
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      REQUESTS_PER_MINUTE: '1000000',
      ...settings,
    },
  });
  await waitUntilReady(server, url);
  return { server, url };
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error('The server did not start');
    const answer = await fetch(`${url}/api/v1/brands/`).catch(() => undefined);
    if (answer?.status === 401) return;
    await sleep(200);
  }
  server.kill('SIGKILL');
  throw new Error('The server did not become ready in time');
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const late = sleep(15_000).then(() => child.kill('SIGKILL'));
  await Promise.race([closed, late]);
}

export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // After a failure, stopping the portal cuts the connection. Without a listener, that error would hide the failure.
  client.on('error', () => {});
  await client.connect();
  return client;
}
