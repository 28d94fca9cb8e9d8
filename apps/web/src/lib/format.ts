import { useLanguage } from './i18n.ts';

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

function formatDate(day: string, language: string, dateStyle: 'long' | 'medium'): string {
  // A calendar date is the same everywhere. A time is on different days in different time zones: shows the user's.
  const timeZone = day.length === 'YYYY-MM-DD'.length ? 'UTC' : undefined;
  const text = new Intl.DateTimeFormat(language, { dateStyle, timeZone }).format(new Date(day));
  return text.replaceAll(' ', '\u00a0');
}

/** The day of a calendar date such as 2027-01-31, or of a time. It does not wrap. */
export function formatDay(day: string, language: string): string {
  return formatDate(day, language, 'long');
}

/** The same in short form, such as 'Jan 31, 2027'. */
function formatShortDay(day: string, language: string): string {
  return formatDate(day, language, 'medium');
}

const DAY_MS = 86_400_000;

/** Relative date such as 'in 23 days': days up to three months, then months, then years. Dates are in UTC. */
function formatDistance(day: string, language: string): string {
  const days = Math.round(Date.parse(day) / DAY_MS) - Math.floor(Date.now() / DAY_MS);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (Math.abs(days) < 90) return format.format(days, 'day');
  if (Math.abs(days) < 730) return format.format(Math.round(days / 30.44), 'month');
  return format.format(Math.trunc(days / 365.25), 'year');
}

/** Date and time such as 'Nov 16, 2026, 5:19 AM', in the user's time zone. */
function formatTime(time: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}

/** The name of a country, or its code if it has none. */
function formatCountry(code: string, language: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code) : code;
}

/** Formats numbers, dates, times and countries in the user's language. */
export function useFormat() {
  const language = useLanguage();
  return {
    number: (value: number) => formatNumber(value, language),
    day: (day: string) => formatDay(day, language),
    shortDay: (day: string) => formatShortDay(day, language),
    distance: (day: string) => formatDistance(day, language),
    time: (time: string) => formatTime(time, language),
    country: (code: string) => formatCountry(code, language),
  };
}
