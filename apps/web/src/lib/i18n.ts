import { DEFAULT_LANGUAGE, LANGUAGES, type Language, STORAGE_KEYS } from '@brand-portal/contract/constants';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';

/** What comes with the first load, and what follows with the pages that say it. */
export const TEXT_FILES = [
  'first-load',
  'onboarding',
  'portal',
  'api-keys',
  'account',
  'team',
  'history',
  'platform',
] as const;
type TextFile = (typeof TEXT_FILES)[number];

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

/** Not through i18next's backends: they swallow a failure, show names in place of texts, and never try again. */
async function fetchTexts(language: Language, file: TextFile): Promise<object> {
  const load = files[`../locales/${language}/${file}.json`];
  if (!load) throw new Error(`No texts: ${language}/${file}`);
  return (await load()).default;
}

/** Which files are there, as `en/portal`. */
const loaded = new Set<string>();

/** All files of a language are one namespace: with one for each, every text would be looked for in up to eight. */
async function addTexts(language: Language, file: TextFile): Promise<void> {
  if (loaded.has(`${language}/${file}`)) return;
  i18next.addResourceBundle(language, 'translation', await fetchTexts(language, file), true);
  loaded.add(`${language}/${file}`);
}

/** What the pages of this visit say, in whatever language. */
const wantedFiles = new Set<TextFile>(['first-load']);

export async function startI18n(wanted: Language = preferredLanguage()): Promise<void> {
  i18next.on('languageChanged', (changed) => {
    document.documentElement.lang = changed;
  });
  const [language, texts] = await fetchTexts(wanted, 'first-load').then(
    (found) => [wanted, found] as const,
    async () => [DEFAULT_LANGUAGE, await fetchTexts(DEFAULT_LANGUAGE, 'first-load')] as const,
  );
  await i18next.use(initReactI18next).init({
    lng: language,
    // A copy: the texts of other files are added to it.
    resources: { [language]: { translation: structuredClone(texts) } },
    // Both languages have every text: nobody needs to load the other one as well.
    fallbackLng: false,
    // React escapes what it renders.
    interpolation: { escapeValue: false },
  });
  loaded.clear();
  loaded.add(`${language}/first-load`);
  // A choice in another tab. Where its texts cannot be had, this page stays as it is.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === STORAGE_KEYS.language && isLanguage(newValue)) void changeLanguage(newValue).catch(() => undefined);
  });
}

/** Fetches texts that the first load leaves out; from then on a change of language includes them. */
export async function loadTexts(file: TextFile): Promise<void> {
  wantedFiles.add(file);
  await addTexts(i18next.language as Language, file);
}

/** Once all texts are there, and not at all where they cannot be had. */
export async function changeLanguage(language: Language): Promise<void> {
  const missing = () => [...wantedFiles].filter((file) => !loaded.has(`${language}/${file}`));
  // Again and again: a page may have come to want more meanwhile.
  while (missing().length > 0) await Promise.all(missing().map((file) => addTexts(language, file)));
  try {
    localStorage.setItem(STORAGE_KEYS.language, language);
  } catch {
    // The choice then holds for this page only.
  }
  await i18next.changeLanguage(language);
}

/** The language of the page. */
export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}
