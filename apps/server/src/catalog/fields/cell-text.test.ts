import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slowdown } from '../../../test/hostile-text.ts';
import { runs } from '../../../test/property.ts';
import { neutraliseFormulas } from '../../files/csv/csv-writer.ts';
import { hasLostLetters, hasLostLettersInName, isSpreadsheetError, readText, repairDoubleEncoding } from './cell-text.ts';

test.each([
  ['Green\u200Btea', 'Greentea', 'a zero-width space'],
  ['Choco\u00ADlate', 'Chocolate', 'a soft hyphen'],
  ['Green\u00A0tea', 'Green tea', 'a space that does not break'],
  ['Green\u2028tea', 'Green tea', 'a line separator'],
  ['Green\u2029tea', 'Green tea', 'a paragraph separator'],
  ['\u202EGreen tea\u202C', 'Green tea', 'an override of direction'],
  ['\u2066Green\u2069 \u200Ftea\u200E', 'Green tea', 'marks of direction'],
  ['Green   tea', 'Green tea', 'several spaces'],
  ['\uFEFFGreen\u2060 tea', 'Green tea', 'a byte order mark and a word joiner'],
  ['Green\u3164tea', 'Green tea', 'a filler'],
  ['Cafe\u0301', 'Café', 'an accent of its own'],
  ['Gre\u200Den tea', 'Green tea', 'a joiner between Latin letters'],
  ['="Tee"', 'Tee', 'a formula that keeps text'],
  ['="FSC-C104882"', 'FSC-C104882', 'a formula that keeps an id'],
  ['="Say ""hi"""', 'Say "hi"', 'quotes inside of it'],
  ["'=Tee", '=Tee', 'an apostrophe'],
  ["'\u200B=Tee", '=Tee', 'an apostrophe before an invisible character'],
  ["\u00AD'=Tee", '=Tee', 'an apostrophe after an invisible character'],
  ["''=Tee", "''=Tee", 'two apostrophes'],
  ['Cafe\u200B\u0301', 'Café', 'an invisible character before an accent'],
  ['Tea\u{E0067}\u{E007F}', 'Tea', 'tags without a flag'],
  ['🏴\u{E0067}\u200B\u{E0062}', '🏴\u{E0067}', 'an invisible character in a flag'],
])('%j is read as %j: %s', (cell, text) => {
  expect(readText(cell)).toBe(text);
});

test.each(['\u200B\u200D', '\u00A0', '\u3164\u2800', '\u00AD', '\u202E\u202C', '=""', '\uFE0F'])(
  '%j has no visible characters, so it is read as blank',
  (cell) => {
    expect(readText(cell)).toBe('');
  },
);

test.each(['Green tea', '☕️ Coffee', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 Haggis', '👩‍🌾 Eggs', 'چای‌سبز', '=1+1', '緑茶', '5" nails', "O'Neil"])(
  '%s is not changed',
  (cell) => {
    expect(readText(cell)).toBe(cell);
  },
);

test('every Latin letter of Europe is stored as it is, and its decomposed form as the same letter', () => {
  for (let code = 0xc0; code <= 0x24f; code++) {
    const letter = String.fromCharCode(code);
    expect(readText(`a${letter} ${letter}`)).toBe(`a${letter} ${letter}`);
    expect(readText(letter.normalize('NFD'))).toBe(letter.normalize('NFC'));
  }
});

test('text that was stored is read unchanged from an export, as CSV and as a workbook', () => {
  const pieces = [...`'="@- a,;\n\t`, '=""', '="', '\u200B', '\u00AD', '\u0301', '\u0338', '\u200D', '\u3164', '\u00A0', 'e', '茶'];
  const cell = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        cell,
        cell.map((inner) => `="${inner}"`),
      ),
      (cell) => {
        const stored = readText(cell);
        expect(readText(neutraliseFormulas(stored), { isEscaped: true, isExport: true })).toBe(stored);
        expect(readText(stored, { isEscaped: false, isExport: true })).toBe(stored);
      },
    ),
    runs(2_000, 20_255),
  );
});

