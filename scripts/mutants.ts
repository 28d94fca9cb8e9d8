import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildWeb } from './build-web.ts';
import { runCommand } from './run-command.ts';
import { type Counts, countPlaywright, countVitest } from './test-counts.ts';
import beginTestRun from './test-run.ts';

/**
 * Breaks the code in one place at a time and shows which tests find it: the proof that a suite still guards what a longer one did.
 *
 *     npm run test:mutants                     each mutant of scripts/mutants.json: who finds it?
 *     npm run test:mutants -- 3 17             only those two
 *     npm run test:mutants -- --until=unit     without the browser
 *     npm run test:mutants -- choose --seed=1 --count=60    writes scripts/mutants.json anew
 *
 * It changes the sources in place and restores them, so they must be committed.
 */
interface Mutant {
  readonly kind: string;
  readonly file: string;
  /** Occurs once in the file. */
  readonly before: string;
  readonly after: string;
}

const ROOT = join(import.meta.dirname, '..');
const LIST = join(import.meta.dirname, 'mutants.json');

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** A line, and what it becomes: undefined if this kind of defect cannot be there. An empty one is removed. */
type Break = (line: string, next: string) => string | undefined;

const replaceOne =
  (pattern: RegExp, replacement: string): Break =>
  (line) =>
    pattern.test(line) ? line.replace(pattern, replacement) : undefined;
const removeLine =
  (pattern: RegExp): Break =>
  (line) =>
    pattern.test(line) ? '' : undefined;

