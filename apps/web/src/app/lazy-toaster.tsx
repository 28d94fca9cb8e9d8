import { lazy, Suspense, useSyncExternalStore } from 'react';
import { getToasts, subscribeToToasts } from '../ui/toast-store.ts';

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }));

/** Most visits begin without a toast: the code that shows them comes with the first one. */
export function LazyToaster() {
  const hasToasts = useSyncExternalStore(subscribeToToasts, () => getToasts().length > 0);
  return <Suspense>{hasToasts && <Toaster />}</Suspense>;
}
