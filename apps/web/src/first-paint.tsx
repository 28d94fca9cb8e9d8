import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import { createInstance } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { PageFrame } from './app/page-frame.tsx';
import { SignInButton, SignInCard } from './features/auth/sign-in-card.tsx';
import en from './locales/en/first-load.json';
import es from './locales/es/first-load.json';
import { Alert } from './ui/alert.tsx';
import { ErrorState } from './ui/error-state.tsx';
import { FullScreenSpinner } from './ui/spinner.tsx';

const TEXTS: Record<Language, typeof en> = { en, es };

/**
 * The HTML that is shown while the app's code loads, in all languages: the sign-in page for visitors, a spinner for
 * everybody else, and the message of both if the app cannot be loaded. Rendered by Node during the build. index.html
 * has it in `#root`, where the app replaces it; its scripts keep one of the screens and record a click on the sign-in
 * button.
 */
export async function renderFirstPaint(): Promise<string> {
  return (await Promise.all(LANGUAGES.map(renderIn))).join('');
}

async function renderIn(language: Language): Promise<string> {
  const i18n = createInstance();
  const texts = TEXTS[language];
  await i18n.init({ lng: language, resources: { [language]: { translation: { ...texts } } } });
  const render = (screen: string, content: ReactNode) =>
    renderToStaticMarkup(
      <div data-first-paint={screen} lang={language} hidden>
        <I18nextProvider i18n={i18n}>{content}</I18nextProvider>
      </div>,
    );
  const signIn = (
    <>
      <PageFrame isBeforeApp>
        <SignInCard />
      </PageFrame>
      {/* Replaces the button when it is pressed. */}
      <template>
        <SignInButton isSigningIn />
      </template>
      {/* Shown above the button if the app cannot be loaded. */}
      <template data-failed>
        <Alert tone="error" className="mt-5">
          {texts.errors.network_error}
        </Alert>
      </template>
    </>
  );
  const failed = renderToStaticMarkup(
    <template data-failed lang={language}>
      <main className="grid min-h-dvh place-items-center px-4">
        <I18nextProvider i18n={i18n}>
          <ErrorState
            heading="h1"
            title={texts.page_error.title}
            description={texts.page_error.description}
            retryLabel={texts.page_error.reload}
            onRetry={() => undefined}
          />
        </I18nextProvider>
      </main>
    </template>,
  );
  return [
    failed,
    render('sign-in', signIn),
    render('loading', <FullScreenSpinner />),
    render('completing', <FullScreenSpinner label={texts.auth.completing} />),
  ].join('');
}
