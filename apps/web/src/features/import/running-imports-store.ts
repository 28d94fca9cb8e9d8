import { ApiError } from '../../lib/api-error.ts';
import { readItem, removeItem, storeItem } from '../../lib/web-storage.ts';

/**
 * The imports that this tab has started and that have not ended, in session storage: after a reload the user still gets
 * their result.
 */

export interface RunningImport {
  brandId: number;
  importId: number;
}

const KEY = 'running-imports';
/** Imports that this page load polls. */
const polled = new Set<number>();

function stored(): RunningImport[] {
  try {
    const found: unknown = JSON.parse(readItem('session', KEY) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function store(imports: readonly RunningImport[]): void {
  if (imports.length === 0) removeItem('session', KEY);
  else storeItem('session', KEY, JSON.stringify(imports));
}

const others = (importId: number) => stored().filter((running) => running.importId !== importId);

export function rememberImport({ brandId, importId }: RunningImport): void {
  polled.add(importId);
  store([...others(importId), { brandId, importId }]);
}

/** Polling has ended, perhaps with an error. */
export function forgetImport(importId: number, error?: unknown): void {
  polled.delete(importId);
  // Its result is announced after the next sign-in.
  if (!isSessionOver(error)) store(others(importId));
}

export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Imports that were started before the page was loaded and that are not polled yet. */
export function importsToResume(): RunningImport[] {
  return stored().filter(({ importId }) => !polled.has(importId));
}
