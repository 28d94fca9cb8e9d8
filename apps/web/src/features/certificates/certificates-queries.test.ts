import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import * as api from '../../lib/api-client.ts';
import { certificateListQuery } from './certificates-queries.ts';
import { makeCertificate } from './test-support/certificates.tsx';

let callApi: MockInstance<(...args: never[]) => Promise<unknown>>;

const view = { search: '', status: 'all', ordering: '', page: 1, pageSize: 10 } as const;
const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  callApi = vi.spyOn(api, 'callApi');
});
afterEach(() => void vi.useRealTimers());

test('an unchecked certificate is polled often for a minute, then rarely', async () => {
  const certificate = makeCertificate('A', { overall_status: 'pending', reason: '' });
  callApi.mockImplementation(async () => ({ results: [certificate], count: 1 }));
  const leave = new QueryObserver(new QueryClient(), certificateListQuery(7, view)).subscribe(() => undefined);
  try {
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(callApi.mock.calls.length).toBeGreaterThanOrEqual(12);
    callApi.mockClear();
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(callApi).toHaveBeenCalledTimes(10);
  } finally {
    leave();
  }
});

test('a server that returns no reasons is not polled', async () => {
  callApi.mockImplementation(async () => [makeCertificate('A', { overall_status: 'pending', reason: undefined } as object)]);
  callApi.mockClear();
  const leave = new QueryObserver(new QueryClient(), certificateListQuery(7, view)).subscribe(() => undefined);
  try {
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(callApi).toHaveBeenCalledTimes(1);
  } finally {
    leave();
  }
});
