import { useLanguage } from './i18n.ts';

export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** A calendar date is the same everywhere. A time is on different days in different time zones: shows the user's. */
const isCalendarDate = (day: string) => day.length === 'YYYY-MM-DD'.length;

function formatDate(day: string, language: string, dateStyle: 'long' | 'medium'): string {
  const timeZone = isCalendarDate(day) ? 'UTC' : undefined;
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

/** The user's calendar date, such as 2027-01-31. */
export function localDay(time: string | number): string {
  // Sweden writes dates in this form.
  return new Date(time).toLocaleDateString('sv');
}

/** Relative date such as 'in 23 days', from the user's present day: days up to three months, then months, then years. */
function formatDistance(day: string, language: string): string {
  const then = isCalendarDate(day) ? day : localDay(day);
  const days = Math.round((Date.parse(then) - Date.parse(localDay(Date.now()))) / DAY_MS);
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

/** In megabytes. */
function formatBytes(bytes: number, language: string): string {
  const format = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1024 ** 2);
}

/** Formats numbers, dates, times and countries in the user's language. */
export function useFormat() {
  const language = useLanguage();
  return {
    number: (value: number) => formatNumber(value, language),
    bytes: (bytes: number) => formatBytes(bytes, language),
    day: (day: string) => formatDay(day, language),
    shortDay: (day: string) => formatShortDay(day, language),
    distance: (day: string) => formatDistance(day, language),
    time: (time: string) => formatTime(time, language),
    country: (code: string) => formatCountry(code, language),
  };
}
