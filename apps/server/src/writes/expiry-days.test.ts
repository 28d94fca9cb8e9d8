import { describe, expect, test } from 'vitest';
import { beginOfDay, dayIn } from './expiry-days.ts';

const begin = (countries: string[], day: string) => beginOfDay(countries, day).toISOString();

describe('the day of a brand', () => {
  test('is that of UTC without a connection', () => {
    expect(begin([], '2027-02-01')).toBe('2027-02-01T00:00:00.000Z');
    expect(dayIn([], new Date('2027-01-31T23:59:59Z'))).toBe('2027-01-31');
  });

  test('begins an hour earlier than in its country, in winter and in summer', () => {
    expect(begin(['DE'], '2027-02-01')).toBe('2027-01-31T22:00:00.000Z');
    expect(begin(['DE'], '2027-07-01')).toBe('2027-06-30T21:00:00.000Z');
    expect(begin(['JP'], '2027-02-01')).toBe('2027-01-31T14:00:00.000Z');
  });

  test('follows daylight saving time on the days of a change and on the days after', () => {
    // Daylight saving in Germany changes on 28 March 2027 at 2:00 and on 31 October 2027 at 3:00.
    expect(begin(['DE'], '2027-03-28')).toBe('2027-03-27T22:00:00.000Z');
    expect(begin(['DE'], '2027-03-29')).toBe('2027-03-28T21:00:00.000Z');
    expect(begin(['DE'], '2027-10-31')).toBe('2027-10-30T21:00:00.000Z');
    expect(begin(['DE'], '2027-11-01')).toBe('2027-10-31T22:00:00.000Z');
    // Lebanon changes at midnight, so 28 March 2027 begins at 1:00.
    expect(begin(['LB'], '2027-03-28')).toBe('2027-03-27T21:00:00.000Z');
    expect(begin(['LB'], '2027-03-29')).toBe('2027-03-28T20:00:00.000Z');
  });

  test('begins by the earliest of several time zones of a country', () => {
    // New York is the first zone of the US. In Spain the Canaries are later.
    expect(begin(['US'], '2027-02-01')).toBe('2027-02-01T04:00:00.000Z');
    expect(begin(['ES'], '2027-02-01')).toBe('2027-01-31T22:00:00.000Z');
  });

  test('begins by the latest of several countries of a connection', () => {
    expect(begin(['JP', 'DE'], '2027-02-01')).toBe('2027-01-31T22:00:00.000Z');
    expect(begin(['JP', 'US', 'DE'], '2027-02-01')).toBe('2027-02-01T04:00:00.000Z');
    // The Chatham Islands are 45 minutes ahead of Auckland.
    expect(begin(['NZ'], '2027-02-01')).toBe('2027-01-31T09:15:00.000Z');
  });

  test('begins an hour earlier than in UTC for a country whose time zones are unknown', () => {
    expect(begin(['XK'], '2027-02-01')).toBe('2027-01-31T23:00:00.000Z');
  });

  test('never goes back over a year', () => {
    const countries = ['US', 'DE', 'AU', 'BR'];
    let last = '';
    for (let at = Date.parse('2027-01-01'); at < Date.parse('2028-01-01'); at += 3_600_000) {
      const day = dayIn(countries, new Date(at));
      expect(day >= last).toBe(true);
      last = day;
    }
    expect(last).toBe('2027-12-31');
  });
});
