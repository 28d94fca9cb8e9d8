import { expect, test } from 'vitest';
import { toGramQueries, toGtinPart } from './search-terms.ts';

/** A hundred variants with GTINs of one company: every tenth is a crème, every twentieth and one crème are a zucchini. */
const sample = Array.from({ length: 100 }, (_, n) => ({
  name_key: `${n % 10 === 0 ? 'creme de' : 'organic'} ${n % 20 === 1 || n === 50 ? 'zucchini' : 'tea'} ${n}`,
  gtin14: `0614141000${String(n).padStart(4, '0')}`,
}));
const gramsFor = (search: string) => toGramQueries(255, { name: search, gtin: toGtinPart(search) }, sample);

test('of grams that come together, only one is looked up', () => {
  expect(gramsFor('creme de')).toEqual(["'ff:cre'"]);
});

test('a gram that narrows the others down is looked up with them', () => {
  expect(gramsFor('creme de zuc')).toEqual(["'ff:zuc' & 'ff:cre'"]);
});

test('grams that nearly every variant has are left out', () => {
  expect(gramsFor('0614141000050')).toEqual(["'ff:050'"]);
});

test('grams that the sample does not know are all looked up: there are few entries to read, and few may be too many to look up', () => {
  expect(gramsFor('xqzwjv')).toEqual(["'ff:xqz' & 'ff:wjv'"]);
});

test('what is shorter than a gram is looked up as the beginning of one', () => {
  expect(gramsFor('zu')).toEqual(["'ff:zu':*"]);
});
