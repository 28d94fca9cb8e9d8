import { DESKTOP_BREAKPOINT_PX } from '@brand-portal/contract/constants';
import { useSyncExternalStore } from 'react';

/** `phone`: a top bar with a drawer, rows as cards. `narrow`: a sidebar with icons only. `wide`: the full sidebar. */
type Layout = 'phone' | 'narrow' | 'wide';

const wide = () => window.matchMedia(`(min-width: ${DESKTOP_BREAKPOINT_PX}px)`);
const phone = () => window.matchMedia('(max-width: 767.98px)');

function subscribe(listener: () => void): () => void {
  const queries = [wide(), phone()];
  for (const media of queries) media.addEventListener('change', listener);
  return () => {
    for (const media of queries) media.removeEventListener('change', listener);
  };
}

export function useLayout(): Layout {
  return useSyncExternalStore(subscribe, () => (wide().matches ? 'wide' : phone().matches ? 'phone' : 'narrow'));
}
