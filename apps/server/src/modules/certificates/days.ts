/** Whether the text is a day that exists, written as 2027-01-31. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day) return false;
  // A day too many is the first of the next month.
  return month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
