import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemBrowserPlaces } from './browser-places.ts';
import { installPlaywrightLibraries, installWithPackageManager, installWithPlaywright } from './install-browser.ts';
import { runCommand } from './run-command.ts';

const HOW_TO_PROVIDE_ONE = 'No Chromium: install Chromium or Chrome, or set CHROMIUM_PATH to the program file of one, and run again.';

/** For a browser that is driven: no sandbox, which containers do not allow, and no traffic of its own. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Playwright is a dependency of the e2e workspace, so it is resolved from there. */
const requireFromJourneys = createRequire(join(import.meta.dirname, '../e2e/package.json'));

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Checks that it starts: wrappers without a browser and missing libraries are common. */
export async function startsBrowser(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  // On Windows, `--version` opens a window instead of printing it.
  if (process.platform === 'win32') return true;
  const { code, output } = await runCommand(path, ['--version'], { timeoutMs: 20_000 });
  return code === 0 && /(Chrom|Edg)\D*\d+\./.test(output);
}

async function firstThatStarts(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await startsBrowser(path)) return path;
  }
  return undefined;
}

function systemPlaces(): string[] {
  return systemBrowserPlaces({ platform: process.platform, env: process.env, home: homedir() });
}

function playwrightPlace(): string {
  const { chromium } = requireFromJourneys('@playwright/test') as { chromium: { executablePath(): string } };
  return chromium.executablePath();
}

/** The path of a Chromium that starts. Installs one if there is none. Throws one clear sentence if it cannot. */
export async function findBrowser(): Promise<string> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (await startsBrowser(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is not a Chromium that starts.`);
  }

  const found = await firstThatStarts([...systemPlaces(), playwrightPlace()]);
  if (found !== undefined) return found;

  const playwrightCli = requireFromJourneys.resolve('@playwright/test/cli');
  await installWithPlaywright(playwrightCli, say);
  if (existsSync(playwrightPlace()) && !(await startsBrowser(playwrightPlace()))) {
    await installPlaywrightLibraries(playwrightCli, say);
  }
  const downloaded = await firstThatStarts([playwrightPlace()]);
  if (downloaded !== undefined) return downloaded;

  await installWithPackageManager(say);
  const installed = await firstThatStarts(systemPlaces());
  if (installed !== undefined) return installed;
  throw new Error(HOW_TO_PROVIDE_ONE);
}

if (import.meta.main) {
  try {
    process.stdout.write(`${await findBrowser()}\n`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
