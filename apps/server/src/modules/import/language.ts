import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '@brand-portal/contract/constants';

/** As the web app chooses: what the browser asks for first, where we speak it. `es-MX` is Spanish to us. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const first = acceptLanguage?.split(/[,;-]/, 1)[0]?.trim().toLowerCase();
  return LANGUAGES.find((language) => language === first) ?? DEFAULT_LANGUAGE;
}
