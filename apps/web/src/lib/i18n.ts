import { DEFAULT_LANGUAGE, LANGUAGES, type Language, STORAGE_KEYS } from '@brand-portal/contract/constants';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';

/** What comes with the first load, and what follows with the pages that say it. */
export const TEXT_PARTS = ['first-load', 'onboarding', 'portal'] as const;
type TextPart = (typeof TEXT_PARTS)[number];

const files = import.meta.glob<{ default: object }>('../locales/*/*.json');

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The stored choice, else Spanish when the browser asks for it first, else English. */
export function preferredLanguage(): Language {
  try {
    const stored = localStorage.getItem(STORAGE_KEYS.language);
    if (isLanguage(stored)) return stored;
  } catch {
    // Storage can be refused (private windows); the browser's languages decide then.
  }
  return /^es(-|$)/i.test(navigator.languages[0] ?? '') ? 'es' : DEFAULT_LANGUAGE;
}

const lazyTexts: BackendModule = {
  type: 'backend',
  init() {},
  read(language, part, callback) {
    const load = files[`../locales/${language}/${part}.json`];
    if (!load) return callback(`No texts: ${language}/${part}`, false);
    load().then(
      (module) => callback(null, module.default),
      (error: unknown) => callback(error instanceof Error ? error : String(error), false),
    );
  },
};

export async function startI18n(language: Language = preferredLanguage()): Promise<void> {
  i18next.on('languageChanged', (changed) => {
    document.documentElement.lang = changed;
  });
  await i18next
    .use(lazyTexts)
    .use(initReactI18next)
    .init({
      lng: language,
      // Both languages have every text: nobody needs to load the other one as well.
      fallbackLng: false,
      supportedLngs: LANGUAGES,
      load: 'languageOnly',
      ns: ['first-load' satisfies TextPart],
      defaultNS: 'first-load' satisfies TextPart,
      // A text is named alike wherever its file is.
      fallbackNS: [...TEXT_PARTS],
      // React escapes what it renders.
      interpolation: { escapeValue: false },
    });
}

/** Fetches texts that the first load leaves out; from then on a change of language includes them. */
export async function loadTexts(part: TextPart): Promise<void> {
  await i18next.loadNamespaces(part);
}

export async function changeLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(STORAGE_KEYS.language, language);
  } catch {
    // The choice then holds for this page only.
  }
  await i18next.changeLanguage(language);
}
