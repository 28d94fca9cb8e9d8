import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button, or a group of them, that disappears when it is pressed: on unmount, the focus moves to its closest
 * ancestor that matches, so that keyboard users continue from there.
 */
export function useMoveFocusOnUnmount<Element extends HTMLElement = HTMLButtonElement>(to: string): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement)) {
        element.closest<HTMLElement>(to)?.focus({ preventScroll: true });
      }
    };
  }, [to]);
  return ref;
}
