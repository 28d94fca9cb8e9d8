import { useLanguage } from './i18n.ts';

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A day of the calendar such as 2027-01-31, which is the same one everywhere. It stays on one line. */
export function formatDay(day: string, language: string): string {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
  return text.replaceAll(' ', '\u00a0');
}

/** A moment such as 'Nov 16, 2026, 5:19 AM', by the member's own clock. */
function formatTime(time: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}

/** Numbers, days and times in the member's language. */
export function useFormat() {
  const language = useLanguage();
  return {
    number: (value: number) => formatNumber(value, language),
    day: (day: string) => formatDay(day, language),
    time: (time: string) => formatTime(time, language),
  };
}
