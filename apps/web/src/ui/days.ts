/** Calendar dates such as 2027-01-31, as a member of a language writes and reads them. */

const DAY_MS = 86_400_000;

const FORMAT = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const;

/** Years with more than four digits are neither written nor compared like the others. */
const LAST_DAY = '9999-12-31';

const isoDay = (time: number) => new Date(Math.min(time, Date.parse(LAST_DAY))).toISOString().slice(0, 10);

export const addDays = (day: string, days: number) => isoDay(Date.parse(day) + days * DAY_MS);

/** The same day of another month, or its last day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(date, lastDateOf(year, month + months))));
}

const lastDateOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Such as 01/31/2027 in English and 31/01/2027 in Spanish. */
export function writeDay(day: string, language: string): string {
  return day === '' ? '' : new Intl.DateTimeFormat(language, FORMAT).format(new Date(day));
}

/** Of an earlier year, digits are still missing or wrong. */
const FIRST_YEAR = 1900;

/**
 * The day that a text names: in the order of the language, or as 2027-01-31. Undefined if it names none. Only a text that is finished may
 * leave digits out: 1/2/20 may become 1/2/2027.
 */
export function readDay(text: string, language: string, isFinished: boolean): string | undefined {
  const written = text.trim();
  if (written === '') return '';
  const numbers = written.split(/[\s./-]+/);
  if (numbers.length !== 3 || !numbers.every((part) => /^\d+$/.test(part))) return undefined;
  const order = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : orderOf(language);
  const part = (name: string) => numbers[order.indexOf(name)] ?? '';
  const digits = part('year').length;
  if (!(digits === 4 || (isFinished && digits === 2))) return undefined;
  if (order[2] === 'day' && !isFinished && part('day').length < 2) return undefined;
  const year = digits === 2 ? `20${part('year')}` : part('year');
  const day = `${year}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`;
  // November 31 would become December 1.
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number(year) >= FIRST_YEAR && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
}

function orderOf(language: string): string[] {
  const parts = new Intl.DateTimeFormat(language, FORMAT).formatToParts(0);
  return parts.map(({ type }) => type).filter((type) => type !== 'literal');
}

/** The weeks that have days of the month, from Sunday in English and from Monday elsewhere. The very last week ends with its last day. */
export function weeksOf(day: string, language: string): string[][] {
  const first = `${day.slice(0, 7)}-01`;
  const weekday = new Date(first).getUTCDay();
  const before = language === 'en' ? weekday : (weekday + 6) % 7;
  const [year = 0, month = 1] = day.split('-').map(Number);
  const weeks = Math.ceil((before + lastDateOf(year, month)) / 7);
  return Array.from({ length: weeks }, (_, week) => [
    ...new Set([0, 1, 2, 3, 4, 5, 6].map((days) => addDays(first, week * 7 + days - before))),
  ]);
}
