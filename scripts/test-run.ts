import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** In the environment of everything that a test run starts: the run's folder for temporary files. */
const MARK = 'BRAND_PORTAL_TEST_RUN';

/**
 * Marks what this process starts from now on, and starts a watcher that ends it and removes the folder when this process has ended,
 * however it did. Called first by whatever begins a run: our runner, or Vitest or Playwright on their own.
 */
export default function beginTestRun(): void {
  if (process.env[MARK]) return;
  // The tests start servers and commands by the hundred: what Node has made of our sources once need not be made again.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/node-compile');
  // Databases are cloned and dropped by the thousand, and a disk takes twice as long for it. Half of what the memory has free is enough.
  if (process.env.TMPDIR === undefined && process.platform === 'linux' && freeBytes('/dev/shm') > 4 * 1024 ** 3) {
    process.env.TMPDIR = '/dev/shm';
  }
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-run-'));
  const watcher = spawn(process.execPath, [join(import.meta.dirname, 'test-run.ts'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as Socket).unref();
  process.env[MARK] = folder;
  process.env.TMPDIR = folder;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem() / 2);
  } catch {
    // A system without it.
    return 0;
  }
}

interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that carry the mark of this folder, which no other program can have by chance. */
export function processesOfRun(folder: string): RunningProcess[] {
  const mark = `${MARK}=${folder}`;
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readProcess(name, 'environ').split('\0').includes(mark))
      .map((name) => ({ pid: Number(name), command: readProcess(name, 'cmdline').replaceAll('\0', ' ') }));
  }
  // With the environment after the command. Windows has no such program, and keeps what a killed run leaves.
  const lines = process.platform === 'win32' ? '' : execFileSync('ps', ['-AwwE', '-o', 'pid=,command='], { encoding: 'utf8' });
  return lines
    .split('\n')
    .filter((line) => line.split(' ').includes(mark))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }));
}

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended, or belongs to somebody else.
    return '';
  }
}

function send(signal: NodeJS.Signals, { pid }: RunningProcess): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

const isPostgres = ({ command }: RunningProcess) => /^(\S*\/)?postgres\b/.test(command);

async function endRun(folder: string): Promise<void> {
  const started = Date.now();
  for (let left = processesOfRun(folder); left.length > 0; left = processesOfRun(folder)) {
    const others = left.filter((each) => !isPostgres(each));
    for (const other of others) send('SIGKILL', other);
    // After its server, which would start it again. A SIGINT lets it remove its shared memory.
    const signal = Date.now() - started < 5_000 ? 'SIGINT' : 'SIGKILL';
    if (others.length === 0) for (const postgres of left) send(signal, postgres);
    await wait(200);
  }
  unmountDisksIn(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The small disks of the fault tests. */
function unmountDisksIn(folder: string): void {
  if (process.platform !== 'linux') return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  for (const mount of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [, place = ''] = mount.split(' ');
    if (place.startsWith(`${folder}/`)) spawnSync('env', [...asRoot, 'umount', '--lazy', place]);
  }
}

if (import.meta.main) {
  const [, , folder = ''] = process.argv;
  // Ends with the process that started us.
  for await (const _ of process.stdin);
  // What is just ending by itself may.
  await wait(1_000);
  await endRun(folder);
}
