import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A stable function that always calls the latest handler, so that components that get it as a prop do not render again.
 * For event handlers only; must not be called during render.
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
