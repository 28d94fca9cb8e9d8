import { createServer } from 'node:net';

/**
 * Below the ephemeral ports, so that no outgoing connection takes the port before the server listens.
 * Above 10080, the highest port that browsers and `fetch` refuse ("bad port").
 */
const LOWEST = 10_081;
const HIGHEST = 30_000;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${LOWEST} and ${HIGHEST} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, 'localhost', () => probe.close(() => resolve(true)));
  });
}
