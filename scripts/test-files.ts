import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Relative to the repository, with slashes. */
export function listTestFiles(folder = '{apps,packages,e2e,scripts}'): string[] {
  return globSync(`${folder}/**/*.{test.ts,test.tsx,spec.ts}`, {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

export const readTestFile = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The literal after `test(`, `describe(`, or the end of `test.each(…)`. */
const TITLE = /(?:\b(?:test|it|describe)[\w.]*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g;

/** As written in the source: placeholders are not filled in. */
export const titlesOf = (source: string) => [...source.matchAll(TITLE)].map(([, , title = '']) => title);

const contains = (text: string, words: string[]) => words.some((word) => text.toLowerCase().includes(word.toLowerCase()));

/** The test files that one of the words names: by their path, or by a title in them. */
export function matchTestFiles(words: string[]): { byPath: string[]; byTitle: string[] } {
  const files = listTestFiles();
  const byPath = files.filter((file) => contains(file, words));
  const byTitle = files.filter((file) => !byPath.includes(file) && contains(titlesOf(readTestFile(file)).join('\n'), words));
  return { byPath, byTitle };
}

export interface TaggedTest {
  readonly keys: string[];
  /** Undefined: no test follows the comment. */
  readonly title: string | undefined;
}

/** The tests below a comment `// spec: key, key`, with the keys of docs/SPECIFICATION.md. */
export function taggedTestsOf(source: string): TaggedTest[] {
  const tags = source.matchAll(/^[ \t]*\/\/ spec: .*\n(?:[ \t]*\/\/.*\n)*/gm);
  return [...tags].map(({ 0: comment, index }) => {
    const keys = [...comment.matchAll(/\/\/ spec: (.+)/g)].flatMap(([, list = '']) => list.trim().split(/,\s*/));
    const below = source.slice(index + comment.length);
    return { keys, title: /^[ \t]*(?:test|it|describe)\b/.test(below) ? titlesOf(below)[0] : undefined };
  });
}
