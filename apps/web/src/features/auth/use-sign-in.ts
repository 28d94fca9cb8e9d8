import { PAGES } from '@brand-portal/contract/pages';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useLanguage } from '../../lib/i18n.ts';
import { logError } from '../../lib/log.ts';
import { useAuthStore } from './auth-store.ts';
import { checkProviderAnswers, loadProviderClient, mustAskForPassword } from './provider-client.ts';

/** Set by the script of index.html when its button was pressed before there was an app. */
const PRESSED = 'data-sign-in-pressed';
const isPressed = () => document.documentElement.hasAttribute(PRESSED);

/** Leads to the provider and back to where the member is now; or tells why it cannot. */
export function useSignIn() {
  const language = useLanguage();
  const { pathname, search } = useLocation();
  const [isSigningIn, setSigningIn] = useState(isPressed);
  const failure = useAuthStore((state) => state.error);

  useEffect(() => {
    // Whoever comes back from the provider may find the page as they left it: busy.
    const wakeUp = (event: PageTransitionEvent) => {
      if (event.persisted) setSigningIn(false);
    };
    window.addEventListener('pageshow', wakeUp);
    return () => window.removeEventListener('pageshow', wakeUp);
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
      // Still busy: the browser is on its way to the provider.
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
