import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from './fault.ts';
import { endProcessesOf, processesOf, signal } from './processes.ts';

const PREFIX = 'brand-portal-small-disk-';
const MEGABYTE = 1024 * 1024;

/** A small tmpfs that tests can fill completely and empty again. */
export class SmallDisk {
  readonly path: string;
  #ballast: string;

  constructor(megabytes: number) {
    this.path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    this.#ballast = join(this.path, 'ballast');
    try {
      // Writable for all: the embedded database may run as another user.
      asRoot('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'brand-portal-test', this.path);
    } catch (error) {
      rmdirSync(this.path);
      throw error;
    }
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return bavail * bsize;
  }

  /** Fills the disk until only `left` bytes are free. */
  fill(left = 0): void {
    const file = openSync(this.#ballast, 'a');
    try {
      while (this.freeBytes > left) writeSync(file, Buffer.alloc(Math.min(MEGABYTE, this.freeBytes - left)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Kills processes that still use the disk, then unmounts it. */
  async remove(): Promise<void> {
    await endProcessesOf(this.path);
    unmount(this.path);
  }
}

function asRoot(program: string, ...args: string[]): void {
  const isRoot = process.getuid?.() === 0;
  const [file, rest] = isRoot ? [program, args] : ['sudo', ['--non-interactive', program, ...args]];
  execFileSync(file, rest, { stdio: 'pipe' });
}

function unmount(path: string): void {
  // Lazy, because files may still be open.
  asRoot('umount', '--lazy', path);
  rmdirSync(path);
}

/** The mounted disks of this process, whose id is part of the name. */
function ownDisks(): string[] {
  const start = `${join(tmpdir(), PREFIX)}${process.pid}-`;
  const points = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return points.filter((point) => point.startsWith(start));
}

// An interrupted test runner skips teardown.
process.on('exit', () => {
  if (process.platform !== 'linux') return;
  for (const path of ownDisks()) {
    for (const { pid } of processesOf(path)) signal(pid, 'SIGKILL');
    unmount(path);
  }
});

/** Mounts a disk, or returns the reason why it cannot. */
function makeDisk(megabytes: number): SmallDisk | string {
  if (process.platform !== 'linux') return 'Only Linux has a file system of a chosen size in memory.';
  try {
    return new SmallDisk(megabytes);
  } catch (error) {
    return `Cannot mount a small disk, which needs root or sudo without a password: ${(error as Error).message}`;
  }
}

interface DiskFixtures {
  megabytes: number;
  disk: SmallDisk;
}

/** A fault test with its own small disk. Skipped if none can be mounted. */
export const test = base.extend<DiskFixtures>({
  megabytes: [16, { option: true }],
  disk: async ({ megabytes }, use, testInfo) => {
    const disk = makeDisk(megabytes);
    if (typeof disk === 'string') return testInfo.skip(true, disk);
    await use(disk);
    await disk.remove();
  },
});
