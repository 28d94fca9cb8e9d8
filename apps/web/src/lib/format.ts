import { useLanguage } from './i18n.ts';

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A day of the calendar such as 2027-01-31, which is the same one everywhere. */
export function formatDay(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** Numbers and days in the member's language. */
export function useFormat() {
  const language = useLanguage();
  return {
    number: (value: number) => formatNumber(value, language),
    day: (day: string) => formatDay(day, language),
  };
}
