import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

interface RunningProcess {
  pid: number;
  command: string;
}

/** All processes of the machine. Zombies have an empty command line. */
function listProcesses(): RunningProcess[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-Aww', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n');
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }));
  }
  // Slim containers have no `ps`.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: readCommand(name) }));
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** The processes with this folder in their command line: the database processes that use it. */
export function processesOf(folder: string): RunningProcess[] {
  return listProcesses().filter(({ pid, command }) => pid !== process.pid && command.includes(folder));
}

/** Sends a signal to a process that may have ended in the meantime. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills all processes that use the folder, and waits until they have ended. */
export async function endProcessesOf(folder: string): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  for (let running = processesOf(folder); running.length > 0; running = processesOf(folder)) {
    if (Date.now() > giveUpAt) throw new Error(`Still running in ${folder}: ${JSON.stringify(running)}`);
    for (const { pid } of running) signal(pid, 'SIGKILL');
    await wait(50);
  }
}
