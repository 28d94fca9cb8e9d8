import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { importTexts } from '../catalog/fields/describe.ts';
import { type OpenUpload, openUpload } from './test-support/slow-upload.ts';
import { addImportingBrand, storedVariants, toForm, useImportingBrand } from './test-support/uploads.ts';
import { receiveUpload, UPLOAD_LIMITS } from './upload.ts';

const MIB = 1024 * 1024;
const HEADER = 'variant_name,gtin\n';
const texts = importTexts('en').uploads;

// spec: §5 csv only
test.each([
  ['64 MiB of quotes', () => Buffer.alloc(MAX_UPLOAD_BYTES, '"'), 'Row 1 is longer than 256 KB.'],
  ['one line of 8 MiB', () => Buffer.alloc(8 * MIB, 'x'), 'Row 1 is longer than 256 KB.'],
  ['a row of 8 MiB below a valid header', () => `${HEADER}${'x'.repeat(8 * MIB)}`, 'Row 2 is longer than 256 KB.'],
  ['a million columns', () => 'column,'.repeat(1_000_000), 'Row 1 has more than 2,000 cells.'],
  ['8 MiB of commas', () => Buffer.alloc(8 * MIB, ','), 'Row 1 is longer than 256 KB.'],
  ['8 MiB of blank lines', () => Buffer.alloc(8 * MIB, '\n'), 'more than 1,000,000 rows'],
  ['NUL bytes among few others', () => `${HEADER}\0\0\0\0,96385074\n`, 'it contains binary data'],
  ['8 MiB of zeros', () => Buffer.alloc(8 * MIB), 'it contains binary data'],
  ['a zip file named as CSV', () => Buffer.from('PK\x03\x04 and more', 'latin1'), 'The workbook is damaged.'],
  ['1,000,001 rows', () => `${HEADER}${'a,1\n'.repeat(1_000_001)}`, 'The file has more than 1,000,000 rows.'],
])('%s: refused with a message', async (_name, content, detail) => {
  const brand = await useImportingBrand();
  const answer = await brand.send(content());
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ code: 'csv_rejected', detail: expect.stringContaining(detail) });
  expect(await storedVariants(brand)).toEqual([]);
});

test('a file of more than 64 MiB is refused by its Content-Length, before it is sent', async () => {
  const brand = await useImportingBrand();
  const { headers } = toForm('');
  const { request, answer } = await openUpload(brand, { ...headers, 'content-length': 2 * MAX_UPLOAD_BYTES });
  request.flushHeaders();
  const { status, body } = await answer;
  request.destroy();
  expect(status).toBe(413);
  expect(JSON.parse(body)).toMatchObject({
    code: 'payload_too_large',
    detail: 'The file is larger than 64 MB. Please split it.',
  });
});

test('a file without a Content-Length is refused when it exceeds 64 MiB, while it is still being sent', async () => {
  const brand = await useImportingBrand();
  const { headers, payload } = toForm('');
  const { request, answer } = await openUpload(brand, { ...headers, 'transfer-encoding': 'chunked' });
  request.write(payload.subarray(0, payload.indexOf('\r\n\r\n') + 4));
  const piece = Buffer.alloc(MIB, 'x\n');
  let isAnswered = false;
  const refusal = answer.finally(() => {
    isAnswered = true;
  });
  for (let sent = 0; sent < 200 && !isAnswered; sent++) {
    if (!request.write(piece)) await Promise.race([new Promise((resolve) => request.once('drain', resolve)), refusal]);
  }
  expect((await refusal).status).toBe(413);
  request.destroy();
});

test.each([
  ['JSON', { 'content-type': 'application/json' }, '{}', 415, texts.no_form],
  ['plain CSV', { 'content-type': 'text/csv' }, HEADER, 415, expect.stringContaining('a form (multipart/form-data)')],
  ['a form without a boundary', { 'content-type': 'multipart/form-data' }, 'x', 415, texts.no_form],
])('%s is refused as not a form with a file', async (_name, headers, payload, status, detail) => {
  const { app, brandId, editor } = await useImportingBrand();
  const url = `/api/v1/brands/${brandId}/variant-certifications/upload/`;
  const answer = await app.inject({ method: 'POST', url, headers: { ...headers, ...editor.headers }, payload });
  expect(answer.statusCode).toBe(status);
  expect(answer.json().detail).toEqual(detail);
});

