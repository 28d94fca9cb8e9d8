import { expect, test } from 'vitest';
import { findDialect } from './dialect.ts';
import { SURE } from './header-row.ts';

const rank = (cells: readonly string[]) => (['variant_name', 'gtin'].every((name) => cells.includes(name)) ? SURE : 0);

test.each([
  ['variant_name,gtin\nA;B;C,1\n', ',', 0],
  ['variant_name;gtin;category\n"a,b,c,d";1;x\n', ';', 0],
  ['variant_name\tgtin\n', '\t', 0],
  ['"name, in full; or so";gtin;category\n', ';', 0],
  ['\r\n\nvariant_name;gtin\n', ';', 0],
  ['sep=;\r\nvariant_name,x;gtin\r\n', ';', 7],
  ['"sep=\t"\nvariant_name\tgtin\n', '\t', 8],
  ['SEP=,\nvariant_name,gtin', ',', 6],
  ['\uFEFFsep=|\nvariant_name|gtin\n', '|', 7],
  ['gtin\n1\n', ',', 0],
  ['', ',', 0],
  ['variant_name|gtin\n', '|', 0],
  ['variant_name^gtin\n', '^', 0],
  // Another delimiter occurs more often, but does not separate the columns.
  ['variant_name;gtin;price, net, in EUR, per piece\n', ';', 0],
  ['variant_name|gtin|a,b,c,d,e\n', '|', 0],
  // A title above the header.
  ['Products\n\nvariant_name;gtin\n', ';', 0],
  ['Products, in autumn\nvariant_name;gtin\n', ';', 0],
  ['Products\nfoo;bar\n', ';', 0],
  // The hint is wrong.
  ['sep=;\nvariant_name,gtin\n', ',', 6],
])('%j', (start, delimiter, skip) => {
  expect(findDialect(start, rank)).toEqual({ delimiter, skip });
});
