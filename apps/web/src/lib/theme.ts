import { STORAGE_KEYS } from '@brand-portal/contract/constants';
import { useSyncExternalStore } from 'react';

export type ColorMode = 'light' | 'dark';

const darkScheme = () => window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let current: ColorMode = 'light';

function storedMode(): ColorMode | undefined {
  try {
    const value = localStorage.getItem(STORAGE_KEYS.colorMode);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}

function resolveMode(): ColorMode {
  return storedMode() ?? (darkScheme().matches ? 'dark' : 'light');
}

function apply(mode: ColorMode): void {
  current = mode;
  const root = document.documentElement;
  root.dataset.theme = mode;
  root.style.colorScheme = mode;
  // The browser's toolbar follows the chosen mode, not only the system's.
  const background = getComputedStyle(root).getPropertyValue('--color-background').trim();
  if (background) {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = background;
    }
  }
  for (const notify of listeners) notify();
}

/** Applies the mode and follows the system and other tabs. Returns a function that stops this. */
export function startTheme(): () => void {
  const media = darkScheme();
  const followSystem = () => {
    if (!storedMode()) apply(resolveMode());
  };
  const syncWithOtherTabs = (event: StorageEvent) => {
    // localStorage.clear() sends a null key.
    if (event.key === STORAGE_KEYS.colorMode || event.key === null) apply(resolveMode());
  };
  apply(resolveMode());
  media.addEventListener('change', followSystem);
  window.addEventListener('storage', syncWithOtherTabs);
  return () => {
    media.removeEventListener('change', followSystem);
    window.removeEventListener('storage', syncWithOtherTabs);
  };
}

function setColorMode(mode: ColorMode): void {
  try {
    localStorage.setItem(STORAGE_KEYS.colorMode, mode);
  } catch {
    // Storage can be blocked (private windows): the choice then applies to this page only.
  }
  apply(mode);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const getMode = () => current;

export function useColorMode() {
  const mode = useSyncExternalStore(subscribe, getMode, getMode);
  return { mode, toggleMode: () => setColorMode(mode === 'dark' ? 'light' : 'dark') };
}
