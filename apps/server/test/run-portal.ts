import { runCommand } from '@brand-portal/embedded/cli/portal.ts';
import { vi } from 'vitest';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an operator command without the environment of the developer. Replaces process.env, so only one may run at a time. */
export async function runPortal(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { PATH } = process.env;
  const outer = process.env;
  let stdout = '';
  let stderr = '';
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => {
      stdout += `${line}\n`;
    }),
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += text;
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += text;
      return true;
    }),
  ];
  process.env = { PATH, NO_COLOR: '1', ...env };
  try {
    return { code: await runCommand(args), stdout, stderr };
  } finally {
    process.env = outer;
    for (const spy of spies) spy.mockRestore();
  }
}
