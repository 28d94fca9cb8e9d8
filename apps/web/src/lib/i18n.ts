import { DEFAULT_LANGUAGE, LANGUAGES, type Language, STORAGE_KEYS } from '@brand-portal/contract/constants';
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';

/** `first-load` comes with the first load, the others with the pages that use them. */
export const TEXT_FILES = [
  'first-load',
  'onboarding',
  'portal',
  'palette',
  'variant-panel',
  'attention',
  'certificates',
  'imports',
  'settings',
  'api-keys',
  'account',
  'team',
  'history',
  'platform',
] as const;
export type TextFile = (typeof TEXT_FILES)[number];

const files = import.meta.glob<{ default: object }>('../locales/*/*.json');

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The stored choice, else Spanish if it is the browser's first language, else English. */
export function preferredLanguage(): Language {
  try {
    const stored = localStorage.getItem(STORAGE_KEYS.language);
    if (isLanguage(stored)) return stored;
  } catch {
    // Storage can be blocked (private windows): use the browser's languages.
  }
  return /^es(-|$)/i.test(navigator.languages[0] ?? '') ? 'es' : DEFAULT_LANGUAGE;
}

/** Not through i18next's backends: they hide failures, show keys in place of texts, and do not retry. */
async function fetchTexts(language: Language, file: TextFile): Promise<object> {
  const load = files[`../locales/${language}/${file}.json`];
  if (!load) throw new Error(`No texts: ${language}/${file}`);
  return (await load()).default;
}

/** Loaded files, as `en/portal`. */
const loaded = new Set<string>();

/** All files of a language share one namespace: with one per file, i18next would search all of them for each text. */
async function addTexts(language: Language, file: TextFile): Promise<void> {
  if (loaded.has(`${language}/${file}`)) return;
  i18next.addResourceBundle(language, 'translation', await fetchTexts(language, file), true);
  loaded.add(`${language}/${file}`);
}

/** The files that the pages visited so far use, in any language. */
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
    // A copy, because i18next adds the texts of other files to it.
    resources: { [language]: { translation: structuredClone(texts) } },
    // Both languages have all texts: no need to load the other one too.
    fallbackLng: false,
    // React escapes the output.
    interpolation: { escapeValue: false },
  });
  loaded.clear();
  loaded.add(`${language}/first-load`);
  // The language was changed in another tab. If its texts cannot be loaded, this page keeps its language.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === STORAGE_KEYS.language && isLanguage(newValue)) void changeLanguage(newValue).catch(() => undefined);
  });
}

/** Loads texts that are not part of the first load; later changes of language include them. */
export async function loadTexts(file: TextFile): Promise<void> {
  wantedFiles.add(file);
  await addTexts(i18next.language as Language, file);
}

/** Changes the language after all its texts are loaded; throws if they cannot be loaded. */
export async function changeLanguage(language: Language): Promise<void> {
  const missing = () => [...wantedFiles].filter((file) => !loaded.has(`${language}/${file}`));
  // In a loop: another page may need more files meanwhile.
  while (missing().length > 0) await Promise.all(missing().map((file) => addTexts(language, file)));
  try {
    localStorage.setItem(STORAGE_KEYS.language, language);
  } catch {
    // Storage can be blocked: the choice then applies to this page only.
  }
  await i18next.changeLanguage(language);
}

export function useLanguage(): Language {
  return useTranslation().i18n.language as Language;
}
