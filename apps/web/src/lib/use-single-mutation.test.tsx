import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createQueryClient } from './query-client.ts';
import { useSingleMutation } from './use-single-mutation.ts';

test('does not show that the session has ended: the sign-in does, and afterwards it is no longer true', async () => {
  const queryClient = createQueryClient();
  const ended = new ApiError({ code: 'unauthenticated', status: 401, detail: '' });
  const { result } = renderHook(() => useSingleMutation({ mutationFn: () => Promise.reject(ended) }), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  act(() => result.current.mutate());
  await waitFor(() => expect(result.current.isError).toBe(true));
  expect(result.current.error).toBeNull();
});

test('sends one call on two clicks without a render in between, and the next one after the answer', async () => {
  const calls: PromiseWithResolvers<string>[] = [];
  const queryClient = createQueryClient();
  const { result } = renderHook(
    () =>
      useSingleMutation({
        mutationFn: (_name: string) => {
          const call = Promise.withResolvers<string>();
          calls.push(call);
          return call.promise;
        },
      }),
    { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> },
  );
  const click = () =>
    act(() => {
      result.current.mutate('first');
      result.current.mutate('second');
    });

  click();
  await waitFor(() => expect(result.current.isPending).toBe(true));
  click();
  expect(calls).toHaveLength(1);
  expect(result.current.variables).toBe('first');

  calls[0]?.reject(new Error('Refused'));
  await waitFor(() => expect(result.current.isError).toBe(true));
  click();
  await waitFor(() => expect(calls).toHaveLength(2));
  calls[1]?.resolve('done');
  await waitFor(() => expect(result.current.data).toBe('done'));
});

test('shows a failure at once: it does not wait for what is fetched again after it', async () => {
  const queryClient = createQueryClient();
  const shown: string[] = [];
  const { result } = renderHook(
    () =>
      useSingleMutation({
        mutationFn: () => Promise.reject(new Error('Offline')),
        // As without a network: the lists are tried again for a long time.
        onError: () => new Promise(() => undefined),
        onSettled: () => new Promise(() => undefined),
      }),
    { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> },
  );
  act(() => result.current.mutate(undefined, { onError: ({ message }) => shown.push(message) }));
  await waitFor(() => expect(result.current.isError).toBe(true));
  expect(shown).toEqual(['Offline']);
});
