import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 120_000;
/** The documented deadline for a stop. */
export const STOP_WITHIN_MS = 5_000;

/** For tests that would exceed the rate limit. */
export const UNLIMITED = { REQUESTS_PER_MINUTE: '1000000' };

const { PATH, HOME, NODE_COMPILE_CACHE, TMPDIR, BRAND_PORTAL_TEST_RUN } = process.env;
/** Without the settings of the developer. */
export const BARE_ENVIRONMENT = { PATH, HOME, NODE_COMPILE_CACHE, TMPDIR, BRAND_PORTAL_TEST_RUN };

interface ServerOptions {
  dataDir: string;
  port?: number;
  /** Added to the bare environment. */
  env?: Record<string, string>;
}

interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process of the real server. */
export class ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Added to the bare environment. */
  readonly env: Record<string, string>;
  readonly ended: Promise<Ending>;
  #child: ChildProcess;
  #log = '';
  #errors = '';

  constructor({ dataDir, port, env = {} }: ServerOptions & { port: number }) {
    this.port = port;
    this.dataDir = dataDir;
    this.env = env;
    this.url = `http://localhost:${port}`;
    this.#child = spawn(process.execPath, ['apps/embedded/src/main.ts'], {
      cwd: ROOT,
      env: { ...BARE_ENVIRONMENT, PORT: String(port), DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.#log += chunk;
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.#log += chunk;
      this.#errors += chunk;
    });
    // An interrupted test runner must not leave its server running.
    const killAtExit = () => this.#child.kill('SIGKILL');
    process.on('exit', killAtExit);
    this.#child.on('exit', () => process.off('exit', killAtExit));
    this.ended = new Promise((resolve) => {
      // `exit`, not `close`: the database may keep the output open after the server has exited.
      this.#child.on('exit', (code, signal) => resolve({ code, signal }));
      this.#child.on('error', () => resolve({ code: null, signal: null }));
    });
  }

  /** The output so far, both stdout and stderr. */
  get log(): string {
    return this.#log;
  }

  /** The output to stderr. */
  get errors(): string {
    return this.#errors.trim();
  }

  /** Waits until the log contains the text. Returns false if the process ends without it. */
  async logged(text: string): Promise<boolean> {
    while (!this.#log.includes(text)) {
      if (!this.isRunning) return false;
      await wait(5);
    }
    return true;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Waits until the server is ready. Throws with the log if it exits or takes too long. */
  async ready(): Promise<this> {
    const giveUpAt = Date.now() + READY_WITHIN_MS;
    while (this.isRunning && Date.now() < giveUpAt) {
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
      await answer?.body?.cancel();
      if (answer?.status === 200) return this;
      await wait(50);
    }
    const wasRunning = this.isRunning;
    await this.kill();
    const why = wasRunning
      ? `is not ready after ${READY_WITHIN_MS} ms`
      : `ended before it was ready, with ${JSON.stringify(await this.ended)}`;
    throw new Error(`The server ${why}. Its log:\n${this.#log}`);
  }

  /** Sends SIGTERM, like a process manager. Returns how long the stop took. */
  async stop(): Promise<Ending & { milliseconds: number }> {
    const started = Date.now();
    this.#child.kill('SIGTERM');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS * 2);
    const ending = await this.ended;
    clearTimeout(late);
    return { ...ending, milliseconds: Date.now() - started };
  }

  /** Sends SIGKILL. The database keeps running. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

export async function launchServer(options: ServerOptions): Promise<ServerProcess> {
  return new ServerProcess({ ...options, port: options.port ?? (await freePort()) });
}

/** Starts a server and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  return (await launchServer(options)).ready();
}
