import { expect, test } from 'vitest';
import { parseFormat, readNumber } from './cell-formats.ts';

const show = (raw: string, code: string) => readNumber(raw, parseFormat(code), false);

test.each([
  ['000000000000', '36000291452', '036000291452'],
  ['00000000', '123456789', '123456789'],
  ['0-00000-00000-0', '36000291452', '0-36000-29145-2'],
  ['"FSC-"000000', '123', 'FSC-000123'],
  ['[Red]0000_);(0000)', '12', '0012'],
  ['\\A000', '7', 'A007'],
  ['"a;b"000;-000', '7', 'a;b007'],
  ['000', '-7', '-7'],
  ['General', '4.006381333931E12', '4006381333931'],
  ['0', '4006381333931', '4006381333931'],
  ['0.00', '4006381333931', '4006381333931'],
  ['0.00E+00', '4006381333931', '4006381333931'],
  ['#,##0', '1234567', '1234567'],
  ['@', '96385074', '96385074'],
  ['General', '0.1', '0.1'],
  ['General', '0.30000000000000004', '0.3'],
])('the format %s shows %s as %s', (code, raw, text) => {
  expect(show(raw, code)).toEqual({ text });
});

test.each(['yyyy-mm-dd', 'd/m/yy', '[$-409]mmm\\-yy', 'h:mm', '[h]:mm:ss'])('%s is a date format', (code) => {
  expect(show('45292.5', code)).toEqual({ text: '2024-01-01', flaw: 'date' });
});

test.each(['"day" 0', '[Red]0', 'General'])('%s is not a date format', (code) => {
  expect(show('45292', code).flaw).toBeUndefined();
});

test('a number of 16 digits has lost its last digits', () => {
  expect(show('999999999999999', 'General')).toEqual({ text: '999999999999999' });
  expect(show('1234567890123450', 'General')).toEqual({ text: '1234567890123450', flaw: 'lost_digits' });
});

test('days are counted as Excel does, with a 29 February 1900', () => {
  expect(['1', '59', '61'].map((raw) => readNumber(raw, 'date', false).text)).toEqual(['1900-01-01', '1900-02-28', '1900-03-01']);
});
