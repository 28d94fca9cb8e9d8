import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '@brand-portal/server/lib/errors.ts';

const STARTUP_TIMEOUT_MS = 120_000;

/**
 * The port of a PostgreSQL that already serves this data folder, or undefined. Reads `postmaster.pid`: line 1 pid, line 4 port, line 8
 * status (starting, ready, stopping).
 */
export async function findRunningPostgres(data: string): Promise<number | undefined> {
  const pidFile = join(data, 'postmaster.pid');
  const giveUpAt = Date.now() + STARTUP_TIMEOUT_MS;
  const emptyUntil = Date.now() + 2_000;
  while (Date.now() < giveUpAt) {
    const lines = readLines(pidFile);
    if (!lines) return undefined;
    const pid = Number(lines[0]);
    // PostgreSQL creates the file and then fills it. If it stays empty, PostgreSQL crashed in between.
    const beingWritten = !pid && Date.now() < emptyUntil;
    if (!beingWritten && !isPostgresOf(pid, data)) {
      // After a crash the pid may belong to another program, and PostgreSQL would refuse to start.
      rmSync(pidFile, { force: true });
      return undefined;
    }
    if (lines[7]?.trim() === 'ready') return Number(lines[3]);
    await sleep(100);
  }
  throw new StartupError(`The PostgreSQL in ${data} neither becomes ready nor stops: see postgres.log beside it.`);
}

function readLines(path: string): string[] | undefined {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return undefined;
  }
}

function isPostgresOf(pid: number, data: string): boolean {
  const commandLine = readCommandLine(pid);
  return commandLine.includes('postgres') && commandLine.includes(data);
}

function readCommandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
