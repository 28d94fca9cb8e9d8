import { vi } from 'vitest';
import type { ColorMode } from '../lib/theme.ts';

const listeners = new Set<() => void>();
let system: ColorMode = 'light';

window.matchMedia = (query) =>
  ({
    media: query,
    get matches() {
      return query.includes('dark') && system === 'dark';
    },
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  }) as unknown as MediaQueryList;

/** Mocks the system's colour preference, which jsdom lacks. */
export function setSystemColorMode(mode: ColorMode): void {
  const changed = mode !== system;
  system = mode;
  if (changed) for (const listener of listeners) listener();
}

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
