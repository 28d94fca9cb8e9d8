import { execFile } from 'node:child_process';
import { join } from 'node:path';

const PORTAL = join(import.meta.dirname, '../../embedded/src/cli/portal.ts');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The operator's command line as a process of its own, with an environment that has nothing of the person who tests. */
export function runPortal(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return new Promise((resolve) => {
    const options = { env: { PATH, NODE_COMPILE_CACHE, NO_COLOR: '1', ...env }, timeout: 20_000 };
    execFile(process.execPath, [PORTAL, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}
