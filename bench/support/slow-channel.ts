import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SlowChannel {
  /** The settings of a portal that sends to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** How late it answers for the products of a brand. */
  delay(brandId: number, ms: number): void;
  stop(): void;
}

/** A channel that accepts every product, and answers as late as the bench says for each brand. */
export async function startSlowChannel(): Promise<SlowChannel> {
  const delays = new Map<string, number>();
  const server = createServer((request, response) => {
    const brand = /(\d+)-\d+(?:\?|$)/.exec(request.url ?? '')?.[1] ?? '';
    const answer = async () => {
      await sleep(delays.get(brand) ?? 0, undefined, { ref: false });
      const isToken = request.url === '/token';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isToken ? { access_token: 'bench', expires_in: 3_600, token_type: 'Bearer' } : {}));
    };
    request.on('error', () => {}).on('end', () => void answer());
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-channel-'));
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const account = { client_email: 'bench@example.com', private_key: privateKey, token_uri: `${url}/token` };
  const keyFile = join(folder, 'account.json');
  writeFileSync(keyFile, JSON.stringify(account));
  return {
    settings: { CHANNEL_ACCOUNT: '1000001', GOOGLE_APPLICATION_CREDENTIALS: keyFile, CHANNEL_API_URL: url },
    delay: (brandId, ms) => delays.set(String(brandId), ms),
    stop: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
