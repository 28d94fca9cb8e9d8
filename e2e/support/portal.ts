import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerProcess } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The operator's command line, beside a running server. */
export async function portal(server: ServerProcess, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['apps/server/src/cli/portal.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: server.dataDir, PUBLIC_URL: server.url },
  });
  return stdout;
}