test.each([
  '#N/A',
  '#REF!',
  '#NAME?',
  '#VALUE!',
  '#DIV/0!',
  '#NULL!',
  '#NUM!',
  '########',
  '##',
  '#¡REF!',
  '#¿NOMBRE?',
  '#N/D',
  'Err:502',
  '#ref!',
  '#GETTING_DATA',
  '#¡DESBORDAMIENTO!',
  '#ÜBERLAUF!',
  '#RIF!',
  '#NOME?',
  '#VALORE!',
  '#NÚM!',
  '#N/B',
  '#WAARDE!',
  '#NAAM?',
  '#ADR!',
  '#N/D!',
  'Fehler:502',
  'Err :502',
])('%s is a spreadsheet error', (cell) => {
  expect(isSpreadsheetError(cell)).toBe(true);
});

test.each(['#1 tea', '#', 'N/A', '# #', '#hashtag', 'Ref!', '#WOW!', '#NOW?'])('%s is not a spreadsheet error', (cell) => {
  expect(isSpreadsheetError(cell)).toBe(false);
});

test.each([
  ['CrÃ¨me brÃ»lÃ©e', 'Crème brûlée'],
  ['CafÃ©', 'Café'],
  ['Womenâ€™s tee', 'Women’s tee'],
  ['MÃ¼sli Â½ kg', 'Müsli ½ kg'],
  ['Ð§Ð°Ð¹', 'Чай'],
  ['ç»¿èŒ¶', '绿茶'],
  ['MasÅ‚o Å¼Ã³Å‚te', 'Masło żółte'],
])('%s is repaired to %s', (text, meant) => {
  expect(repairDoubleEncoding(text)).toBe(meant);
});

test.each(['Crème', 'NESCAFÉ®', 'MAÇÃ', 'PIÑA™', 'Ñ’s', 'naïve', 'España – Ñandú', 'Ångström', 'São João', 'DÉJÀ VU', 'Чай', 'MENTÎ™'])(
  '%s is not double-encoded',
  (text) => {
    expect(repairDoubleEncoding(text)).toBeUndefined();
  },
);

test.each(['????', '???? ????', 'Zielona ???', 'Cr?me', 'br?l?e', '???tea', '(????)', 'https://a.example/?a=b Cr?me'])(
  '%s has lost letters',
  (text) => {
    expect(hasLostLetters(text)).toBe(true);
  },
);

test.each([
  'https://cdn.example.com/s/files/a.jpg?v=1612345',
  'https://shop.example/p?id=5&c=r?d',
  'see www.shop.example/p?colour=red, or shop.example/p?id=5',
  '//cdn.example/p?id',
])('%s is an address, without lost letters', (text) => {
  expect(hasLostLetters(text)).toBe(false);
});

test.each(['What?', 'Really???', 'Tea? Coffee!', 'Who?What?', '?', 'Hungry?!', 'A/B?'])('%s is a question, not lost letters', (text) => {
  expect(hasLostLetters(text)).toBe(false);
});

test.each([
  'Aceite de oliv? virgen extr?',
  'Caf? molido',
  'Caf? 250 g',
  'Caf?, molido',
  'CR?ME BR?L?E',
  '?leo de girasol',
  '?Qu? es esto?',
  'N?5',
  'Agua 500?ml',
  'FSC?C104882',
])('%s, as a name, has lost letters', (text) => {
  expect(hasLostLettersInName(text)).toBe(true);
});

test.each([
  'Qué es esto?',
  '¿Qué es esto? un libro',
  'Qué es esto? un libro',
  'What is it?',
  'Really??',
  'Tea? Coffee!',
  'Who?What?',
  '"Why?"',
  'Café? 250 g',
  'see www.shop.example/p?colour=red',
])('%s, as a name, may be a question', (text) => {
  expect(hasLostLettersInName(text)).toBe(false);
});

test('a long run of question marks is checked as fast as many questions', () => {
  for (const check of [hasLostLetters, hasLostLettersInName])
    expect(slowdown(check, `A${'?'.repeat(4_998)}!`, 'A??? '.repeat(1_000))).toBeLessThan(20);
});

test('lost letters are found as by a simple but slow expression', () => {
  const slow = /(?<![\p{L}\p{N}?!])\?{3,}|\?{3,}[\p{L}\p{N}]|\p{L}\?+\p{Ll}/u;
  const text = fc.array(fc.constantFrom('?', '??', '????', 'a', 'A', 'é', 'É', '7', ' ', '!', '茶')).map((all) => all.join(''));
  fc.assert(
    fc.property(text, (text) => {
      expect(hasLostLetters(text)).toBe(slow.test(text));
    }),
    runs(1_000, 20_254),
  );
});
