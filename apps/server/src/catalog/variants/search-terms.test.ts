import { expect, test } from 'vitest';
import { searchWords } from '../../lib/search-words.ts';
import { toGramQueries, toGtinPart } from './search-terms.ts';

/** A hundred variants with GTINs of one company: every tenth is a crème, every twentieth and one crème are a zucchini. */
const sample = Array.from({ length: 100 }, (_, n) => ({
  name_key: `${n % 10 === 0 ? 'creme de' : 'organic'} ${n % 20 === 1 || n === 50 ? 'zucchini' : 'tea'} ${n}`,
  gtin14: `0614141000${String(n).padStart(4, '0')}`,
}));
const gramsFor = (search: string) => toGramQueries(255, { words: searchWords(search), gtin: toGtinPart(search) }, sample);

test('of grams that always occur together, only one is looked up', () => {
  expect(gramsFor('creme de')).toEqual(["'ff:cre'"]);
});

test('a gram that narrows the result is looked up too', () => {
  expect(gramsFor('creme de zuc')).toEqual(["'ff:zuc' & 'ff:cre'"]);
});

test('grams of nearly every variant are not looked up', () => {
  expect(gramsFor('0614141000050')).toEqual(["'ff:050'"]);
});

test('grams that are not in the sample are all looked up', () => {
  expect(gramsFor('xqzwjv')).toEqual(["'ff:xqz' & 'ff:wjv'"]);
});

test('a search shorter than a gram is looked up as a prefix', () => {
  expect(gramsFor('zu')).toEqual(["'ff:zu':*"]);
});

test('of several words, the rarest grams are looked up, and short words only where there is no longer one', () => {
  expect(gramsFor('tea zu 50')).toEqual(["'ff:tea'"]);
  expect(gramsFor('zu te')).toEqual(["'ff:zu':* & 'ff:te':*"]);
});

test('a GTIN beside a dash is found too where no name has the dash', () => {
  expect(gramsFor('0614141000050 -')).toEqual(["'ff:050'", "'ff:050'"]);
  expect(gramsFor('- 1')).toEqual(["'ff:-':* & 'ff:1':*", "'ff:1':*"]);
});
