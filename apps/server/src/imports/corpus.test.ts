import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CheckedFile, checkFile } from './test-support/check-file.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/corpus');
const utf8 = { encoding: 'utf-8', delimiter: ',', bad: [], unknown: [] };

/** The expected result of each file of the corpus: files written by spreadsheets, damaged files, and one file per rule. */
const EXPECTED: Readonly<Record<string, CheckedFile>> = {
  'excel-csv-utf8': {
    ...utf8,
    good: ['Crème brûlée | 3234567890126 | Postres', 'Jalapeño, rojo | 036282818705 | FSC FSC-C123456'],
  },
  'excel-spanish-windows-1252': {
    ...utf8,
    encoding: 'windows-1252',
    delimiter: ';',
    good: ['Café molido | 4006381333931 | Café & té', 'Aceite; virgen | 8806088269696 | Alimentación'],
    bad: ['3 gtin gtin_scientific 6,29104E+12'],
  },
  'excel-unicode-text': {
    ...utf8,
    encoding: 'utf-16le',
    delimiter: '\t',
    good: ['Grüner Tee 緑茶 | 96385074 | Tee', 'Øl | 73513537'],
  },
  'excel-sep-hint': { ...utf8, delimiter: ';', good: ['Olive, black | 4006381333931'] },
  'excel-macintosh-line-ends': { ...utf8, good: ['Salt | 96385074', 'Pepper | 73513537'] },
  'excel-damaged-gtins': {
    ...utf8,
    good: ['Lost zero | 036000291452', 'Apostrophe | 036282818705', 'As a number | 4006381333931', 'As a formula | 012345678905'],
    bad: ['2 gtin gtin_scientific 6.15E+12', '3 gtin gtin_scientific 6,15E+12', '5 gtin gtin_lost_zero'],
  },
  'excel-emptied-rows': { ...utf8, good: ['Salt | 96385074 | Food', 'Pepper | 73513537 | Food'] },
  'libreoffice-all-quoted': {
    ...utf8,
    good: ['Olive "extra virgin" oil | 049000028911 | Food, drink', 'Müsli | 90311017'],
  },
  // The description has two line breaks: the next row is row 3 of the sheet, and line 5 of the file.
  'google-sheets': {
    ...utf8,
    good: ['Honey | 4006381333931 | USDA Organic 12345678'],
    bad: ['3 gtin gtin_length 3'],
    unknown: [],
  },
  'numbers-german': { ...utf8, delimiter: ';', good: ['Kräutertee | 96385074 | Tee', '5" Topf | 73513537 | Küche'] },
  'fallback-template': { ...utf8, good: ['Olive Oil | 6291041500213 | Food', 'Sea Salt | 036000291452'] },
  'spaced-header': { ...utf8, good: ['Olive Oil | 6291041500213 | Fairtrade 77'], unknown: ['Colour', 'Weight'] },
  'blank-lines': { ...utf8, good: ['Salt | 96385074'], bad: ['7 gtin gtin_length 1'] },
  // A spreadsheet may drop blank cells at the end of a row, but required cells are never blank.
  ragged: {
    ...utf8,
    good: ['Honey | 90311017', 'Pepper | 73513537 | Food'],
    bad: ['2 too_many_cells 4 3', '5 too_few_cells 1 3'],
  },
  'spaced-quotes': { ...utf8, good: ['Green tea | 96385074 | Drinks, hot', 'Oil | 73513537 | 5" pots'] },
  pipes: { ...utf8, delimiter: '|', good: ['Salt, fine; white | 96385074 | Food'] },
  carets: { ...utf8, delimiter: '^', good: ['Salt | 96385074'] },
  'mark-and-sep-hint': { ...utf8, delimiter: '|', good: ['Salt | 96385074'] },
  'commas-in-the-header': {
    ...utf8,
    delimiter: ';',
    good: ['Salt | 96385074'],
    unknown: ['price, net, gross, in EUR'],
  },
  'blank-columns': { ...utf8, good: ['Salt | 96385074'] },
  'stray-quote': { ...utf8, good: [], bad: ['2 stray_quote 2', '3 category control_characters'] },
  zeros: {
    ...utf8,
    good: ['Pepper | 73513537', 'Honey from the hills | 90311017'],
    bad: ['2 variant_name damaged_characters'],
    unknown: ['notes'],
  },
  'excel-cyrillic-windows-1251': {
    ...utf8,
    encoding: 'windows-1251',
    delimiter: ';',
    good: ['Чай зелёный | 96385074 | Напитки', 'Молоко | 73513537'],
  },
  'excel-polish-windows-1250': {
    ...utf8,
    encoding: 'windows-1250',
    delimiter: ';',
    good: ['Żółta herbata | 96385074 | Napoje', 'Mąka żytnia | 73513537 | Żywność'],
  },
  'excel-japanese-shift-jis': { ...utf8, encoding: 'shift_jis', good: ['抹茶ラテ | 96385074', '有機緑茶 | 73513537'] },
  'excel-chinese-gb18030': { ...utf8, encoding: 'gb18030', good: ['有机茉莉花茶 | 96385074', '绿茶 | 73513537'] },
  macintosh: { ...utf8, encoding: 'macintosh', good: ['Café molido | 96385074', 'Crème brûlée | 73513537'] },
  garbled: {
    ...utf8,
    good: ['Really??? | 4006381333931'],
    bad: ['2 variant_name double_encoded CrÃ¨me Crème', '3 variant_name lost_letters ????', '4 category lost_letters Zielona ????'],
  },
  'formula-errors': {
    ...utf8,
    good: ['Tee | 90311017 | Drinks | FSC FSC-C104882'],
    bad: ['2 variant_name spreadsheet_error #N/A', '3 gtin spreadsheet_error #REF!', '4 category spreadsheet_error ########'],
  },
  'what-people-see': {
    ...utf8,
    good: ['Chocolate bar | 96385074 | Sweets', 'Green tea | 90311017'],
    bad: ['3 variant_name missing_value'],
  },
  'utf-16-without-a-mark': { ...utf8, encoding: 'utf-16be', good: ['Café | 96385074'] },
  'utf-8-damaged': { ...utf8, good: ['Café | 73513537'], bad: ['2 variant_name damaged_characters'] },
  'utf-8-and-windows-1252': {
    ...utf8,
    encoding: 'utf-8 and windows-1252',
    good: ['Café | 96385074', 'Crème | 73513537', 'Jalapeño | 90311017'],
  },
  certificates: {
    ...utf8,
    good: ['A | 96385074 | FSC FSC-C000001'],
    bad: [
      '3 certification_name certification_name_missing',
      '4 certificate_id certificate_id_missing',
      '5 certification_name unknown_certification Rainforrest Aliance Rainforest Alliance',
      '6 certification_name unknown_certification Qwertz',
    ],
  },
  'too-long': {
    ...utf8,
    good: [`${'n'.repeat(200)} | 96385074 | ${'c'.repeat(200)} | FSC ${'i'.repeat(100)}`, `${'𝄞'.repeat(200)} | 90311017`],
    bad: ['3 variant_name too_long 200 201', '3 category too_long 200 201', '3 certificate_id too_long 100 101'],
  },
  'invisible-characters': {
    ...utf8,
    good: ['Honey | 90311017'],
    bad: ['2 variant_name control_characters', '3 variant_name control_characters', '3 category control_characters'],
  },
  'several-things-wrong': {
    ...utf8,
    good: [],
    bad: [
      '2 variant_name missing_value',
      '2 gtin gtin_check_digit 3 4',
      '2 category too_long 200 201',
      '2 certification_name certification_name_missing',
    ],
  },
  // Formula-like texts, with and without the escaping of our own file of rejected rows.
  formulas: { ...utf8, good: ['=1+1 | 96385074 | @x', '=1+1 | 73513537 | -x', '-20 % Tea | 90311017 | +'] },
  restricted: {
    ...utf8,
    good: ['D | 020000000008'],
    bad: ['2 gtin gtin_restricted 2', '3 gtin gtin_coupon 05', '4 gtin gtin_zeros'],
  },
  'refused-empty': { refused: 'empty_file' },
  'refused-blank': { refused: 'empty_file' },
  'refused-header-only': { refused: 'header_only' },
  'refused-no-required-column': { refused: 'missing_columns {"columns":"variant_name, gtin","found":"name, ean"}' },
  'refused-duplicate-column': { refused: 'duplicate_column {"column":"gtin"}' },
  'refused-workbook': { refused: 'broken_workbook' },
  'refused-binary': { refused: 'image {"format":"PNG"}' },
  'refused-open-quote': { refused: 'open_quote {"row":3}' },
};

test('every file of the corpus has its expectation', () => {
  const files = readdirSync(FOLDER).map((name) => name.replace('.csv', ''));
  expect(files.sort()).toEqual(Object.keys(EXPECTED).sort());
});

// spec: §5 certificate needs both
test.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
  expect(await checkFile(readFileSync(join(FOLDER, `${name}.csv`)))).toEqual(expected);
});
