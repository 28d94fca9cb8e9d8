import { expect, test } from 'vitest';
import { canonicalId, certificateKey } from './certificate-ids.ts';

test.each([
  'FSC-C104882',
  'fsc-c104882',
  'FSC-C 104882',
  ' FSC - C104882 ',
  'FSC\u2011C104882',
  'FSC\u2013C104882',
  'FSC\u2212C104882',
  'FSC-C\u200B104882',
  'FSC-C1048\u00AD82',
  'FSC-C\u00A0104882',
  'ＦＳＣ－Ｃ１０４８８２',
])('%j is FSC-C104882', (id) => {
  expect(certificateKey(id)).toBe('FSC-C104882');
});

test('zero decimals that a spreadsheet added to a number are ignored', () => {
  expect(['12345678.0', '12345678,00', '12345678'].map(certificateKey)).toEqual(Array(3).fill('12345678'));
});

test.each([
  ['FSC\u2011C104883', 'FSC-C104883'],
  ['fsc\u2013c 104883', 'fsc-c 104883'],
  ['ＦＳＣ－Ｃ１０４８８３', 'FSC-C104883'],
  ['12345.0', '12345'],
  ['12345,00', '12345'],
  ['1.5', '1.5'],
  ['DE-ÖKO-001', 'DE-ÖKO-001'],
])('%s is stored as %s', (id, stored) => {
  expect(canonicalId(id)).toBe(stored);
});

test.each([
  ['FSC-C104882', 'FSC-C104883'],
  ['C10²', 'C102'],
  ['1.5', '15'],
  ['A.0', 'A'],
  ['DE-ÖKO-001', 'DE-OKO-001'],
])('%s and %s are two certificates', (one, other) => {
  expect(certificateKey(one)).not.toBe(certificateKey(other));
});

test('the key fits into an index, even if normalization makes the id longer', () => {
  expect(certificateKey('\uFDFA'.repeat(100)).length).toBeLessThanOrEqual(200);
});

test('an id that is far too long is not normalised, because that may take seconds', () => {
  const long = 'a '.repeat(150);
  expect(certificateKey(long)).toBe(long);
});
