import { expect, test } from 'vitest';
import { emailKey, isUnambiguousEmail } from './people.ts';

test('two spellings of one address have one key', () => {
  expect(emailKey('CEO@BigCorp.example')).toBe('ceo@bigcorp.example');
});

test.each([
  ['a dotted capital I', 'ceo@b\u0130gcorp.example'],
  ['a Kelvin sign', '\u212aim@example.com'],
  ['a long s', 'bo\u017fs@example.com'],
  ['a dotless i', 'b\u0131g@example.com'],
  ['fullwidth letters', '\uff41na@example.com'],
  ['a ligature', 'o\ufb03ce@example.com'],
  ['a sharp s', 'stra\u00dfe@example.com'],
  ['a superscript', 'a\u00b2@example.com'],
  ['a capital letter beyond A to Z', '\u00c9lodie@example.com'],
  ['a letter in two parts', 'e\u0301lodie@example.com'],
  ['an invisible letter', 'a\u3164na@example.com'],
  ['a soft hyphen', 'a\u00adna@example.com'],
])('%s can be confused with another address, and does not share its key', (_name, email) => {
  expect(isUnambiguousEmail(email)).toBe(false);
  expect(emailKey(email)).toMatch(/[^ -~]/);
});

test.each(['ana@example.com', 'Ana.Torres+x@Example.com', '\u00e9lodie@example.com', '\u0438\u0432\u0430\u043d@example.com'])(
  '%s is unambiguous',
  (email) => expect(isUnambiguousEmail(email)).toBe(true),
);
