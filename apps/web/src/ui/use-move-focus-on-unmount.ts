import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that disappears when it is pressed: on unmount, the focus moves to its closest ancestor that matches, so
 * that keyboard users continue from there.
 */
export function useMoveFocusOnUnmount(to: string): RefObject<HTMLButtonElement | null> {
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
