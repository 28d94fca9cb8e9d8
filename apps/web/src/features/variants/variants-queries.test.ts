import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import * as api from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { variantListQuery } from './variants-queries.ts';
import { readView } from './variants-view.ts';

let callApi: MockInstance<(...args: never[]) => Promise<unknown>>;

const MINUTE_MS = 60_000;
const answer = (state: string) => ({
  results: [{ id: 1, channel: { state, reason: '' }, certifications: [] }],
  count: 1,
});
/** How often the list is fetched in this time. */
async function readsIn(ms: number): Promise<number> {
  callApi.mockClear();
  await vi.advanceTimersByTimeAsync(ms);
  return callApi.mock.calls.length;
}

beforeEach(() => {
  vi.useFakeTimers();
  callApi = vi.spyOn(api, 'callApi');
});
afterEach(() => void vi.useRealTimers());

test('pending deliveries are polled often for a minute, then rarely, and often again after a change', async () => {
  callApi.mockImplementation(async () => answer('queued'));
  const observer = new QueryObserver(new QueryClient(), variantListQuery(7, readView(new URLSearchParams())));
  const leave = observer.subscribe(() => undefined);
  try {
    expect(await readsIn(MINUTE_MS)).toBeGreaterThanOrEqual(11);
    await readsIn(MINUTE_MS);
    expect(await readsIn(10 * MINUTE_MS)).toBe(10);

    callApi.mockImplementation(async () => answer('sent'));
    await readsIn(MINUTE_MS);
    expect(await readsIn(MINUTE_MS / 2)).toBeGreaterThanOrEqual(5);

    callApi.mockImplementation(async () => answer('live'));
    await readsIn(MINUTE_MS);
    expect(await readsIn(10 * MINUTE_MS)).toBe(0);
  } finally {
    leave();
  }
});

test('unchecked certificates are polled too', async () => {
  const certified = (status: string, reason: string) => ({
    results: [{ id: 1, channel: null, certifications: [{ status, reason }] }],
    count: 1,
  });
  callApi.mockImplementation(async () => certified('pending', ''));
  const observer = new QueryObserver(new QueryClient(), variantListQuery(7, readView(new URLSearchParams())));
  const leave = observer.subscribe(() => undefined);
  try {
    expect(await readsIn(MINUTE_MS)).toBeGreaterThanOrEqual(11);
    callApi.mockImplementation(async () => certified('pending', 'no_registry'));
    await readsIn(MINUTE_MS);
    expect(await readsIn(10 * MINUTE_MS)).toBe(0);
  } finally {
    leave();
  }
});

test('a refused list is not requested again, even if an update was running', async () => {
  callApi.mockImplementation(async () => answer('queued'));
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(queryClient, variantListQuery(7, readView(new URLSearchParams())));
  const leave = observer.subscribe(() => undefined);
  try {
    await readsIn(MINUTE_MS / 2);
    callApi.mockRejectedValue(new ApiError({ code: 'brand_not_found', status: 404 }));
    expect(await readsIn(10 * MINUTE_MS)).toBe(1);
  } finally {
    leave();
  }
});
