import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What one step of `npm test` found. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Why something counts as failed that no runner reported as a failed test. */
  problems: string[];
  /** Each failed test by name, with the beginning of its message. */
  failures: string[];
}

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0, problems: [], failures: [] };

/** A check that only passes or fails counts as one test. */
export function countOfCheck(exitCode: number | null): Counts {
  return exitCode === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

/** A failed check has no tests to name: it is named by its title. */
export function nameFailure(title: string, counts: Counts): Counts {
  const isNamed = counts.problems.length + counts.failures.length > 0;
  return counts.failed === 0 || isNamed ? counts : { ...counts, failures: [`✗ ${title}`] };
}

export function addCounts(all: Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
    problems: all.flatMap(({ problems }) => problems),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** The end of `npm test`. It repeats what failed, and why, because logs are often cut at their beginning. The counts are the last line. */
export function summary({ passed, failed, skipped, problems, failures }: Counts): string {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...problems, ...failures, counts].join('\n');
}

const MAX_LENGTH_OF_A_LINE = 300;
/** Where it happened in the code, and headings: what is expected and what came stands in other lines. */
const NOT_A_REASON = /^(at |\u276f |Call log:|Timeout: |- Expected|\+ Received|Ignored nodes:|$)/;

/** What the message says first, in at most three lines. The third has what was expected and what came. */
function reasonOf(message: string): string[] {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim().slice(0, MAX_LENGTH_OF_A_LINE))
    .filter((line) => !NOT_A_REASON.test(line));
  const [first, second, ...others] = lines;
  return [first, second, others.slice(0, 2).join(' · ')].filter((line) => line !== undefined && line !== '') as string[];
}

function describeFailure(name: string, message = '', recordings: string[] = []): string {
  return [`✗ ${name}`, ...[...reasonOf(message), ...recordings].map((line) => `    ${line}`), ''].join('\n');
}

/** A runner that crashed or ran nothing must not look like one that found no failure. */
function withRunnerProblems(counts: Counts, exitCode: number | null, problems: string[]): Counts {
  const found = [...problems];
  if (counts.passed + counts.failed === 0) found.push('no test ran');
  if (exitCode !== 0 && counts.failed === 0 && found.length === 0) found.push(`the runner ended with ${exitCode}`);
  return { ...counts, failed: counts.failed + found.length, problems: found };
}

interface VitestResult {
  fullName: string;
  status: string;
  failureMessages?: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: VitestResult[] }[];
}

const ROOT = join(import.meta.dirname, '..');
const fromRoot = (file: string) => relative(ROOT, file).replaceAll('\\', '/');

/** The stack of the message says at which line of the test it failed. */
function lineIn(file: string, message: string): string {
  const [, after = ''] = message.split(`${file}:`);
  const line = Number.parseInt(after, 10);
  return line > 0 ? `:${line}` : '';
}

/** `testFiles` are the test files on disk that had to run: one that a wrong pattern leaves out is a failure. */
export function countVitest(report: VitestReport | undefined, exitCode: number | null, testFiles: string[]): Counts {
  if (report === undefined) return withRunnerProblems(NOTHING, exitCode, ['vitest wrote no report']);
  const ran = new Set(report.testResults.map(({ name }) => name));
  const missed = testFiles.filter((file) => !ran.has(file)).map((file) => `${file} did not run`);
  const broken = report.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name }) => `${name} could not be loaded`);
  const counts = {
    ...NOTHING,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages: [message = ''] = [] }) =>
          describeFailure(`${fromRoot(name)}${lineIn(name, message)} › ${fullName}`, message),
        ),
    ),
  };
  return withRunnerProblems(counts, exitCode, [...missed, ...broken]);
}

interface PlaywrightResult {
  errors?: { message?: string }[];
  /** Screenshots and traces, with their paths. Others have their content only. */
  attachments?: { name: string; path?: string }[];
}

interface PlaywrightSuite {
  specs?: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: PlaywrightResult[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

function playwrightFailures({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const failed = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) =>
        describeFailure(
          `e2e/${file}:${line} › ${title}`,
          results.flatMap(({ errors = [] }) => errors.map(({ message }) => message)).join('\n'),
          results.flatMap(({ attachments = [] }) => attachments.flatMap(({ path = [] }) => path)).map(fromRoot),
        ),
      ),
  );
  return [...failed, ...suites.flatMap(playwrightFailures)];
}

export function countPlaywright(report: PlaywrightReport | undefined, exitCode: number | null): Counts {
  if (report === undefined) return withRunnerProblems(NOTHING, exitCode, ['playwright wrote no report']);
  const { expected, unexpected, flaky, skipped } = report.stats;
  // A journey that passes only now and then is a failed one.
  const counts = {
    ...NOTHING,
    passed: expected,
    failed: unexpected + flaky,
    skipped,
    failures: playwrightFailures(report),
  };
  const problems = report.errors.length > 0 && counts.failed === 0 ? ['playwright reported errors outside tests'] : [];
  return withRunnerProblems(counts, exitCode, problems);
}
