import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { lazyFrom } from '../lib/lazy.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { getToasts, subscribeToToasts } from '../ui/toast-store.ts';

interface ProvidersProps {
  queryClient: QueryClient;
  children: ReactNode;
}

export function Providers({ queryClient, children }: ProvidersProps) {
  useEffect(() => {
    // Some answers have texts in the language of their request, such as the errors of an import.
    // Not the invitation's: its link may be used up by now, and the page would be replaced by an error.
    const refetch = () =>
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'onboarding' });
    i18next.on('languageChanged', refetch);
    return () => i18next.off('languageChanged', refetch);
  }, [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <LazyToaster />
    </QueryClientProvider>
  );
}

/** Members' pages call it early: after the connection is lost it could not be loaded to say so. */
export const loadToaster = () => import('../ui/toaster.tsx');
const Toaster = lazyFrom(loadToaster, 'Toaster');

/** Most visitors never see a toast: its code is loaded with the first one. */
export function LazyToaster() {
  const hasToasts = useSyncExternalStore(subscribeToToasts, () => getToasts().length > 0);
  return (
    <ErrorBoundary fallback={null}>
      {/* A dialog hides the rest of the page from screen readers, except what has this attribute. */}
      <div aria-live="off">
        <Suspense>{hasToasts && <Toaster />}</Suspense>
      </div>
    </ErrorBoundary>
  );
}
