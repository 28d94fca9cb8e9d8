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
 * What is seen while the app's code is on its way, as HTML in every language: the sign-in page for visitors, a spinner for
 * everybody else, and what both show if the app cannot be loaded. Runs when the app is built, in Node. index.html has it in `#root`, where the app takes its place; its
 * scripts leave one of the screens, and remember a click on the sign-in button.
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
      {/* Takes the other one's place when that is pressed. */}
      <template>
        <SignInButton isSigningIn />
      </template>
      {/* Shown above it if the app cannot be loaded. */}
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
