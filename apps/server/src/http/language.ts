import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '@brand-portal/contract/constants';

interface LanguageRequest {
  readonly headers: { readonly 'accept-language'?: string | undefined };
}

/** Like the web app: the browser's first language, if it is supported. */
export function languageOf({ headers }: LanguageRequest): Language {
  return toLanguage(headers['accept-language']?.split(/[,;]/, 1)[0]?.trim()) ?? DEFAULT_LANGUAGE;
}

/** `es-MX` counts as Spanish. */
export function toLanguage(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined;
  return LANGUAGES.find((language) => language === tag.toLowerCase().split('-', 1)[0]);
}
