import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.ts';
import { request } from './measure.ts';
import { stopProcess } from './portal.ts';

/** Runs `bare-route.ts` during the work. */
export async function withBareRoute<T>(databaseUrl: string, brandId: number, work: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const script = join(import.meta.dirname, 'bare-route.ts');
  const server = spawn(process.execPath, [script, String(port), databaseUrl, String(brandId)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${port}/`;
    for (let tries = 0; tries < 100 && !(await request(url, {}).catch(() => '')); tries++) await sleep(100);
    return await work(url);
  } finally {
    await stopProcess(server);
  }
}
