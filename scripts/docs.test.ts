import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const TEST_FILES = globSync('{apps,packages,e2e,scripts}/**/*.{test.ts,test.tsx,spec.ts}', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
});

test('every test that docs/SECURITY.md names is there', () => {
  const text = readFileSync(join(ROOT, 'docs/SECURITY.md'), 'utf8');
  const named = [...text.matchAll(/`([\w/.-]+\.(?:test\.tsx?|spec\.ts))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !TEST_FILES.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});
