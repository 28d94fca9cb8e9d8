import { expect, test } from 'vitest';
import { matchTestFiles, taggedTestsOf, titlesOf } from './test-files.ts';

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

test('a test has the keys of the comments above it, and a comment without a test below it has no title', () => {
  const source = [
    '  // spec: §1 upload, §8 no data',
    '  // spec: §9 toasts kept',
    '  // The reason for something.',
    '  test.each([',
    "    ['a'],",
    "  ])('uploads %s', () => {});",
    '// spec: §2 table empty',
    '',
    "test('another', () => {});",
  ].join('\n');
  expect(taggedTestsOf(source)).toEqual([
    { keys: ['§1 upload', '§8 no data', '§9 toasts kept'], title: 'uploads %s' },
    { keys: ['§2 table empty'], title: undefined },
  ]);
});
