import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSpecification, specificationOf } from './spec.ts';
import { listTestFiles } from './test-files.ts';

const ROOT = join(import.meta.dirname, '..');
test('every test that docs/SECURITY.md names exists', () => {
  const text = readFileSync(join(ROOT, 'docs/SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`([\w/.-]+\.(?:test\.tsx?|spec\.ts))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  const files = listTestFiles();
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

test('every sentence of docs/SPECIFICATION.md has a key of its own and a test, and every tag of a test is such a key', () => {
  const { rows, problems } = readSpecification();
  expect(rows.length).toBeGreaterThan(250);
  expect(problems).toEqual([]);
});

test('a sentence without a test, a key that is used twice or in the wrong section, and a tag that names none are told', () => {
  const text = ['## 1. Who', '| §1 a | A. |', '| §1 b | B. |', '### More', '| §1 a | Again. |', '| §2 c | C. |'].join('\n');
  const source = ['// spec: §1 a, §1 c', "test('does a', () => {});", '// spec: §2 c', 'const nothing = 1;'].join('\n');
  const { rows, problems } = specificationOf(text, [{ file: 'a.test.ts', source }]);
  expect(rows[0]).toEqual({ section: '1. Who', key: '§1 a', sentence: 'A.', tests: ['a.test.ts › does a'] });
  expect(problems).toEqual([
    '§1 b: no test has this key',
    '§1 a: two sentences have this key',
    '§2 c: the key belongs to another section',
    '§2 c: no test has this key',
    'a.test.ts: §1 c is no key of docs/SPECIFICATION.md',
    'a.test.ts: no test below the tag §2 c',
  ]);
});
