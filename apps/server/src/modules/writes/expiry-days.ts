import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/**
 * Which day it is for the certificates of a brand. A claim has to be gone from Google before the day after its last one begins in the
 * country of the connection where that day begins last (docs/decisions/0014-certificates-that-end.md).
 */

/** The day is taken to begin so much earlier: deliveries need time to reach the channel. */
const LEAD_MS = 3_600_000;
/** No day begins earlier or later than so many minutes before and after it begins in UTC. */
const MAX_OFFSET_MINUTES = 16 * 60;
const MINUTE_MS = 60_000;

const zonesOf = new Map<string, readonly string[]>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** From the time zone data of Node. A country that it does not know goes by UTC. */
function listZones(country: string): readonly string[] {
  const known = zonesOf.get(country);
  if (known) return known;
  // Newer than TypeScript's types.
  const locale: Intl.Locale & { getTimeZones?: () => string[] } = new Intl.Locale(`und-${country}`);
  const found = locale.getTimeZones?.() ?? [];
  const zones = found.length > 0 ? found : ['UTC'];
  zonesOf.set(country, zones);
  return zones;
}

function localDay(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // The Canadian way to write a day is 2027-01-31.
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(at);
}

/** Days such as 2027-01-31 are compared as texts. */
const earliest = (days: readonly string[]) => days.reduce((a, b) => (a < b ? a : b));
const latest = (days: readonly string[]) => days.reduce((a, b) => (a > b ? a : b));

/** In a country a day has begun as soon as it has in one of its time zones. Without countries: the day in UTC. */
export function dayIn(countries: readonly string[], at: Date): string {
  if (countries.length === 0) return at.toISOString().slice(0, 10);
  const soon = at.getTime() + LEAD_MS;
  return earliest(countries.map((country) => latest(listZones(country).map((zone) => localDay(soon, zone)))));
}

/** The first minute at which `dayIn` tells that day. */
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

/** Where the brand's products are shown; none without a connection. */
export async function listCountries(db: Db, brandId: number): Promise<readonly string[]> {
  const { rows } = await sql<{ countries: string[] }>`
    select countries from channel_connections where brand_id = ${brandId} and ended_at is null
  `.execute(db);
  return rows[0]?.countries ?? [];
}

export async function findBrandDay(db: Db, brandId: number, at = new Date()): Promise<string> {
  return dayIn(await listCountries(db, brandId), at);
}
