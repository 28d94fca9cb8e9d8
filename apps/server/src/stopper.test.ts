import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const PROGRAM = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { createStopper } from ${JSON.stringify(new URL('stopper.ts', import.meta.url))};
  const stopper = createStopper({ stopWithParent: true });
  stopper.onStop(async () => {
    await sleep(600);
    console.log('cleaned up');
  });
  console.log('ready');
  setInterval(() => {}, 1_000);
`;

/** Runs the program as npm does, as the child of a shell, in a process group of its own. */
function startInShell() {
  const node = `'${process.execPath}' --input-type=module --eval "$PROGRAM"; true`;
  const shell = spawn('sh', ['-c', node], { detached: true, env: { ...process.env, PROGRAM } });
  return { group: -(shell.pid ?? 0), shell, output: text(shell.stdout), started: once(shell.stdout, 'data') };
}

test('a signal to the whole process group is one signal, although the parent ends too: everything is stopped in order', async () => {
  const { group, output, started } = startInShell();
  await started;
  process.kill(group, 'SIGTERM');
  expect(await output).toBe('ready\ncleaned up\n');
});

test('the end of the parent alone stops everything in order', async () => {
  const { shell, output, started } = startInShell();
  await started;
  shell.kill('SIGTERM');
  expect(await output).toBe('ready\ncleaned up\n');
});

test('a second signal exits at once', async () => {
  const { group, output, started } = startInShell();
  await started;
  process.kill(group, 'SIGTERM');
  setTimeout(() => process.kill(group, 'SIGTERM'), 100);
  expect(await output).toBe('ready\n');
});
