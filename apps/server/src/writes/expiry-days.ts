import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * The current day for a brand's certificates. A claim must be removed from Google before the day after its last one begins in the country
 * of the connection where that day begins last (docs/decisions/0014-certificates-that-end.md).
 */

/** The day is treated as starting this much earlier, because deliveries take time to reach the channel. */
const LEAD_MS = 3_600_000;
/** No day begins more than this many minutes before or after it begins in UTC. */
const MAX_OFFSET_MINUTES = 16 * 60;
const MINUTE_MS = 60_000;

const zonesOf = new Map<string, readonly string[]>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** From the time zone data of Node. An unknown country uses UTC. */
function listZones(country: string): readonly string[] {
  const known = zonesOf.get(country);
  if (known) return known;
  // TypeScript's types do not have this method yet.
  const locale: Intl.Locale & { getTimeZones?: () => string[] } = new Intl.Locale(`und-${country}`);
  const found = locale.getTimeZones?.() ?? [];
  const zones = found.length > 0 ? found : ['UTC'];
  zonesOf.set(country, zones);
  return zones;
}

function localDay(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // The Canadian format of a date is 2027-01-31.
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(at);
}

/** ISO dates sort as text. */
const earliest = (days: readonly string[]) => days.reduce((a, b) => (a < b ? a : b));
const latest = (days: readonly string[]) => days.reduce((a, b) => (a > b ? a : b));

/** In a country a day has begun as soon as it has in one of its time zones. Without countries: the day in UTC. */
export function dayIn(countries: readonly string[], at: Date): string {
  if (countries.length === 0) return at.toISOString().slice(0, 10);
  const soon = at.getTime() + LEAD_MS;
  return earliest(countries.map((country) => latest(listZones(country).map((zone) => localDay(soon, zone)))));
}

/** The first minute at which `dayIn` returns that day. */
export function beginOfDay(countries: readonly string[], day: string): Date {
  const utc = Date.parse(day);
  const atMinute = (minute: number) => new Date(utc + minute * MINUTE_MS);
  let before = -MAX_OFFSET_MINUTES;
  let after = MAX_OFFSET_MINUTES;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(countries, atMinute(middle)) >= day) after = middle;
    else before = middle;
  }
  return atMinute(after);
}

/** The countries where the brand's products are shown. Empty without a connection. */
export async function listCountries(db: Db, brandId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ countries: string[] }>`
    select countries from channel_connections where brand_id = ${brandId} and ended_at is null
  `.execute(db);
  return rows[0]?.countries ?? [];
}

export async function findBrandDay(db: Db, brandId: number, at = new Date()): Promise<string> {
  return dayIn(await listCountries(db, brandId), at);
}
