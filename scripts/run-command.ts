import { spawn } from 'node:child_process';

interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Kills the command and its children after this time. */
  timeoutMs?: number;
  /** `show` also passes the output through to stderr; `collect` only returns it. */
  output?: 'show' | 'collect';
}

interface CommandResult {
  code: number | null;
  timedOut: boolean;
  output: string;
}

/** Only the end of a long output is kept: it is quoted in messages, never parsed. */
const KEPT_OUTPUT = 64 * 1024;

/** Runs a program to its end. Never throws: if it cannot be started, the code is null. */
export function runCommand(file: string, args: string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { cwd, env = process.env, timeoutMs, output = 'collect' } = options;
  return new Promise((resolve) => {
    let text = '';
    let timedOut = false;
    // A separate process group, so that children of a package manager or browser are killed too.
    const ownGroup = process.platform !== 'win32';
    const child = spawn(file, args, { cwd, env, detached: ownGroup, stdio: ['ignore', 'pipe', 'pipe'] });

    const end = (signal: NodeJS.Signals) => {
      if (child.pid === undefined) return;
      try {
        if (ownGroup) process.kill(-child.pid, signal);
        else child.kill(signal);
      } catch {
        // It has exited in the meantime.
      }
    };
    const interrupted = () => {
      end('SIGTERM');
      process.exit(130);
    };
    process.once('SIGINT', interrupted);
    process.once('SIGTERM', interrupted);
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    function expire() {
      timedOut = true;
      end('SIGTERM');
      setTimeout(() => end('SIGKILL'), 5_000).unref();
    }
    const settle = (code: number | null) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupted);
      process.off('SIGTERM', interrupted);
      resolve({ code, timedOut, output: text });
    };

    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        text = (text + chunk).slice(-KEPT_OUTPUT);
        if (output === 'show') process.stderr.write(chunk);
      });
    }
    child.on('error', (error) => {
      text += error.message;
      settle(null);
    });
    child.on('close', settle);
  });
}
