import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import { describe, expect, it } from 'vitest';
import { problemOf } from './file-choice.ts';

const file = (name: string, type = '', size = 10) => ({ name, type, size }) as File;

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

describe('a choice of files', () => {
  // spec: §2 upload file types
  it.each([
    ['drop', file('a.csv', 'text/csv'), undefined],
    ['drop', file('a.txt', 'text/csv'), undefined],
    ['drop', file('a.csv'), 'type_unknown'],
    ['drop', file('A.CSV', 'application/vnd.ms-excel'), 'type_unknown'],
    ['drop', file('a.xlsx', XLSX), 'workbook'],
    ['drop', file('a.xlsx'), 'workbook'],
    ['drop', file('exported', XLSX), 'workbook'],
    ['drop', file('a.xls', 'application/vnd.ms-excel'), 'not_csv'],
    ['drop', file('a.txt', 'text/plain'), 'not_csv'],
    ['picker', file('a.csv'), undefined],
    ['picker', file('A.CSV', 'application/vnd.ms-excel'), undefined],
    ['picker', file('A.XLSX'), 'workbook'],
    ['picker', file('a.txt', 'text/plain'), 'not_csv'],
    ['picker', file('a.xls', 'text/csv'), 'not_csv'],
    ['picker', file('a.xlsm'), 'not_csv'],
    ['picker', file('a.csv', 'text/csv', MAX_UPLOAD_BYTES), undefined],
    ['picker', file('a.csv', 'text/csv', MAX_UPLOAD_BYTES + 1), 'too_large'],
    ['drop', file('a.csv', 'text/csv', MAX_UPLOAD_BYTES + 1), 'too_large'],
  ] as const)('by %s of %o has in the upload dialog the problem %s', (how, chosen, problem) => {
    expect(problemOf([chosen], how, 'csv')).toBe(problem);
  });

  it.each([
    [file('a.csv'), undefined],
    [file('A.CSV', 'application/vnd.ms-excel'), undefined],
    [file('exported', 'text/csv'), undefined],
    [file('A.XLSX'), undefined],
    [file('exported', XLSX), undefined],
    // Excel's "Unicode Text".
    [file('a.txt', 'text/plain'), undefined],
    [file('a.xls', 'application/vnd.ms-excel'), 'unsupported'],
    [file('a.xlsm'), 'unsupported'],
    [file('a.pdf', 'application/pdf'), 'unsupported'],
    [file('a.xlsx', XLSX, MAX_UPLOAD_BYTES + 1), 'too_large'],
  ] as const)('of %o has on the Imports page the problem %s', (chosen, problem) => {
    expect(problemOf([chosen], 'drop', 'csv_or_workbook')).toBe(problem);
    expect(problemOf([chosen], 'picker', 'csv_or_workbook')).toBe(problem);
  });

  it('of several files is refused, whatever they are', () => {
    expect(problemOf([file('a.csv', 'text/csv'), file('b.csv', 'text/csv')], 'drop', 'csv')).toBe('several');
  });

  it('of no file, such as an unreadable folder, is refused', () => {
    expect(problemOf([], 'drop', 'csv')).toBe('not_csv');
    expect(problemOf([], 'drop', 'csv_or_workbook')).toBe('unsupported');
  });
});
