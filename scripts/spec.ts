import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTestFiles, readTestFile, taggedTestsOf } from './test-files.ts';

/**
 * Prints the sentences of docs/SPECIFICATION.md with the tests that hold them.
 *
 *     npm run spec                all
 *     npm run spec -- upload      those with the word in their key or sentence
 */
interface Row {
  readonly section: string;
  readonly key: string;
  readonly sentence: string;
  /** `file › title` */
  readonly tests: string[];
}

interface TestFile {
  readonly file: string;
  readonly source: string;
}

export function specificationOf(text: string, files: TestFile[]): { rows: Row[]; problems: string[] } {
  const tags = files.flatMap(({ file, source }) => taggedTestsOf(source).map((tagged) => ({ file, ...tagged })));
  const rows: Row[] = [];
  const problems: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    const [, key, sentence = ''] = /^\| (§.*?) \| (.*) \|$/.exec(line) ?? [];
    if (key === undefined) continue;
    const tests = tags.flatMap(({ file, keys, title }) => (title && keys.includes(key) ? [`${file} › ${title}`] : []));
    if (!key.startsWith(`§${Number.parseInt(section, 10)} `)) problems.push(`${key}: the key belongs to another section`);
    if (rows.some((row) => row.key === key)) problems.push(`${key}: two sentences have this key`);
    if (tests.length === 0) problems.push(`${key}: no test has this key`);
    rows.push({ section, key, sentence, tests });
  }
  const known = new Set(rows.map(({ key }) => key));
  for (const { file, keys, title } of tags) {
    if (title === undefined) problems.push(`${file}: no test below the tag ${keys.join(', ')}`);
    const unknown = keys.filter((key) => !known.has(key));
    problems.push(...unknown.map((key) => `${file}: ${key} is no key of docs/SPECIFICATION.md`));
  }
  return { rows, problems };
}

export function readSpecification(): { rows: Row[]; problems: string[] } {
  const text = readFileSync(join(import.meta.dirname, '../docs/SPECIFICATION.md'), 'utf8');
  return specificationOf(
    text,
    listTestFiles().map((file) => ({ file, source: readTestFile(file) })),
  );
}

if (import.meta.main) {
  const word = process.argv.slice(2).join(' ').toLowerCase();
  const { rows, problems } = readSpecification();
  const asked = rows.filter(({ key, sentence }) => `${key} ${sentence}`.toLowerCase().includes(word));
  for (const [section, ofSection] of Map.groupBy(asked, ({ section }) => section)) {
    console.log(`\n## ${section}\n\n| key | sentence | tests |\n|---|---|---|`);
    for (const { key, sentence, tests } of ofSection) console.log(`| ${key} | ${sentence} | ${tests.join('<br>')} |`);
  }
  for (const problem of problems) console.error(`error: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
