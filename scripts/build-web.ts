import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isAlive } from './is-alive.ts';
import { runCommand } from './run-command.ts';
import { checksumOfWebInputs } from './web-inputs.ts';

const STAMP = '.inputs-checksum';
const BUILD_TIMEOUT_MS = 5 * 60_000;

/** On the same disk as the real folder, so that it can be renamed. All tools ignore `node_modules`. */
function workFolder(root: string): string {
  return join(root, 'apps/web/node_modules/.build-web');
}

function isBuiltFrom(dist: string, checksum: string): boolean {
  const stamp = join(dist, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === checksum;
}

/** A killed build leaves its folder, whose name contains its process id. */
function removeAbandonedBuilds(root: string): void {
  const folder = workFolder(root);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const owner = Number(name.split('-')[0]);
    if (!Number.isInteger(owner) || !isAlive(owner)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Renames a finished build into place, so that readers never see half a build. A concurrent run may put its own there between the two
 * renames; then the next round moves that away.
 */
function putInPlace(built: string, dist: string): void {
  for (let round = 1; ; round += 1) {
    const old = `${built}-replaced-${round}`;
    try {
      renameSync(dist, old);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    rmSync(old, { recursive: true, force: true });
    try {
      renameSync(built, dist);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code) || round === 20) throw error;
    }
  }
}

async function runVite(root: string, outDir: string): Promise<{ code: number | null; output: string }> {
  const web = join(root, 'apps/web');
  const manifest = createRequire(join(web, 'package.json')).resolve('vite/package.json');
  const vite = join(dirname(manifest), 'bin/vite.js');
  return runCommand(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir'], {
    cwd: web,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
}

type Builder = typeof runVite;

/** Builds the web app unless its inputs are unchanged since the last build. Throws with the build's output if it fails. */
export async function buildWeb(root: string, options: { force?: boolean; build?: Builder } = {}): Promise<void> {
  const { force = false, build = runVite } = options;
  const dist = join(root, 'apps/web/dist');
  removeAbandonedBuilds(root);
  const checksum = checksumOfWebInputs(root);
  if (!force && isBuiltFrom(dist, checksum)) return;

  const started = Date.now();
  process.stdout.write('Building the web app ... ');
  mkdirSync(workFolder(root), { recursive: true });
  const built = mkdtempSync(join(workFolder(root), `${process.pid}-`));
  try {
    const { code, output } = await build(root, built);
    if (code !== 0) throw new Error(`The web app could not be built.\n${output.trim()}`);
    // Written last, so that an interrupted build is repeated.
    writeFileSync(join(built, STAMP), checksum);
    putInPlace(built, dist);
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
  process.stdout.write(`done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

if (import.meta.main) {
  try {
    await buildWeb(join(import.meta.dirname, '..'), { force: process.argv.includes('--force') });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
