import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that may vanish by being pressed, and would take the focus with it: the nearest element around it that
 * matches gets it, so that whoever uses the keyboard goes on from there.
 */
export function useFocusHandover(to: string): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (button && button === document.activeElement) {
        button.closest<HTMLElement>(to)?.focus({ preventScroll: true });
      }
    };
  }, [to]);
  return ref;
}
