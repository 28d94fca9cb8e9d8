/** What one step of `npm test` found. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Why something counts as failed that no runner reported as a failed test. */
  problems: string[];
}

/** A check that only passes or fails counts as one test. */
export function countOfCheck(exitCode: number | null): Counts {
  return exitCode === 0
    ? { passed: 1, failed: 0, skipped: 0, problems: [] }
    : { passed: 0, failed: 1, skipped: 0, problems: [] };
}

export function addCounts(all: Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
    problems: all.flatMap(({ problems }) => problems),
  };
}

/** The last line of `npm test`. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A runner that crashed or ran nothing must not look like one that found no failure. */
function withRunnerProblems(counts: Counts, exitCode: number | null, problems: string[]): Counts {
  const found = [...problems];
  if (counts.passed + counts.failed === 0) found.push('no test ran');
  if (exitCode !== 0 && counts.failed === 0 && found.length === 0) found.push(`the runner ended with ${exitCode}`);
  return { ...counts, failed: counts.failed + found.length, problems: found };
}

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0, problems: [] };

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: unknown[] }[];
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
  };
  return withRunnerProblems(counts, exitCode, [...missed, ...broken]);
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

export function countPlaywright(report: PlaywrightReport | undefined, exitCode: number | null): Counts {
  if (report === undefined) return withRunnerProblems(NOTHING, exitCode, ['playwright wrote no report']);
  const { expected, unexpected, flaky, skipped } = report.stats;
  // A journey that passes only now and then is a failed one.
  const counts = { ...NOTHING, passed: expected, failed: unexpected + flaky, skipped };
  const problems = report.errors.length > 0 && counts.failed === 0 ? ['playwright reported errors outside tests'] : [];
  return withRunnerProblems(counts, exitCode, problems);
}
