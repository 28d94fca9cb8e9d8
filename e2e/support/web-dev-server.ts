import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 30_000;

interface WebDevServer {
  url: string;
  stop: () => Promise<void>;
}

/** Vite's development server, which also serves the component page. */
export async function startWebDevServer(): Promise<WebDevServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, '--host', 'localhost', '--port', String(port), '--strictPort'];
  const child = spawn(process.execPath, args, { cwd: join(ROOT, 'apps/web'), stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk;
    });
  }
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const killAtExit = () => child.kill('SIGKILL');
  process.on('exit', killAtExit);
  const stop = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(late);
    process.off('exit', killAtExit);
  };

  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (child.exitCode === null && Date.now() < giveUpAt) {
    const answer = await fetch(`${url}/ui-kit.html`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return { url, stop };
    await wait(100);
  }
  await stop();
  throw new Error(`The web development server did not serve the component page. Its log:\n${log}`);
}
