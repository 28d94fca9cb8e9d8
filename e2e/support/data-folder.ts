import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../scripts/is-alive.ts';
import { endProcessesOf, processesOf, signal } from './processes.ts';

const PREFIX = 'brand-portal-e2e-';

/** Folders of this process that are not removed yet. */
const inUse = new Set<string>();

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  inUse.delete(folder);
}

// An interrupted test runner skips teardown, and the database keeps running without its server by design.
process.on('exit', () => {
  for (const folder of inUse) {
    for (const { pid } of processesOf(folder)) signal(pid, 'SIGKILL');
    remove(folder);
  }
});

/** Removes folders of test runners that were killed. The name of a folder has the runner's process id. */
async function removeAbandoned(): Promise<void> {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const owner = Number(/^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]);
    if (owner && !isAlive(owner)) await removeDataFolder(join(tmpdir(), name));
  }
}

export async function makeDataFolder(): Promise<string> {
  await removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  inUse.add(folder);
  return folder;
}

/** Kills the database that runs in the folder, then removes the folder. */
export async function removeDataFolder(folder: string): Promise<void> {
  await endProcessesOf(folder);
  remove(folder);
}