// spec: §5 multipart field
test('a form whose file is in another field is refused with the expected field', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.send(HEADER, { field: 'document' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'malformed_request', detail: texts.no_file });
});

test('a form with two files is refused, because one of them would be dropped', async () => {
  const brand = await useImportingBrand();
  const { headers, payload } = toForm(`${HEADER}Salt,96385074\n`);
  const end = payload.lastIndexOf('--test-boundary');
  const answer = await brand.app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brand.brandId}/variant-certifications/upload/`,
    headers: { ...headers, ...brand.editor.headers },
    payload: Buffer.concat([payload.subarray(0, end), toForm(`${HEADER}Pepper,73513537\n`).payload]),
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'malformed_request', detail: texts.two_files });
  expect(await storedVariants(brand)).toEqual([]);
});

test('a form that is truncated in the middle of its file is refused', async () => {
  const { app, brandId, editor } = await useImportingBrand();
  const { headers, payload } = toForm(`${HEADER}Salt,96385074\n`);
  const answer = await app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brandId}/variant-certifications/upload/`,
    headers: { ...headers, ...editor.headers },
    payload: payload.subarray(0, -30),
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'malformed_request', detail: texts.stalled });
});

test.each([
  ['no data arrives for a while', { idleMs: 150 }, 0],
  ['it takes too long', { totalMs: 400 }, 50],
  ['it stays too slow', { graceMs: 200 }, 50],
])('a slow upload is aborted when %s', async (_name, limits, dripMs) => {
  const app = fastify();
  await app.register(multipart);
  app.post('/', (request) => receiveUpload(request, texts, { ...UPLOAD_LIMITS, bytes: MIB, ...limits }));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { headers, payload } = toForm(HEADER);
  let dripping = true;
  const body = new ReadableStream({
    async start(stream) {
      stream.enqueue(payload.subarray(0, payload.length - 30));
      while (dripMs > 0 && dripping) {
        await sleep(dripMs);
        if (dripping) stream.enqueue(Buffer.from('x'));
      }
    },
  });
  const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  const answer = await fetch(address, request);
  dripping = false;
  expect(await answer.json()).toMatchObject({ message: texts.stalled });
  app.server.closeAllConnections();
  await app.close();
});

test('a request may take somewhat longer than the slowest upload, and no longer', async () => {
  const { app } = await useTestApp();
  expect(app.server.requestTimeout).toBeGreaterThan(UPLOAD_LIMITS.idleMs + UPLOAD_LIMITS.totalMs);
  expect(app.server.requestTimeout).toBeLessThan(2 * UPLOAD_LIMITS.totalMs);
});

test('an upload without a session is refused before its body is read', async () => {
  const brand = await useImportingBrand();
  const nobody = { ...brand.editor, headers: { authorization: '' } };
  const { headers, payload } = toForm(HEADER);
  const upload = await openUpload({ ...brand, editor: nobody }, { ...headers, 'content-length': payload.length });
  upload.request.flushHeaders();
  expect(await upload.answer).toMatchObject({ status: 401, body: expect.stringContaining('unauthenticated') });
  upload.request.destroy();
});

test('40 slow uploads of five members do not block other brands', async () => {
  const testApp = await useTestApp();
  const attacked = await addImportingBrand(testApp);
  const uploads: OpenUpload[] = [];
  for (let member = 0; member < 5; member++) {
    const editor = await createTestMember(testApp.database.db, attacked.brandId, 'editor');
    for (let upload = 0; upload < 8; upload++) {
      const { headers, payload } = toForm(HEADER);
      const open = await openUpload({ ...attacked, editor }, { ...headers, 'content-length': 10 * payload.length });
      open.request.write(payload.subarray(0, -30));
      uploads.push(open);
    }
  }
  let refused = 0;
  for (const { answer } of uploads) {
    answer.then(
      ({ status }) => {
        if (status === 429) refused += 1;
      },
      () => {},
    );
  }
  await vi.waitFor(() => expect(refused).toBe(40 - 12), 10_000);
  const other = await addImportingBrand(testApp);
  expect(await other.upload(`${HEADER}Salt,96385074\n`)).toMatchObject({ imported: 1 });
  for (const { request } of uploads) request.destroy();
});
