import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import { describe, expect, it } from 'vitest';
import { problemOf } from './file-choice.ts';

const file = (name: string, type = '', size = 10) => ({ name, type, size }) as File;

describe('a choice of files', () => {
  it.each([
    ['drop', file('a.csv', 'text/csv'), undefined],
    ['drop', file('a.txt', 'text/csv'), undefined],
    ['drop', file('a.csv'), 'type_unknown'],
    ['drop', file('A.CSV', 'application/vnd.ms-excel'), 'type_unknown'],
    ['drop', file('a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'), undefined],
    ['drop', file('a.xlsx'), 'type_unknown'],
    ['drop', file('a.xls', 'application/vnd.ms-excel'), 'not_csv'],
    ['picker', file('a.csv'), undefined],
    ['picker', file('A.CSV', 'application/vnd.ms-excel'), undefined],
    ['picker', file('A.XLSX'), undefined],
    // Excel's "Unicode Text": accepted from the picker; dropped plain text is refused.
    ['picker', file('a.txt', 'text/plain'), undefined],
    ['drop', file('a.txt', 'text/plain'), 'not_csv'],
    ['picker', file('a.xls', 'text/csv'), 'not_csv'],
    ['picker', file('a.xlsm'), 'not_csv'],
    ['picker', file('a.csv', 'text/csv', MAX_UPLOAD_BYTES), undefined],
    ['picker', file('a.csv', 'text/csv', MAX_UPLOAD_BYTES + 1), 'too_large'],
    ['drop', file('a.csv', 'text/csv', MAX_UPLOAD_BYTES + 1), 'too_large'],
  ] as const)('by %s of %o has the problem %s', (how, chosen, problem) => {
    expect(problemOf([chosen], how)).toBe(problem);
  });

  it('of several files is refused, whatever they are', () => {
    expect(problemOf([file('a.csv', 'text/csv'), file('b.csv', 'text/csv')], 'drop')).toBe('several');
  });

  it('of no file, such as an unreadable folder, is refused as not CSV', () => {
    expect(problemOf([], 'drop')).toBe('not_csv');
  });
});
