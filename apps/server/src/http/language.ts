import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '@brand-portal/contract/constants';

/** As the web app chooses: what the browser asks for first, where we speak it. */
export function languageOf(acceptLanguage: string | undefined): Language {
  return toLanguage(acceptLanguage?.split(/[,;]/, 1)[0]?.trim()) ?? DEFAULT_LANGUAGE;
}

/** `es-MX` is Spanish to us. */
export function toLanguage(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined;
  return LANGUAGES.find((language) => language === tag.toLowerCase().split('-', 1)[0]);
}