const IN_CODE: Record<string, Break> = {
  'equal becomes unequal': replaceOne(/ === (?!undefined|null|'function')/, ' !== '),
  'a limit moves by one': (line) => replaceOne(/ >= (?=[\w(])/, ' > ')(line, '') ?? replaceOne(/(?<![=-]) > (?=[\w(])/, ' >= ')(line, ''),
  'a condition is dropped': replaceOne(/(?<=if \([^&|]+) && [^&|()]+(?=\))/, ''),
  'and becomes or': replaceOne(/(?<=return .*|= .*) && /, ' || '),
  'a refusal is removed': removeLine(/^\s+if \([^{]*\) throw [^{]*;$/),
  'an early end is removed': removeLine(/^\s+if \([^{]*\) return;$/),
  'a lock is removed': (line) =>
    / for update| for no key update|pg_advisory_xact_lock/.test(line) && !line.includes('function')
      ? line.replace(/ for (no key )?update( skip locked)?/, '').replace(/select pg_advisory_xact_lock\([^`]*\)/, 'select 1')
      : undefined,
  'a row of SQL matches more': replaceOne(/(?<=where .*|^\s+)and [\w.]+ (=|<|>|<>|<=|>=|is not) [\w.'$ {}]+(?=\s*$| and| order)/, ''),
  'an order is turned': (line) =>
    replaceOne(/(?<=order by .*) desc\b/, '')(line, '') ?? replaceOne(/(?<=order by [\w.]+)(?=,? id\b)/, ' desc')(line, ''),
  'the focus does not return': removeLine(/^\s+[\w.?]+\.focus\([^)]*\);$/),
  'a change is not recorded': removeLine(/^\s+await audit\(.*\);$/),
  'a query is not refreshed': removeLine(/^\s+(void |await |return )?\w+\.invalidateQueries\(.*\);$/),
};

const IN_TEXTS: Record<string, Break> = {
  'two texts are swapped': (line, next) => {
    const [, key, text] = /^(\s+"\w+": )("(?:[^"\\{]|\\.)+")(?=,$)/.exec(line) ?? [];
    const [, nextKey, nextText, end] = /^(\s+"\w+": )("(?:[^"\\{]|\\.)+")(,?)$/.exec(next) ?? [];
    return key && text && nextKey && nextText ? `${key}${nextText},\n${nextKey}${text}${end}` : undefined;
  },
  'a translation is forgotten': removeLine(/^\s+"\w+": "[^"{]+",$/),
};

const OF_TEXTS = 'two texts are swapped';

function mutantsOf(file: string): Mutant[] {
  const text = read(file);
  const lines = text.split('\n');
  const kinds = Object.entries(file.endsWith('.json') ? IN_TEXTS : IN_CODE);
  return kinds.flatMap(([kind, breakLine]) =>
    lines.flatMap((line, index) => {
      if (/^\s*(\*|\/\/|\/\*|import )/.test(line)) return [];
      const next = lines[index + 1] ?? '';
      const broken = breakLine(line, next);
      if (broken === undefined || broken === line) return [];
      // Enough around it to be the only place.
      const from = Math.max(0, index - 2);
      const to = index + (kind === OF_TEXTS ? 2 : 1);
      const before = lines.slice(from, to + 1).join('\n');
      const head = lines.slice(from, index).join('\n');
      const tail = lines.slice(to, to + 1).join('\n');
      const after = [head, ...(broken === '' ? [] : [broken]), tail].join('\n');
      return text.split(before).length === 2 ? [{ kind, file, before, after }] : [];
    }),
  );
}

/** A small generator of repeatable numbers between 0 and 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Spread over all rooms and kinds: the room and the kind that have the fewest so far come next. */
function choose(seed: number, count: number): Mutant[] {
  const files = globSync(['{apps,packages}/*/src/**/*.{ts,tsx}', 'apps/web/src/locales/*/*.json'], { cwd: ROOT })
    .filter((file) => !/\.test\.|test-support|\/test\/|\.d\.ts$/.test(file))
    .sort();
  const roomOf = ({ file }: Mutant) =>
    /^(?:apps|packages)\/[^/]+\/src\/(?:people|catalog|operations|features|locales)?\/?[^/]+/.exec(file)?.[0] ?? file;
  const random = randomOf(seed);
  const left = files
    .flatMap(mutantsOf)
    .map((mutant) => ({ mutant, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ mutant }) => mutant);
  const taken = new Map<string, number>();
  const weight = (mutant: Mutant) => (taken.get(mutant.kind) ?? 0) + (taken.get(roomOf(mutant)) ?? 0);
  const chosen: Mutant[] = [];
  while (chosen.length < count && left.length > 0) {
    let best = 0;
    for (const [index, mutant] of left.entries()) if (weight(mutant) < weight(left[best] as Mutant)) best = index;
    const [mutant] = left.splice(best, 1);
    if (!mutant) break;
    for (const key of [mutant.kind, roomOf(mutant)]) taken.set(key, (taken.get(key) ?? 0) + 1);
    chosen.push(mutant);
  }
  return chosen;
}

/** The first failed test, as `file:line › title`; undefined if all pass. */
type Finder = (file: string) => Promise<string | undefined>;

async function firstFailure<Report>(
  tool: string,
  argsFor: (report: string) => string[],
  count: (report: Report | undefined, exitCode: number | null) => Counts,
): Promise<string | undefined> {
  const file = join(mkdtempSync(join(tmpdir(), 'mutant-')), 'report.json');
  const { code } = await runCommand(join(ROOT, 'node_modules/.bin', tool), argsFor(file), {
    cwd: tool === 'playwright' ? join(ROOT, 'e2e') : ROOT,
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  if (code === 0) return undefined;
  const { failures, problems } = count(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined, code);
  return (failures[0] ?? problems[0])?.split('\n')[0]?.replace('✗ ', '');
}

const vitest = (...args: string[]) =>
  firstFailure<Parameters<typeof countVitest>[0]>(
    'vitest',
    (file) => [...args, '--run', '--bail=1', '--passWithNoTests', '--reporter=json', `--outputFile=${file}`],
    (report, code) => countVitest(report, code, []),
  );

async function playwright(project: string): Promise<string | undefined> {
  try {
    await buildWeb(ROOT);
  } catch {
    return 'the web build';
  }
  const options = [`--project=${project}`, '--max-failures=1', '--reporter=json'];
  return firstFailure('playwright', () => ['test', ...options], countPlaywright);
}

const testsIn = (pattern: string) => globSync(pattern, { cwd: ROOT }).length > 0;

/** What may find it, the nearest and cheapest first. Together they are what `npm test` runs but for style and unused code. */
const LEVELS: Record<string, Finder> = {
  beside: async (file) => {
    const stem = file.replace(/\.\w.*$/, '.');
    return testsIn(`${stem}*test.{ts,tsx}`) ? vitest(stem) : undefined;
  },
  folder: async (file) => (testsIn(`${dirname(file)}/*.test.{ts,tsx}`) ? vitest(`${dirname(file)}/`) : undefined),
  related: (file) => vitest('related', file),
  types: async () => {
    const { code, output } = await runCommand(join(ROOT, 'node_modules/.bin/tsc'), ['-b', '--checkers', '1']);
    return code === 0 ? undefined : output.split('\n')[0]?.slice(0, 160);
  },
  unit: () => vitest(),
  journeys: () => playwright('journeys'),
  faults: () => playwright('faults'),
};

/** The level and the test that find it. */
async function findersOf({ file, before, after }: Mutant, levels: string[]): Promise<[string, string]> {
  const text = read(file);
  if (text.split(before).length !== 2) return ['no longer applies', ''];
  const restore = () => writeFileSync(join(ROOT, file), text);
  // However this process ends.
  process.on('exit', restore);
  try {
    writeFileSync(
      join(ROOT, file),
      text.replace(before, () => after),
    );
    for (const level of levels) {
      const finder = await LEVELS[level]?.(file);
      if (finder !== undefined) return [level, finder];
    }
    return ['nobody', ''];
  } finally {
    restore();
    process.off('exit', restore);
  }
}

const args = process.argv.slice(2);
const number = (name: string, otherwise: number) => Number(args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);

if (args[0] === 'choose') {
  const chosen = choose(number('seed', 1), number('count', 40));
  writeFileSync(LIST, `${JSON.stringify(chosen, null, 2)}\n`);
  for (const [index, { kind, file }] of chosen.entries()) console.log(`${index + 1}. ${kind}: ${file}`);
} else {
  if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }) !== '') {
    console.error('Commit first: the sources are changed in place and restored.');
    process.exit(2);
  }
  beginTestRun();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
  const names = Object.keys(LEVELS);
  const until = args.find((arg) => arg.startsWith('--until='))?.slice('--until='.length) ?? 'faults';
  const asked = args.filter((arg) => !arg.startsWith('--'));
  const mutants: Mutant[] = JSON.parse(readFileSync(LIST, 'utf8'));
  let survivors = 0;
  console.log('| mutant | kind | file | level | found by | seconds |\n|---|---|---|---|---|---|');
  for (const [index, mutant] of mutants.entries()) {
    if (asked.length > 0 && !asked.includes(String(index + 1))) continue;
    const started = Date.now();
    const [level, finder] = await findersOf(mutant, names.slice(0, names.indexOf(until) + 1));
    if (finder === '') survivors++;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`| ${index + 1} | ${mutant.kind} | ${mutant.file} | ${level} | ${finder} | ${seconds} |`);
  }
  process.exitCode = survivors > 0 ? 1 : 0;
}
