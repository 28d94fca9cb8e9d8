import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const TEST_FILES = globSync('{apps,packages,e2e,scripts}/**/*.{test.ts,test.tsx,spec.ts}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
});

test('every test that docs/SECURITY.md names exists', () => {
  const text = readFileSync(join(ROOT, 'docs/SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`([\w/.-]+\.(?:test\.tsx?|spec\.ts))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !TEST_FILES.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

test('every row of docs/SPECIFICATION.md names one or two tests that exist', () => {
  const text = readFileSync(join(ROOT, 'docs/SPECIFICATION.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.endsWith('| held by |'));
  expect(rows.length).toBeGreaterThan(250);
  const problems = rows.flatMap((row) => {
    // A bar inside a cell is escaped as \|.
    const [, said = '', heldBy = ''] = row.split(/(?<!\\)\|/);
    const tests = heldBy.trim().split('<br>');
    if (said.trim() === '' || tests.length > 2) return [row];
    return tests.filter((name) => !isThere(name));
  });
  expect(problems).toEqual([]);
});

/** Whether `file › title`, in backticks, is a test: the file contains its title as a string. */
function isThere(name: string): boolean {
  const [, file = '', title = ''] = /^`(\S+) › (.+)`$/.exec(name) ?? [];
  if (!TEST_FILES.some((known) => known.replaceAll('\\', '/') === file)) return false;
  const source = readFileSync(join(ROOT, file), 'utf8');
  return ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
}
