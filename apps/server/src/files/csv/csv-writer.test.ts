import { expect, test } from 'vitest';
import { neutraliseFormulas, restoreFormulas } from './csv-writer.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['x,=1+1', "x,'=1+1"],
  ['x, "@SUM(1)"', `x, "'@SUM(1)"`],
  ['x;+1', "x;'+1"],
  ['x\t-1', "x\t'-1"],
  ['x|＠y', "x|'＠y"],
  ['x\n=1', "x\n'=1"],
  ['x\r\n＝1', "x\r\n'＝1"],
  ['\t=1', "\t'=1"],
  ['－1', "'－1"],
  ["a,'=b", "a,''=b"],
  ["'=b", "''=b"],
])('%j is escaped as %j, and unescaped again', (cell, safe) => {
  expect(neutraliseFormulas(cell)).toBe(safe);
  expect(restoreFormulas(safe)).toBe(cell);
});

test.each(['Tea', 'a=b', 'x - y', "rock 'n' roll", '1+1', ''])('%j is not escaped', (cell) => {
  expect(neutraliseFormulas(cell)).toBe(cell);
});
