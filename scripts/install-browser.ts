import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.ts';

const MINUTE = 60_000;

interface PackageManager {
  program: string;
  /** Run in order. Only the last one must succeed (a stale index may still know the package). */
  commands: string[][];
  needsRoot: boolean;
}

const PACKAGE_MANAGERS: PackageManager[] = [
  {
    program: 'apt-get',
    commands: [['update'], ['install', '-y', '--no-install-recommends', 'chromium']],
    needsRoot: true,
  },
  { program: 'dnf', commands: [['install', '-y', 'chromium']], needsRoot: true },
  { program: 'apk', commands: [['add', '--no-cache', 'chromium']], needsRoot: true },
  { program: 'pacman', commands: [['-Sy', '--noconfirm', 'chromium']], needsRoot: true },
  { program: 'brew', commands: [['install', '--cask', 'chromium']], needsRoot: false },
];

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The prefix of a command that needs root: nothing, `sudo -n`, or undefined if neither works. */
async function rootPrefix(): Promise<string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  if (!isOnPath('sudo')) return undefined;
  // -n: a test run must never ask for a password.
  const { code } = await runCommand('sudo', ['-n', 'true'], { timeoutMs: 10_000 });
  return code === 0 ? ['sudo', '-n'] : undefined;
}

/** Downloads print nothing for minutes on a slow line, so this prints progress. */
async function withProgress<T>(say: (text: string) => void, work: Promise<T>): Promise<T> {
  const started = Date.now();
  const timer = setInterval(() => say(`  still running (${Math.round((Date.now() - started) / 1000)} s)`), 15_000);
  return work.finally(() => clearInterval(timer));
}

/** Playwright's own download. `cli` is the path of its command line. */
export async function installWithPlaywright(cli: string, say: (text: string) => void): Promise<void> {
  say('No Chromium found. Downloading one with Playwright (up to 3 minutes) ...');
  const { code, timedOut } = await withProgress(
    say,
    runCommand(process.execPath, [cli, 'install', '--no-shell', 'chromium'], { timeoutMs: 3 * MINUTE }),
  );
  if (code !== 0) say(`Playwright could not download it${timedOut ? ' in time' : ''}.`);
}

/** The shared libraries that a downloaded Chromium lacks on a minimal Linux. */
export async function installPlaywrightLibraries(cli: string, say: (text: string) => void): Promise<void> {
  if (process.platform !== 'linux' || !isOnPath('apt-get') || (await rootPrefix()) === undefined) return;
  say('The downloaded Chromium does not start. Installing the libraries it needs ...');
  await withProgress(say, runCommand(process.execPath, [cli, 'install-deps', 'chromium'], { timeoutMs: 10 * MINUTE }));
}

/** Uses the system's package manager, if there is one and it is allowed. */
export async function installWithPackageManager(say: (text: string) => void): Promise<void> {
  const manager = PACKAGE_MANAGERS.find(({ program }) => isOnPath(program));
  if (manager === undefined) return;
  const prefix = manager.needsRoot ? await rootPrefix() : [];
  if (prefix === undefined) {
    say(`${manager.program} needs root to install Chromium.`);
    return;
  }
  for (const args of manager.commands) {
    const [file = manager.program, ...rest] = [...prefix, manager.program, ...args];
    say(`Running ${[file, ...rest].join(' ')} ...`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { code, output } = await withProgress(say, runCommand(file, rest, { timeoutMs: 10 * MINUTE, env }));
    if (code !== 0) say(`It failed: ${output.trim().split('\n').slice(-3).join(' ')}`);
  }
}
