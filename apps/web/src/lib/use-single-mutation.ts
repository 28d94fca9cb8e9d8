import { type DefaultError, type UseMutateFunction, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/**
 * A mutation for a button with `busy`: `mutate` does nothing while the last call runs. The button is busy only with the
 * next render, and the second click of a double click may come before. `mutateAsync` is not limited.
 */
export function useSingleMutation<Data, Variables = void>(options: UseMutationOptions<Data, DefaultError, Variables>) {
  const mutation = useMutation(options);
  const { mutateAsync } = mutation;
  const isRunning = useRef(false);
  const mutate: UseMutateFunction<Data, DefaultError, Variables> = useCallback(
    (...call) => {
      if (isRunning.current) return;
      isRunning.current = true;
      // A task later, when the button has rendered the end of the call.
      const end = () =>
        setTimeout(() => {
          isRunning.current = false;
        });
      mutateAsync(...call).then(end, end);
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
}
