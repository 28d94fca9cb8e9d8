import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processesOfRun } from './test-run.ts';

const ROOT = join(import.meta.dirname, '..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** It takes longer than the kill needs. */
const SOME_TEST = 'apps/server/src/people/members/team.test.ts';

/** Starts a run that is not part of ours, with a folder of its own for temporary files. */
function startRun(args: string[]) {
  const temporary = mkdtempSync(join(tmpdir(), 'killed-run-'));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const { BRAND_PORTAL_TEST_RUN: _, ...env } = process.env;
  const run = spawn(process.execPath, args, { cwd: ROOT, env: { ...env, TMPDIR: temporary }, stdio: 'ignore' });
  onTestFinished(() => void run.kill('SIGKILL'));
  const folder = () => join(temporary, readdirSync(temporary).find((name) => name.startsWith('brand-portal-run-')) ?? '-');
  return { run, folder };
}

test.runIf(process.platform !== 'win32').each([
  ['our runner', ['scripts/test.ts', SOME_TEST]],
  ['vitest alone', [VITEST, 'run', '--project', 'server', SOME_TEST]],
])('a run by %s that is killed leaves no database, no worker and no file', { timeout: 120_000 }, async (_runner, args) => {
  const { run, folder } = startRun(args);
  const commands = () => processesOfRun(folder()).map(({ command }) => command);
  await expect.poll(commands, { timeout: 60_000 }).toContainEqual(expect.stringMatching(/\/postgres /));
  await expect.poll(commands, { timeout: 60_000 }).toContainEqual(expect.stringMatching(/node/));
  const left = folder();
  run.kill('SIGKILL');
  await expect.poll(() => existsSync(left), { timeout: 30_000 }).toBe(false);
  expect(processesOfRun(left)).toEqual([]);
});
