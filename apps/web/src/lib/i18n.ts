import { DEFAULT_LANGUAGE, LANGUAGES, type Language, STORAGE_KEYS } from '@brand-portal/contract/constants';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';

const locales: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('../locales/en.json'),
  es: () => import('../locales/es.json'),
};

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

const lazyLocales: BackendModule = {
  type: 'backend',
  init() {},
  read(language, _namespace, callback) {
    const load = isLanguage(language) ? locales[language] : locales[DEFAULT_LANGUAGE];
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
    .use(lazyLocales)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: DEFAULT_LANGUAGE,
      supportedLngs: LANGUAGES,
      load: 'languageOnly',
      // React escapes what it renders.
      interpolation: { escapeValue: false },
    });
}

export async function changeLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(STORAGE_KEYS.language, language);
  } catch {
    // The choice then holds for this page only.
  }
  await i18next.changeLanguage(language);
}
