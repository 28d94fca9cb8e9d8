import { PAGES } from '@brand-portal/contract/pages';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { logError } from '../../lib/log.ts';
import { afterFirstAnswers } from '../../lib/query-client.ts';
import { useAuthStore } from './auth-store.ts';
import { forgetProviderSession } from './provider-client.ts';
import { reconcileSession } from './reconcile-session.ts';
import { followOtherTabs } from './session.ts';

/** One that the server has ended meanwhile is not begun anew. */
function reconcileIfSignedIn(): void {
  if (useAuthStore.getState().isAuthenticated) void reconcileSession();
}

/** Keeps the session for as long as the page is open. The callback page makes its own. */
export function useSession(): void {
  const queryClient = useQueryClient();

  useEffect(() => {
    const stopFollowing = followOtherTabs();
    if (window.location.pathname === PAGES.callback) return stopFollowing;
    // A stored session holds meanwhile.
    const stopWaiting = useAuthStore.getState().isAuthenticated
      ? afterFirstAnswers(queryClient, reconcileIfSignedIn)
      : void reconcileSession();
    return () => {
      stopFollowing();
      stopWaiting?.();
    };
  }, [queryClient]);

  useEffect(
    () =>
      useAuthStore.subscribe((now, before) => {
        const isSame = now.isAuthenticated && now.user?.id === before.user?.id;
        if (!before.isAuthenticated || isSame) return;
        // The next person at this browser must find neither the data nor the provider's tokens of the last one. Where
        // another tab has signed them in already, the tokens are theirs.
        queryClient.clear();
        if (now.isAuthenticated) return;
        forgetProviderSession().catch((error: unknown) => logError('Failed to forget the provider’s tokens:', error));
      }),
    [queryClient],
  );
}
