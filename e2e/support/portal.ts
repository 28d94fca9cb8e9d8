import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BARE_ENVIRONMENT, type ServerProcess } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const execute = promisify(execFile);

/** The operator's command line, beside a running server. */
export function portal(server: ServerProcess, ...args: string[]): Promise<string> {
  return run(args, { ...server.env, DATA_DIR: server.dataDir, PUBLIC_URL: server.url });
}

/** The same on a data folder that no server may be using. */
export function portalOf(dataDir: string, ...args: string[]): Promise<string> {
  return run(args, { DATA_DIR: dataDir });
}

async function run(args: string[], env: Record<string, string>): Promise<string> {
  const command = ['apps/embedded/src/cli/portal.ts', ...args];
  const { stdout } = await execute(process.execPath, command, { cwd: ROOT, env: { ...BARE_ENVIRONMENT, ...env } });
  return stdout;
}
