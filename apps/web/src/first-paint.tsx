import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { PageFrame } from './app/page-frame.tsx';
import { SignInCard } from './features/auth/sign-in-card.tsx';
import en from './locales/en/first-load.json';
import es from './locales/es/first-load.json';

const TEXTS: Record<Language, object> = { en, es };

/**
 * The sign-in page as HTML in every language, for visitors to look at while the app's code is on its way. Runs when the app is
 * built, in Node; index.html has it in `#root`, where the app takes its place, and shows it to whom it is meant for.
 */
export async function renderFirstPaint(): Promise<string> {
  return (await Promise.all(LANGUAGES.map(renderIn))).join('');
}

async function renderIn(language: Language): Promise<string> {
  const i18n = createInstance();
  await i18n.init({ lng: language, resources: { [language]: { translation: { ...TEXTS[language] } } } });
  const markup = renderToStaticMarkup(
    <div data-first-paint={language} inert>
      <I18nextProvider i18n={i18n}>
        <PageFrame>
          <SignInCard />
        </PageFrame>
      </I18nextProvider>
    </div>,
  );
  // Nobody can skip to the content of what is inert, and two elements must not have one id.
  return markup.replace(' id="content"', '');
}
