import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface Clamped<Element extends HTMLElement> {
  ref: RefObject<Element | null>;
  /** Whether something of the text is cut off at its present size. */
  isClamped: boolean;
}

export function useClamped<Element extends HTMLElement>(text: string): Clamped<Element> {
  const ref = useRef<Element>(null);
  const [isClamped, setClamped] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text of the same box needs another look.
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
