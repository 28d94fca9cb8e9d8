import { vi } from 'vitest';

/** jsdom has no layout: answers the media queries of `useLayout`. */
export function setWindowWidth(width: number): void {
  const original = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const minimum = /min-width: (\d+)px/.exec(query)?.[1];
    const maximum = /max-width: ([\d.]+)px/.exec(query)?.[1];
    if (minimum === undefined && maximum === undefined) return original(query);
    return {
      media: query,
      matches: minimum === undefined ? width <= Number(maximum) : width >= Number(minimum),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    } as unknown as MediaQueryList;
  });
}
