import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ImportingBrand } from './uploads.ts';

export interface OpenUpload {
  readonly request: ClientRequest;
  readonly answer: Promise<{ status: number; body: string }>;
}

/** Starts an upload over a real connection. The test sends the rest. */
export async function openUpload({ app, brandId, editor }: ImportingBrand, headers: Record<string, string | number>): Promise<OpenUpload> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const upload = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/api/v1/brands/${brandId}/variant-certifications/upload/`,
    headers: { ...headers, ...editor.headers },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    upload.once('response', resolve).once('error', reject);
  }).then(async (response) => ({
    status: response.statusCode ?? 0,
    body: Buffer.concat(await response.toArray()).toString(),
  }));
  // Tests that cut the connection do not await the response.
  answer.catch(() => {});
  return { request: upload, answer };
}
