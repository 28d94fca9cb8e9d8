import { useLanguage } from './i18n.ts';

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A day of the calendar such as 2027-01-31, which is the same one everywhere. It stays on one line. */
export function formatDay(day: string, language: string): string {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
  return text.replaceAll(' ', '\u00a0');
}

/** The same in short, such as 'Jan 31, 2027'. */
function formatShortDay(day: string, language: string): string {
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
  return text.replaceAll(' ', '\u00a0');
}

const DAY_MS = 86_400_000;

/** How far off a day is, such as 'in 23 days': days for three months, then months, then years. Days are those of UTC. */
function formatDistance(day: string, language: string): string {
  const days = Math.round(Date.parse(day) / DAY_MS) - Math.floor(Date.now() / DAY_MS);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (Math.abs(days) < 90) return format.format(days, 'day');
  if (Math.abs(days) < 730) return format.format(Math.round(days / 30.44), 'month');
  return format.format(Math.trunc(days / 365.25), 'year');
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
    shortDay: (day: string) => formatShortDay(day, language),
    distance: (day: string) => formatDistance(day, language),
    time: (time: string) => formatTime(time, language),
  };
}
