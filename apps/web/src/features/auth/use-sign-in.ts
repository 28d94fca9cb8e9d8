import { PAGES } from '@brand-portal/contract/pages';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { ApiErrorCode } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { readRuntimeConfig } from '../../lib/runtime-config.ts';
import { loadProviderClient } from './provider-client.ts';
import { forgetSignInFailure, readSignInFailure } from './sign-in-failure.ts';

const PROVIDER_DEADLINE_MS = 5_000;

/** Leads to the provider and back to where the member is now; or tells why it cannot. */
export function useSignIn() {
  const { i18n } = useTranslation();
  const { pathname, search } = useLocation();
  const [isSigningIn, setSigningIn] = useState(false);
  const [failure, setFailure] = useState<ApiErrorCode | null>(readSignInFailure);

  const signIn = useCallback(async () => {
    setSigningIn(true);
    setFailure(null);
    forgetSignInFailure();
    try {
      const [provider] = await Promise.all([loadProviderClient(), checkProviderAnswers()]);
      const isStart = pathname === PAGES.home || pathname === PAGES.login;
      await provider.loginWithRedirect({
        appState: { returnTo: isStart ? PAGES.brands : pathname + search },
        authorizationParams: { ui_locales: i18n.language },
      });
      // Still busy: the browser is on its way to the provider.
    } catch (error) {
      logError('Failed to start the sign-in:', error);
      setFailure('provider_unavailable');
      setSigningIn(false);
    }
  }, [pathname, search, i18n.language]);

  return { signIn, isSigningIn, failure };
}

/** Asked before the page is left: a provider that is down would leave the member in front of the browser's error page. */
async function checkProviderAnswers(): Promise<void> {
  const { domain } = readRuntimeConfig();
  const baseUrl = domain.includes('://') ? domain : `https://${domain}`;
  const response = await fetch(`${baseUrl}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PROVIDER_DEADLINE_MS),
  });
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}`);
}
