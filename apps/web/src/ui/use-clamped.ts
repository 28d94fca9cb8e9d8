import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface Clamped<Element extends HTMLElement> {
  ref: RefObject<Element | null>;
  /** Whether the text is truncated at its present size. */
  isClamped: boolean;
}

export function useClamped<Element extends HTMLElement>(text: string): Clamped<Element> {
  const ref = useRef<Element>(null);
  const [isClamped, setClamped] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the text changes.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      setClamped(element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [text]);

  return { ref, isClamped };
}
