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
