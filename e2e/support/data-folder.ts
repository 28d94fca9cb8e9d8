import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../scripts/is-alive.ts';
import { endProcessesOf, processesOf, signal } from './processes.ts';

const PREFIX = 'brand-portal-e2e-';

/** Folders of this process that were not removed yet. */
const inUse = new Set<string>();

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  inUse.delete(folder);
}

// A runner that is interrupted skips the end of its tests, and the database outlives its server by design.
process.on('exit', () => {
  for (const folder of inUse) {
    for (const { pid } of processesOf(folder)) signal(pid, 'SIGKILL');
    remove(folder);
  }
});

/** What a killed runner left. The name of a folder tells whose it is. */
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

/** Ends the database that works in the folder, then removes it. */
export async function removeDataFolder(folder: string): Promise<void> {
  await endProcessesOf(folder);
  remove(folder);
}
