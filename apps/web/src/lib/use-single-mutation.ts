import { type DefaultError, type UseMutateFunction, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { ApiError } from './api-error.ts';

/**
 * A mutation for a button with `busy`: `mutate` does nothing while the last call runs. The button is busy only with the
 * next render, and the second click of a double click may come before. With a `mutationKey` it does nothing either while a
 * call of a page that was left is running. `mutateAsync` is not limited.
 */
export function useSingleMutation<Data, Variables = void>(options: UseMutationOptions<Data, DefaultError, Variables>) {
  const mutation = useMutation({
    ...options,
    // A failure is shown at once. What is fetched again after it takes long if the network is down.
    onError: (...failure) => void options.onError?.(...failure),
    onSettled: (...result) => {
      const refreshed = options.onSettled?.(...result);
      return result[1] ? undefined : refreshed;
    },
  });
  const { mutateAsync } = mutation;
  const queryClient = useQueryClient();
  const { mutationKey } = options;
  const isRunning = useRef(false);
  const mutate: UseMutateFunction<Data, DefaultError, Variables> = useCallback(
    (...call) => {
      if (isRunning.current || (mutationKey && queryClient.isMutating({ mutationKey }) > 0)) return;
      isRunning.current = true;
      // A task later, when the button has rendered the end of the call.
      const end = () =>
        setTimeout(() => {
          isRunning.current = false;
        });
      mutateAsync(...call).then(end, end);
    },
    [mutateAsync, queryClient, mutationKey],
  );
  // That the session has ended is shown by the page that asks for the sign-in. A form that was kept is valid again afterwards.
  const hasEnded = mutation.error instanceof ApiError && mutation.error.status === 401;
  return { ...mutation, mutate, error: hasEnded ? null : mutation.error };
}
