import { TOAST_DURATION_MS } from '@brand-portal/contract/constants';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { usePart, withTexts } from '../lib/lazy.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { dismissToast, getToasts, subscribeToToasts } from '../ui/toast-store.ts';

interface ProvidersProps {
  queryClient: QueryClient;
  children: ReactNode;
}

export function Providers({ queryClient, children }: ProvidersProps) {
  useEffect(() => {
    // Some answers have texts in the language of their request, such as the errors of an import.
    // Not the invitation's: its link may be used up by now, and the page would be replaced by an error.
    const refetch = () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'onboarding' });
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
export const loadToaster = withTexts(() => import('../ui/toaster.tsx'));

/** Most visitors never see a toast: its code is loaded with the first one. If it cannot be, the text is shown without it. */
function LazyToaster() {
  const [newest] = useSyncExternalStore(subscribeToToasts, getToasts);
  const [hasFailed, setFailed] = useState(false);
  const part = usePart(loadToaster, newest?.id ?? false, () => {
    setFailed(true);
    setTimeout(() => newest && dismissToast(newest.id), TOAST_DURATION_MS);
  });
  return (
    <ErrorBoundary fallback={null}>
      {/* A dialog hides the rest of the page from screen readers, except what has this attribute. */}
      <div aria-live="off">
        {newest && part && <part.Toaster />}
        {newest && !part && hasFailed && (
          <p role="alert" className="fixed right-4 bottom-4 z-45 max-w-[calc(100vw-2rem)] rounded-card border bg-surface p-4 shadow-float">
            {newest.title} {newest.description}
          </p>
        )}
      </div>
    </ErrorBoundary>
  );
}
