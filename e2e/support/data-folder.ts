import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesOf } from './processes.ts';

export function makeDataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'brand-portal-e2e-'));
}

/** Ends the database that works in the folder, then removes it. */
export async function removeDataFolder(folder: string): Promise<void> {
  await endProcessesOf(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
