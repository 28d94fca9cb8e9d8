import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const node = (script: string, options = {}) => runCommand(process.execPath, ['-e', script], options);

describe('a command', () => {
  it('returns its exit code and both outputs', async () => {
    const result = await node('console.log("out"); console.error("err"); process.exitCode = 3');
    expect(result).toMatchObject({ code: 3, timedOut: false });
    expect(result.output).toContain('out\n');
    expect(result.output).toContain('err\n');
  });

  it('that does not exist is a result, not an exception', async () => {
    expect(await runCommand('/no/such/program', [])).toMatchObject({ code: null });
  });

  it.skipIf(process.platform === 'win32')('that takes too long is killed with the processes it started', async () => {
    // The grandchild keeps the output open, and a command ends only when its output is closed.
    const script = `
      require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      setInterval(() => {}, 1000);`;
    const started = Date.now();
    expect(await node(script, { timeoutMs: 500 })).toMatchObject({ timedOut: true });
    expect(Date.now() - started).toBeLessThan(4_000);
  });
});
