import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Breaks the code in one place at a time and shows which tests find it: the proof that a suite still guards what a longer one did.
 *
 *     npm run test:mutants                     each mutant of scripts/mutants.json: who finds it?
 *     npm run test:mutants -- 3 17             only those two
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
  'a limit moves by one': (line) =>
    replaceOne(/ >= (?=[\w(])/, ' > ')(line, '') ?? replaceOne(/(?<![=-]) > (?=[\w(])/, ' >= ')(line, ''),
  'a condition is dropped': replaceOne(/(?<=if \([^&|]+) && [^&|()]+(?=\))/, ''),
  'and becomes or': replaceOne(/(?<=return .*|= .*) && /, ' || '),
  'a refusal is removed': removeLine(/^\s+if \([^{]*\) throw [^{]*;$/),
  'an early end is removed': removeLine(/^\s+if \([^{]*\) return;$/),
  'a lock is removed': (line) =>
    / for update| for no key update|pg_advisory_xact_lock/.test(line) && !line.includes('function')
      ? line
          .replace(/ for (no key )?update( skip locked)?/, '')
          .replace(/select pg_advisory_xact_lock\([^`]*\)/, 'select 1')
      : undefined,
  'a row of SQL matches more': replaceOne(
    /(?<=where .*|^\s+)and [\w.]+ (=|<|>|<>|<=|>=|is not) [\w.'$ {}]+(?=\s*$| and| order)/,
    '',
  ),
  'an order is turned': (line) =>
    replaceOne(/(?<=order by .*) desc\b/, '')(line, '') ??
    replaceOne(/(?<=order by [\w.]+)(?=,? id\b)/, ' desc')(line, ''),
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
    /^(?:apps|packages)\/[^/]+\/src\/(?:modules|features|locales)?\/?[^/]+/.exec(file)?.[0] ?? file;
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

const run = (...[tool, ...args]: [string, ...string[]]) =>
  spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 40 * 60_000 });

/** The parts of `npm test` that may find it, cheapest first. */
const LEVELS: [string, (file: string) => boolean][] = [
  ['types', () => run('node_modules/.bin/tsc', '-b', '--checkers', '1').status === 0],
  [
    'unit',
    (file) =>
      run('node_modules/.bin/vitest', 'related', '--run', '--bail=1', '--reporter=dot', file).status === 0 &&
      run('node_modules/.bin/node', 'scripts/test.ts', 'unit').status === 0,
  ],
  ['journeys', () => run('node_modules/.bin/node', 'scripts/test.ts', 'journeys').status === 0],
  ['faults', () => run('node_modules/.bin/node', 'scripts/test.ts', 'faults').status === 0],
];

function findersOf({ file, before, after }: Mutant): string {
  const text = read(file);
  if (text.split(before).length !== 2) return 'no longer applies';
  const restore = () => writeFileSync(join(ROOT, file), text);
  const stop = () => {
    restore();
    process.exit(130);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    writeFileSync(
      join(ROOT, file),
      text.replace(before, () => after),
    );
    return LEVELS.find(([, passes]) => !passes(file))?.[0] ?? 'nobody';
  } finally {
    restore();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

const args = process.argv.slice(2);
const number = (name: string, otherwise: number) =>
  Number(args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);

if (args[0] === 'choose') {
  const chosen = choose(number('seed', 1), number('count', 40));
  writeFileSync(LIST, `${JSON.stringify(chosen, null, 2)}\n`);
  for (const [index, { kind, file }] of chosen.entries()) console.log(`${index + 1}. ${kind}: ${file}`);
} else {
  if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }) !== '') {
    console.error('Commit first: the sources are changed in place and restored.');
    process.exit(2);
  }
  const mutants: Mutant[] = JSON.parse(readFileSync(LIST, 'utf8'));
  let survivors = 0;
  for (const [index, mutant] of mutants.entries()) {
    if (args.length > 0 && !args.includes(String(index + 1))) continue;
    const finder = findersOf(mutant);
    if (finder === 'nobody') survivors++;
    console.log(`| ${index + 1} | ${mutant.kind} | ${mutant.file} | ${finder} |`);
  }
  process.exitCode = survivors > 0 ? 1 : 0;
}
