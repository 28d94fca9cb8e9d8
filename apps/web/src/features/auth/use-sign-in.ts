import { PAGES } from '@brand-portal/contract/pages';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useLanguage } from '../../lib/i18n.ts';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { checkProviderAnswers, loadProviderClient, mustAskForPassword } from './provider-client.ts';

/** Set by a script in index.html if its button was pressed before the app ran. */
const PRESSED = 'data-sign-in-pressed';
const isPressed = () => document.documentElement.hasAttribute(PRESSED);

/** Redirects to the provider, which returns to the current page; or reports why that fails. */
export function useSignIn() {
  const language = useLanguage();
  const { pathname, search } = useLocation();
  const [isSigningIn, setSigningIn] = useState(isPressed);
  const failure = useAuthStore((state) => state.error);

  useEffect(() => {
    // Back from the provider may restore this page from the back/forward cache, with its button still busy.
    const resetAfterBack = (event: PageTransitionEvent) => {
      if (event.persisted) setSigningIn(false);
    };
    window.addEventListener('pageshow', resetAfterBack);
    return () => window.removeEventListener('pageshow', resetAfterBack);
  }, []);

  const signIn = useCallback(async () => {
    setSigningIn(true);
    useAuthStore.getState().setError(null);
    try {
      const [provider] = await Promise.all([loadProviderClient(), checkProviderAnswers()]);
      const isStart = pathname === PAGES.home || pathname === PAGES.login;
      await provider.loginWithRedirect({
        appState: { returnTo: isStart ? PAGES.brands : pathname + search },
        authorizationParams: { ui_locales: language, ...(mustAskForPassword() && { prompt: 'login' }) },
      });
      // Stays busy: the browser is leaving the page.
    } catch (error) {
      logError('Failed to start the sign-in:', error);
      useAuthStore.getState().setError('provider_unavailable');
      setSigningIn(false);
    }
  }, [pathname, search, language]);

  useEffect(() => {
    if (!isPressed()) return;
    document.documentElement.removeAttribute(PRESSED);
    void signIn();
  }, [signIn]);

  return { signIn, isSigningIn, failure };
}
