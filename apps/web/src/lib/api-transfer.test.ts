import { uploadCsv } from '@brand-portal/contract/import';
import { downloadRejectedRows } from '@brand-portal/contract/import-corrections';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mockTransfers } from '../test/mock-transfer.ts';
import { callApi, configureApiClient } from './api-client.ts';

const MIB = 1024 * 1024;

let transfers: ReturnType<typeof mockTransfers>;
beforeEach(() => {
  transfers = mockTransfers();
  configureApiClient({ getAccessToken: () => 'secret' });
});
afterEach(() => vi.useRealTimers());

function transferAt(index: number) {
  const found = transfers[index];
  if (!found) throw new Error(`no transfer ${index}`);
  return found;
}

function startUpload(bytes = 10, extra: { signal?: AbortSignal; onProgress?: (sent: number) => void } = {}) {
  const body = new FormData();
  const file = new File(['x'], 'a.csv');
  Object.defineProperty(file, 'size', { value: bytes });
  body.set('file', file);
  const outcome: { code?: string; answer?: unknown } = {};
  const call = callApi(uploadCsv, { params: { brandId: 5 }, body, ...extra }).then(
    (answer) => {
      outcome.answer = answer;
    },
    (error: { code: string }) => {
      outcome.code = error.code;
    },
  );
  return { call, outcome, body };
}

describe('a form with a file', () => {
  it('is sent to its path with token and language, and reports upload progress', async () => {
    document.documentElement.lang = 'es';
    const onProgress = vi.fn();
    const { call, outcome, body } = startUpload(10, { onProgress });
    const transfer = transferAt(0);
    expect(transfer.address).toBe('POST /api/v1/brands/5/variant-certifications/upload/');
    expect(transfer.headers).toEqual({
      Accept: 'application/json',
      'Accept-Language': 'es',
      Authorization: 'Bearer secret',
    });
    expect(transfer.body).toBe(body);
    await transfer.reportUploaded(0.4);
    await transfer.finishUpload();
    await transfer.answer(200, { imported: 1 });
    await call;
    expect(onProgress.mock.calls).toEqual([[0.4], [1]]);
    expect(outcome).toEqual({ answer: { imported: 1 } });
    document.documentElement.lang = 'en';
  });

  it('refused with 401 is sent again once with the renewed token', async () => {
    configureApiClient({ getAccessToken: () => 'old', renewAccessToken: async () => 'new' });
    const { call, outcome } = startUpload();
    await transferAt(0).answer(401, { code: 'unauthenticated', detail: 'expired', request_id: 'r' });
    await vi.waitFor(() => expect(transfers).toHaveLength(2), 10_000);
    expect(transferAt(1).headers.Authorization).toBe('Bearer new');
    await transferAt(1).answer(200, { imported: 1 });
    await call;
    expect(outcome).toEqual({ answer: { imported: 1 } });
  });

  it.each([
    [422, { code: 'csv_rejected', detail: 'no header', request_id: 'r' }, 'csv_rejected'],
    [413, '<h1>proxy</h1>', 'payload_too_large'],
    [200, '<h1>proxy</h1>', 'internal_error'],
  ])('answered with %i and %o fails as %s', async (status, body, code) => {
    const { call, outcome } = startUpload();
    await transferAt(0).answer(status, body);
    await call;
    expect(outcome.code).toBe(code);
  });

  it('is a network error when the connection breaks', async () => {
    const { call, outcome } = startUpload();
    await transferAt(0).fail();
    await call;
    expect(outcome.code).toBe('network_error');
  });

  it('is aborted by its signal, and not started if that comes first', async () => {
    const controller = new AbortController();
    const body = new FormData();
    const { signal } = controller;
    const call = callApi(uploadCsv, { params: { brandId: 5 }, body, signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(transferAt(0).isAborted).toBe(true);
    await expect(callApi(uploadCsv, { params: { brandId: 5 }, body, signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(transfers).toHaveLength(1);
  });
});

describe('the timeout of a file', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  it('is 10 s from the last sign of progress', async () => {
    const { call, outcome } = startUpload();
    for (const share of [0.1, 0.2, 0.3]) {
      await vi.advanceTimersByTimeAsync(9_000);
      await transferAt(0).reportUploaded(share);
    }
    await vi.advanceTimersByTimeAsync(9_999);
    expect(outcome.code).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(outcome.code).toBe('timeout');
    expect(transferAt(0).isAborted).toBe(true);
  });

  it('for the answer is 10 s for any size of the file, because the server answers long imports early', async () => {
    const { call, outcome } = startUpload(64 * MIB);
    await transferAt(0).finishUpload();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(outcome.code).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(outcome.code).toBe('timeout');
  });

  it('restarts with each received part of a download', async () => {
    const call = callApi(downloadRejectedRows, { params: { brandId: 5, importId: 7 } });
    expect(transferAt(0).headers.Accept).toBe('text/csv');
    for (let part = 0; part < 3; part += 1) {
      await vi.advanceTimersByTimeAsync(9_000);
      await transferAt(0).reportReceived();
    }
    await transferAt(0).answer(200, 'gtin\r\n');
    await expect((await call).text()).resolves.toBe('gtin\r\n');
  });
});
