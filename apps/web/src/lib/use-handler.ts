import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * One function for all renders, which does what the last one's would do: what gets it need not render again. For handlers of events; a render
 * must not call it.
 */
export function useHandler<Parameters extends unknown[], Result>(
  handler: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  return useCallback((...parameters) => latest.current(...parameters), []);
}
