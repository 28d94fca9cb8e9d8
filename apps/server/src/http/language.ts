import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '@brand-portal/contract/constants';

/** Like the web app: the browser's first language that is supported. */
export function languageOf(acceptLanguage: string | undefined): Language {
  return toLanguage(acceptLanguage?.split(/[,;]/, 1)[0]?.trim()) ?? DEFAULT_LANGUAGE;
}

/** `es-MX` counts as Spanish. */
export function toLanguage(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined;
  return LANGUAGES.find((language) => language === tag.toLowerCase().split('-', 1)[0]);
}
