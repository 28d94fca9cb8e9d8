import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeProvider {
  readonly domain: string;
  /** How often `/userinfo` was called. */
  readonly calls: () => number;
  /** Sets the next answers of `/userinfo`. */
  answerWith(answer: Answer): void;
  /** Signs a token with the provider's key, for tests with an audience. */
  sign(claims: JWTPayload, options?: { issuer?: string; audience?: string; expires?: string }): Promise<string>;
}

export function json(status: number, body: unknown): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** A fake identity provider on a real port. Stopped when the current test ends. */
export async function useFakeProvider(answer: Answer): Promise<FakeProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' }] };
  let calls = 0;
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/jwks.json') return json(200, jwks)(request, response);
    calls += 1;
    return answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const domain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    domain,
    calls: () => calls,
    answerWith: (next) => {
      answer = next;
    },
    sign: (claims, { issuer = `${domain}/`, audience = 'https://api.example', expires = '5m' } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(privateKey),
  };
}
