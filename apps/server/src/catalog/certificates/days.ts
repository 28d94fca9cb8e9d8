/** Whether the text is a day that exists, written as 2027-01-31. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  if (!year || !month || !day) return false;
  // `Date` turns February 30 into a day of March.
  return month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** In UTC. A certificate is valid to the end of its last day. */
export function currentDay(now = new Date()): string {
  return now.toISOString().slice(0, 10);
}

export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
