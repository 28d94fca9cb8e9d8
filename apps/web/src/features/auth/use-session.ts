import { PAGES } from '@brand-portal/contract/pages';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { logError } from '../../lib/log.ts';
import { afterFirstAnswers } from '../../lib/query-client.ts';
import { memberOnPage, useAuthStore } from './auth-store.ts';
import { clearProviderTokens } from './provider-client.ts';
import { reconcileSession } from './reconcile-session.ts';
import { syncWithOtherTabs } from './session.ts';

/** Does nothing if the server has ended the session meanwhile. */
function reconcileIfSignedIn(): void {
  if (useAuthStore.getState().isAuthenticated) void reconcileSession();
}

/** Once per page load, before the first call: follows the session, which other tabs and refused calls may end. */
export function followSession(queryClient: QueryClient): () => void {
  const stopFollowingTabs = syncWithOtherTabs();
  const unsubscribe = useAuthStore.subscribe((now, before) => {
    // The next user of this browser must find neither cached data nor provider tokens of the last one. If another
    // tab has already signed somebody else in, the tokens are theirs and stay.
    const last = memberOnPage(before);
    if (last && last !== memberOnPage(now)) queryClient.clear();
    // Calls of a page that was kept have been refused meanwhile.
    else if (before.keptFor && now.isAuthenticated) void queryClient.invalidateQueries();
    if (!before.isAuthenticated || now.isAuthenticated) return;
    clearProviderTokens().catch((error: unknown) => logError('Failed to forget the provider’s tokens:', error));
  });
  return () => {
    stopFollowingTabs();
    unsubscribe();
  };
}

/** Compares the stored session with the provider's. The callback page creates its own. */
export function useSession(): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    if (window.location.pathname === PAGES.callback) return undefined;
    // A stored session is valid until then, so the check can wait.
    return useAuthStore.getState().isAuthenticated ? afterFirstAnswers(queryClient, reconcileIfSignedIn) : void reconcileSession();
  }, [queryClient]);
}
