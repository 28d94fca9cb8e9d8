import { DESKTOP_BREAKPOINT_PX } from '@brand-portal/contract/constants';
import { useSyncExternalStore } from 'react';

const wideLayout = () => window.matchMedia(`(min-width: ${DESKTOP_BREAKPOINT_PX}px)`);

function subscribe(listener: () => void): () => void {
  const media = wideLayout();
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether the window has room for the sidebar's words; without it the sidebar is icons with tooltips. */
export function useWideLayout(): boolean {
  return useSyncExternalStore(subscribe, () => wideLayout().matches);
}
