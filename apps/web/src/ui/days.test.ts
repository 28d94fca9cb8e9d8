import { describe, expect, it } from 'vitest';
import { addDays, addMonths, readDay, weeksOf, writeDay } from './days.ts';

describe('a day', () => {
  it.each([
    ['en', '02/01/2027'],
    ['es', '01/02/2027'],
  ])('is written as a member writes it in %s, and read back', (language, text) => {
    expect(writeDay('2027-02-01', language)).toBe(text);
    expect(readDay(text, language, false)).toBe('2027-02-01');
  });

  it.each([
    ['en', '2/1/2027', '2027-02-01'],
    ['es', '1.2.2027', '2027-02-01'],
    ['es', ' 1-2-2027 ', '2027-02-01'],
    ['es', '2027-02-01', '2027-02-01'],
    ['es', '', ''],
    ['es', '31/11/2027', undefined],
    ['en', '31/01/2027', undefined],
    ['es', '1/2', undefined],
    ['es', '1 de febrero', undefined],
    ['es', '0/0/0000', undefined],
    ['es', '01/02/0027', undefined],
    ['es', '31/12/9999', '9999-12-31'],
  ])('in %s is read from “%s”', (language, text, day) => {
    expect(readDay(text, language, false)).toBe(day);
    expect(readDay(text, language, true)).toBe(day);
  });

  it('is read with two digits of the year, or one of the last day, only once it is finished', () => {
    expect(readDay('1/2/20', 'es', false)).toBeUndefined();
    expect(readDay('1/2/27', 'es', true)).toBe('2027-02-01');
    expect(readDay('2027-02-1', 'es', false)).toBeUndefined();
    expect(readDay('2027-02-1', 'es', true)).toBe('2027-02-01');
  });

  it('of another month is the last one where that month is shorter', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2027-01-31', -1)).toBe('2026-12-31');
    expect(addMonths('2027-12-15', 1)).toBe('2028-01-15');
  });

  it('has four digits in its year, also where a calendar would go on', () => {
    expect(addDays('9999-12-30', 7)).toBe('9999-12-31');
    expect(addMonths('9999-12-15', 1)).toBe('9999-12-31');
  });
});

describe('the weeks of a month', () => {
  it.each([
    ['en', '2026-11-01', '2026-12-05'],
    ['es', '2026-10-26', '2026-12-06'],
  ])('begin in %s on the day that they begin there, and have all of its days', (language, first, last) => {
    const days = weeksOf('2026-11-19', language).flat();
    expect([days[0], days.at(-1)]).toEqual([first, last]);
    expect(days.filter((day) => day.startsWith('2026-11'))).toHaveLength(30);
    expect(new Set(days).size).toBe(days.length);
  });

  it('are four where February begins with one', () => {
    expect(weeksOf('2027-02-10', 'es')).toHaveLength(4);
  });

  it.each([
    ['en', ['9999-12-26', '9999-12-31']],
    ['es', ['9999-12-27', '9999-12-31']],
  ])('end in %s with the last day that has four digits in its year', (language, [first, last]) => {
    const weeks = weeksOf('9999-12-31', language);
    expect(weeks).toHaveLength(5);
    expect([weeks[4]?.[0], weeks[4]?.at(-1)]).toEqual([first, last]);
    expect(weeks.flat().filter((day) => day.startsWith('9999-12'))).toHaveLength(31);
  });

  it('are at most six in the first years, too', () => {
    expect(weeksOf('0027-01-31', 'en').length).toBeLessThanOrEqual(6);
  });
});
