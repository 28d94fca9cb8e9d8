import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const IDLE_PROGRAM = `
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

/** Is busy after it is ready, in a callback of I/O: timers run before it learns of signals. */
const BUSY_PROGRAM = IDLE_PROGRAM.replace(
  `console.log('ready');`,
  `(await import('node:fs')).stat('/', () => {
    console.log('ready');
    for (const end = performance.now() + 600; performance.now() < end; );
  });`,
);

/** Runs the program as npm does, as the child of a shell, in a process group of its own. */
function startInShell(PROGRAM = IDLE_PROGRAM) {
  const node = `'${process.execPath}' --input-type=module --eval "$PROGRAM"; true`;
  const shell = spawn('sh', ['-c', node], { detached: true, env: { ...process.env, PROGRAM } });
  return { group: -(shell.pid ?? 0), shell, output: text(shell.stdout), started: once(shell.stdout, 'data') };
}

test.each([
  ['', IDLE_PROGRAM],
  [', even if the server was busy and learns of the parent first', BUSY_PROGRAM],
])('a signal to the whole process group is one signal, although the parent ends too%s', async (_name, program) => {
  const { group, output, started } = startInShell(program);
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
