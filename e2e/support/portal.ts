import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BARE_ENVIRONMENT, type ServerProcess } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The operator's command line, beside a running server. */
export async function portal(server: ServerProcess, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['apps/server/src/cli/portal.ts', ...args], {
    cwd: ROOT,
    env: { ...BARE_ENVIRONMENT, DATA_DIR: server.dataDir, PUBLIC_URL: server.url },
  });
  return stdout;
}
