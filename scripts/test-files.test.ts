import { expect, test } from 'vitest';
import { matchTestFiles, titlesOf } from './test-files.ts';

test('a title is the text of a test, a group, or a test with a table, whichever its quotes', () => {
  const source = [
    "test('adds', () => {});",
    'describe("it\'s a group", () => {',
    '  it.skip(`in $1`, () => {});',
    "  test.each([\n    ['a', 1],\n  ])('has %s', () => {});",
    "  expect(sum('x', 1)).toBe('y');",
  ].join('\n');
  expect(titlesOf(source)).toEqual(['adds', "it's a group", 'in $1', 'has %s']);
});

test('a word names the files with it in their path, and those with it in a title only', () => {
  const { byPath, byTitle } = matchTestFiles(['Test-Files', 'whichever its QUOTES', 'journeys/sign-in']);
  expect(byPath).toEqual(['e2e/journeys/sign-in.spec.ts', 'scripts/test-files.test.ts']);
  expect(byTitle).toEqual([]);
  expect(matchTestFiles(['whichever its QUOTES']).byTitle).toEqual(['scripts/test-files.test.ts']);
  expect(matchTestFiles([['no', 'title'].join('-has-')])).toEqual({ byPath: [], byTitle: [] });
});
