import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BARE_ENVIRONMENT, type ServerProcess } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const execute = promisify(execFile);

/** Runs an operator command next to a running server. */
export function portal(server: ServerProcess, ...args: string[]): Promise<string> {
  return run(args, { ...server.env, DATA_DIR: server.dataDir, PUBLIC_URL: server.url });
}

/** Connects a brand to the channel emulator, on both sides. Without a connection nothing is delivered. */
export async function connectBrand(server: ServerProcess, brand: { id: string; name: string }): Promise<void> {
  const clientId = String(9_000 + Number(brand.id));
  await portal(server, 'emulator', 'link', '--client-id', clientId, '--registered-name', brand.name);
  const place = ['--client-id', clientId, '--countries', 'DE,AT', '--language', 'de', '--registered-name', brand.name];
  await portal(server, 'channel', 'connect', '--brand', brand.id, ...place);
}

/** Runs an operator command on a data folder. No server may be using it. */
export function portalOf(dataDir: string, ...args: string[]): Promise<string> {
  return run(args, { DATA_DIR: dataDir });
}

async function run(args: string[], env: Record<string, string>): Promise<string> {
  const command = ['apps/embedded/src/cli/portal.ts', ...args];
  const { stdout } = await execute(process.execPath, command, { cwd: ROOT, env: { ...BARE_ENVIRONMENT, ...env } });
  return stdout;
}

/** Sets how the channel emulator behaves. */
export async function setSwitches(server: ServerProcess, switches: object): Promise<void> {
  const answer = await fetch(`${server.url}/channel-emulator/switches`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switches),
  });
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}: ${await answer.text()}`);
}
