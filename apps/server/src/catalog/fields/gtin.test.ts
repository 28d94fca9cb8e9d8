import type { Language } from '@brand-portal/contract/constants';
import { expect, test } from 'vitest';
import { describeProblem } from './describe.ts';
import vectors from './fixtures/gtin-vectors.json' with { type: 'json' };
import { readGtin } from './gtin.ts';
import type { RowProblem } from './row-problem.ts';

test.each([...vectors.valid, ...vectors.valid_though_they_look_restricted])('%s is a GTIN', (digits) => {
  expect(readGtin(digits)).toEqual({ gtin: digits, gtin14: digits.padStart(14, '0') });
});

test.each(Object.entries(vectors.cleaned))('%j is read as %s', (cell, gtin) => {
  expect(readGtin(cell)).toEqual({ gtin, gtin14: gtin.padStart(14, '0') });
});

test.each([
  ['6291041500214', 3, 4],
  ['012345678904', 5, 4],
  ['01012345678905', 4, 5],
  ['1234567890123', 8, 3],
])('%s has the wrong check digit, and the message has the right one', (digits, expected, found) => {
  expect(vectors.wrong_check_digit).toContain(digits);
  expect(readGtin(digits)).toEqual({ code: 'gtin_check_digit', params: { expected, found } });
});

test.each([
  ['2000000000008', '2'],
  ['0200000000004', '02'],
  ['200000000004', '02'],
  ['0400000000008', '04'],
  ['12000000000005', '2'],
  ['20000004', '2'],
  ['00000020000004', '2'],
])('%s is restricted by its prefix %s', (digits, prefix) => {
  expect(readGtin(digits)).toMatchObject({ code: 'gtin_restricted', params: { prefix } });
});

test('if the restricted prefix shows only in the 13-digit form, the message has that form', () => {
  const describe = (cell: string, language: Language) => describeProblem(readGtin(cell) as RowProblem, language);
  expect(describe('409980000503', 'en')).toBe(
    'With 13 digits this number is 0409980000503. Numbers that begin with 04 are for internal use in a shop or company and identify no product. Please use the GTIN that GS1 has assigned.',
  );
  expect(describe('409980000503', 'es')).toContain('Con 13 dígitos, este número es 0409980000503. Los números que');
  expect(describe('0409980000503', 'en')).toMatch(/^Numbers that begin with 04/);
  expect(describe('501000000002', 'en')).toMatch(/^With 13 digits this number is 0501000000002\. Numbers that begin with 05/);
});

test.each(vectors.restricted)('%s is refused as restricted', (digits) => {
  expect(readGtin(digits)).toMatchObject({ code: 'gtin_restricted' });
});

test.each(vectors.coupon)('%s is a coupon', (digits) => {
  expect(readGtin(digits)).toMatchObject({ code: 'gtin_coupon' });
});

test.each(vectors.zeros)('%s is refused, although its check digit is right', (digits) => {
  expect(readGtin(digits)).toEqual({ code: 'gtin_zeros' });
});

test.each(vectors.shortened_by_a_spreadsheet)('%s was shortened by a spreadsheet', (cell) => {
  expect(readGtin(cell)).toEqual({ code: 'gtin_scientific', params: { value: cell } });
  // The apostrophe of our own downloads.
  expect(readGtin(`'${cell}`)).toEqual(readGtin(cell));
});

test('11 digits whose check digit is wrong even with a leading zero are refused', () => {
  expect(readGtin('36000291453')).toEqual({ code: 'gtin_lost_zero' });
});

test.each([
  ['1', 1],
  ['1234567', 7],
  ['123456789', 9],
  ['3600029145', 10],
  ['123456789012345', 15],
])('%s has a wrong number of digits', (cell, digits) => {
  expect(readGtin(cell)).toEqual({ code: 'gtin_length', params: { digits } });
});

test.each(['٩٦٣٨٥٠٧٤', '９６３８５０７４', '९६३८५०७४', '𝟗𝟔𝟑𝟖𝟓𝟎𝟕𝟒'])('%s is read although its digits are of another script', (cell) => {
  expect(readGtin(cell)).toMatchObject({ gtin: '96385074' });
});

test.each([
  'ABC',
  '9638507⁴',
  '96385074¹',
  '③6000291452',
  '40063813339X1',
  '4006381333931.5',
  '-',
  '="x"',
  '4006381333931/2',
  // A dash separates digits; before or after them it is the minus of a number.
  '-96385074',
  "'-96385074",
  '- 96385074',
  '96385074-',
])('%s is refused because of its characters', (cell) => {
  expect(readGtin(cell)).toEqual({ code: 'gtin_characters' });
});
