import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesOf, processesOf, signal } from './processes.ts';

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

export async function makeDataFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-e2e-'));
  inUse.add(folder);
  return folder;
}

/** Kills the database that runs in the folder, then removes the folder. */
export async function removeDataFolder(folder: string): Promise<void> {
  await endProcessesOf(folder);
  remove(folder);
}
