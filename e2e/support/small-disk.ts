import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../scripts/is-alive.ts';
import { test as base } from './fault.ts';
import { endProcessesOf, processesOf, signal } from './processes.ts';

const PREFIX = 'brand-portal-small-disk-';
const MEGABYTE = 1024 * 1024;

/** A real file system of a few megabytes, held in memory, which can be filled up to the last byte and emptied again. */
export class SmallDisk {
  readonly path: string;
  #ballast: string;

  constructor(megabytes: number) {
    this.path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    this.#ballast = join(this.path, 'ballast');
    try {
      // Everybody may write to it: the embedded database does as another user.
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

  /** Leaves no more than so much room. */
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

  /** Whoever still works on it is ended first. */
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
  // Lazily: out of sight at once, and gone when the last file is closed.
  asRoot('umount', '--lazy', path);
  rmdirSync(path);
}

/** The mounted disks whose owner, the process in their name, is one of these. */
function disksOf(isOwner: (pid: number) => boolean): string[] {
  const start = join(tmpdir(), PREFIX);
  const points = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  return points.filter((point) => point.startsWith(start) && isOwner(Number.parseInt(point.slice(start.length), 10)));
}

// A runner that is interrupted skips the end of its tests.
process.on('exit', () => {
  if (process.platform !== 'linux') return;
  for (const path of disksOf((pid) => pid === process.pid)) {
    for (const { pid } of processesOf(path)) signal(pid, 'SIGKILL');
    unmount(path);
  }
});

/** The disk, or the reason why there is none. What a killed runner left is removed first. */
async function makeDisk(megabytes: number): Promise<SmallDisk | string> {
  if (process.platform !== 'linux') return 'Only Linux has a file system of a chosen size in memory.';
  try {
    for (const path of disksOf((pid) => !isAlive(pid))) {
      await endProcessesOf(path);
      unmount(path);
    }
    return new SmallDisk(megabytes);
  } catch (error) {
    return `A small disk cannot be mounted here, which takes root or a sudo that asks nothing: ${(error as Error).message}`;
  }
}

interface DiskFixtures {
  megabytes: number;
  disk: SmallDisk;
}

/** A fault test with a disk of its own. Skipped, with the reason, where none can be mounted. */
export const test = base.extend<DiskFixtures>({
  megabytes: [16, { option: true }],
  disk: async ({ megabytes }, use, testInfo) => {
    const disk = await makeDisk(megabytes);
    if (typeof disk === 'string') return testInfo.skip(true, disk);
    await use(disk);
    await disk.remove();
  },
});
