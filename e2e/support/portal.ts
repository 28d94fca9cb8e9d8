import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OperatorAnswer, OperatorCommand } from './operator.ts';
import { BARE_ENVIRONMENT, type ServerProcess } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const execute = promisify(execFile);

let operator: ChildProcess | undefined;
let previous: Promise<unknown> = Promise.resolve();

/** An operator's command beside a running server. One process runs them all: starting one takes a second of CPU. */
export function portal(server: ServerProcess, ...args: string[]): Promise<string> {
  const env = { ...BARE_ENVIRONMENT, ...server.env, DATA_DIR: server.dataDir, PUBLIC_URL: server.url };
  const answer = previous.then(() => tellOperator({ args, env }));
  previous = answer.catch(() => undefined);
  return answer;
}

async function tellOperator(command: OperatorCommand): Promise<string> {
  operator ??= fork(join(import.meta.dirname, 'operator.ts'), { cwd: ROOT, env: BARE_ENVIRONMENT, execArgv: [] });
  const answered = once(operator, 'message') as Promise<[OperatorAnswer]>;
  operator.send(command);
  const [{ code, output }] = await answered;
  if (code !== 0) throw new Error(`portal ${command.args.join(' ')}: ${output}`);
  return output;
}

/** Connects a brand to the emulator, on its side and on ours: without it, what is published waits. */
export async function connectBrand(server: ServerProcess, brand: { id: string; name: string }): Promise<void> {
  const clientId = String(9_000 + Number(brand.id));
  await portal(server, 'emulator', 'link', '--client-id', clientId, '--registered-name', brand.name);
  const place = ['--client-id', clientId, '--countries', 'DE,AT', '--language', 'de', '--registered-name', brand.name];
  await portal(server, 'channel', 'connect', '--brand', brand.id, ...place);
}

/** The same in a process of its own, on a data folder that no server may be using. */
export async function portalOf(dataDir: string, ...args: string[]): Promise<string> {
  const command = ['apps/embedded/src/cli/portal.ts', ...args];
  const env = { ...BARE_ENVIRONMENT, DATA_DIR: dataDir };
  const { stdout } = await execute(process.execPath, command, { cwd: ROOT, env });
  return stdout;
}

/** How the channel emulator behaves from now on. */
export async function setSwitches(server: ServerProcess, switches: object): Promise<void> {
  const answer = await fetch(`${server.url}/channel-emulator/switches`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(switches),
  });
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}: ${await answer.text()}`);
}
