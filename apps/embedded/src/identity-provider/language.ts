import type { Language } from '@brand-portal/contract/constants';
import { languageOf, toLanguage } from '@brand-portal/server/http/language.ts';
import { readCookie } from './cookies.ts';

/** Stores a choice made on the provider's own pages. */
export const LANGUAGE_COOKIE = 'idp_language';

interface LanguagePreferences {
  /** From the language switch on the page. */
  readonly chosen?: unknown;
  /** The application's `ui_locales`, a list such as `es en`. */
  readonly uiLocales?: unknown;
  readonly cookies?: string | undefined;
  readonly acceptLanguage?: string | undefined;
}

/** The most explicit choice wins. Of the browser's list only the first language is used, as in the app. */
export function chooseLanguage({ chosen, uiLocales, cookies, acceptLanguage }: LanguagePreferences): Language {
  const remembered = readCookie(cookies, LANGUAGE_COOKIE);
  const locales = typeof uiLocales === 'string' ? uiLocales.split(' ').map(toLanguage) : [];
  return (
    toLanguage(chosen) ??
    locales.find((language) => language !== undefined) ??
    toLanguage(remembered) ??
    languageOf({ headers: { 'accept-language': acceptLanguage } })
  );
}
