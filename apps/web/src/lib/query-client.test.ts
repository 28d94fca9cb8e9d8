import { focusManager, onlineManager, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { afterFirstAnswers, createQueryClient } from './query-client.ts';

let client: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  client = createQueryClient();
});
afterEach(() => {
  client.clear();
  // Back to what the document says, for later files.
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

async function triesUntilGivenUp(error: Error): Promise<number> {
  let tries = 0;
  const query = client.fetchQuery({
    queryKey: ['test'],
    retry: client.getDefaultOptions().queries?.retry,
    queryFn: () => {
      tries += 1;
      return Promise.reject(error);
    },
  });
  query.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(120_000);
  await expect(query).rejects.toBe(error);
  return tries;
}

describe('a query', () => {
  // spec: §7 no retry on 4xx
  it.each([400, 401, 404, 429])('is not retried after a %i', async (status) => {
    await expect(triesUntilGivenUp(new ApiError({ code: 'validation_failed', status }))).resolves.toBe(1);
  });

  // spec: §7 three attempts, §9 query retry
  it.each([
    ['a server error', new ApiError({ code: 'internal_error', status: 500 })],
    ['a lost connection', new ApiError({ code: 'network_error' })],
    ['anything else', new Error('unexpected')],
  ])('is attempted 3 times after %s', async (_name, error) => {
    await expect(triesUntilGivenUp(error)).resolves.toBe(3);
  });

  // spec: §7 backoff
  it('has exponential backoff, up to 30 seconds', () => {
    const delay = client.getDefaultOptions().queries?.retryDelay;
    if (typeof delay !== 'function') throw new Error('no back-off');
    const waits = [0, 1, 2, 3, 4, 5, 20].map((failures) => delay(failures, new Error('x')));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  // spec: §7 freshness, §9 freshness
  it('is fresh for 5 minutes', async () => {
    const queryFn = vi.fn(async () => 'data');
    const read = () => client.fetchQuery({ queryKey: ['fresh'], queryFn });
    await read();
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
    await read();
    expect(queryFn).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    await read();
    expect(queryFn).toHaveBeenCalledTimes(2);
  });
});

describe('a query that was refused', () => {
  const refusal = new ApiError({ code: 'permission_denied', status: 403 });
  const outage = new ApiError({ code: 'internal_error', status: 500 });

  /** Mounts another observer of the query. Returns how often the query function was called so far. */
  function show(error: Error) {
    const queryFn = vi.fn(() => Promise.reject(error));
    const appear = () => new QueryObserver(client, { queryKey: ['shown'], queryFn }).subscribe(() => undefined);
    return { queryFn, appear };
  }

  it('is not requested again when another component mounts', async () => {
    const { queryFn, appear } = show(refusal);
    appear();
    await vi.advanceTimersByTimeAsync(0);
    appear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queryFn).toHaveBeenCalledTimes(1);
  });

  it('is not requested again on window focus or reconnect', async () => {
    const { queryFn, appear } = show(refusal);
    client.mount();
    appear();
    await vi.advanceTimersByTimeAsync(0);
    for (const manager of [{ set: (on: boolean) => focusManager.setFocused(on) }, { set: (on: boolean) => onlineManager.setOnline(on) }]) {
      manager.set(false);
      manager.set(true);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    client.unmount();
    expect(queryFn).toHaveBeenCalledTimes(1);
  });

  it('is requested again after 5 minutes, like any answer', async () => {
    const { queryFn, appear } = show(refusal);
    const leave = appear();
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    appear();
    leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(queryFn).toHaveBeenCalledTimes(2);
  });

  it('differs from a failed one, which is requested again at once', async () => {
    const { queryFn, appear } = show(outage);
    appear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queryFn).toHaveBeenCalledTimes(3);
    appear();
    await vi.advanceTimersByTimeAsync(0);
    expect(queryFn).toHaveBeenCalledTimes(4);
  });
});

describe('deferred work', () => {
  const answerAfter = (queryKey: string[], ms: number) =>
    client.prefetchQuery({ queryKey, queryFn: () => new Promise((resolve) => setTimeout(resolve, ms, 'answer')) });

  it('starts when the last of the first calls is answered, and only once', async () => {
    const work = vi.fn();
    afterFirstAnswers(client, work);
    void answerAfter(['brand'], 100);
    void answerAfter(['list'], 200);
    await vi.advanceTimersByTimeAsync(199);
    expect(work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledOnce();
    void answerAfter(['other'], 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(work).toHaveBeenCalledOnce();
  });

  it('starts after 3 s without an answer, and never after it was cancelled', async () => {
    const [work, givenUp] = [vi.fn(), vi.fn()];
    afterFirstAnswers(client, work);
    afterFirstAnswers(client, givenUp)();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(work).toHaveBeenCalledOnce();
    expect(givenUp).not.toHaveBeenCalled();
  });
});
