import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCounts, countOfCheck, countPlaywright, countVitest, nameFailure, summary } from './test-counts.ts';

const file = (name: string, status = 'passed', tests = 1) => ({
  name,
  status,
  assertionResults: Array(tests).fill({}),
});
const vitestReport = (overrides = {}) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [file('/a.test.ts')],
  ...overrides,
});
const playwrightReport = (stats = {}, errors: unknown[] = []) => ({
  stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
});

describe('counts of vitest', () => {
  it('are the numbers of its report', () => {
    const report = vitestReport({ numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 });
    expect(countVitest(report, 1, [])).toEqual({ passed: 3, failed: 1, skipped: 2, problems: [], failures: [] });
  });

  it('have a failure for a crash without a report', () => {
    expect(countVitest(undefined, null, []).failed).toBeGreaterThan(0);
  });

  it('have a failure when no test ran, whatever the exit code', () => {
    const report = vitestReport({ numPassedTests: 0, testResults: [] });
    expect(countVitest(report, 0, [])).toMatchObject({ failed: 1, problems: ['no test ran'] });
  });

  it('have a failure for a test file that was not run', () => {
    const counts = countVitest(vitestReport(), 0, ['/a.test.ts', '/b.test.ts']);
    expect(counts).toMatchObject({ failed: 1, problems: ['/b.test.ts did not run'] });
  });

  it('have a failure for a file that could not be loaded', () => {
    const report = vitestReport({ testResults: [file('/a.test.ts'), file('/b.test.ts', 'failed', 0)] });
    expect(countVitest(report, 1, [])).toMatchObject({ failed: 1, problems: ['/b.test.ts could not be loaded'] });
  });

  it('have a failure for an error outside tests, which shows only in the exit code', () => {
    expect(countVitest(vitestReport(), 1, [])).toMatchObject({ passed: 3, failed: 1 });
  });
});

describe('counts of playwright', () => {
  it('are the numbers of its report, a flaky test being a failed one', () => {
    expect(countPlaywright(playwrightReport({ unexpected: 1, flaky: 1, skipped: 1 }), 1)).toEqual({
      passed: 2,
      failed: 2,
      skipped: 1,
      problems: [],
      failures: [],
    });
  });

  it('have a failure for a crash, for errors outside tests and for an empty run', () => {
    expect(countPlaywright(undefined, 1).failed).toBeGreaterThan(0);
    expect(countPlaywright(playwrightReport({}, [{}]), 1)).toMatchObject({ passed: 2, failed: 1 });
    expect(countPlaywright(playwrightReport({ expected: 0 }), 0)).toMatchObject({ failed: 1 });
  });
});

describe('the summary', () => {
  it('names file, line, test and reason of each failure, and where its recordings are, before the counts', () => {
    const name = join(import.meta.dirname, 'a.test.ts');
    const failed = {
      fullName: 'adds up',
      status: 'failed',
      failureMessages: [`\u001b[31mAssertionError: expected 3\u001b[0m\n\n    at sum (/b.ts:1:2)\n    at ${name}:12:5`],
    };
    const units = countVitest(
      vitestReport({ numFailedTests: 1, testResults: [{ name, status: 'failed', assertionResults: [failed] }] }),
      1,
      [],
    );
    const message =
      'Error: expect(locator).toBeVisible() failed\n\nLocator: button\nExpected: visible\nTimeout: 9ms\nReceived: hidden\n\nCall log:\n  - waiting';
    const attachments = [
      { name: 'screenshot', path: join(import.meta.dirname, '../e2e/test-results/journeys/a/failed.png') },
      { name: 'server log' },
    ];
    const spec = {
      title: 'signs in',
      file: 'journeys/sign-in.spec.ts',
      line: 7,
      tests: [{ status: 'flaky', results: [{ errors: [{ message }], attachments }, {}] }],
    };
    const journeys = countPlaywright({ ...playwrightReport({ flaky: 1 }), suites: [{ suites: [{ specs: [spec] }] }] }, 1);
    expect(summary(addCounts([units, journeys])).split('\n')).toEqual([
      '✗ scripts/a.test.ts:12 › adds up',
      '    AssertionError: expected 3',
      '',
      '✗ e2e/journeys/sign-in.spec.ts:7 › signs in',
      '    Error: expect(locator).toBeVisible() failed',
      '    Locator: button',
      '    Expected: visible · Received: hidden',
      '    e2e/test-results/journeys/a/failed.png',
      '',
      '5 passed, 2 failed',
    ]);
  });

  it('names each failed check by its title', () => {
    const checks = [
      nameFailure('types', countOfCheck(1)),
      nameFailure('lint', countOfCheck(0)),
      nameFailure('unused code', countOfCheck(2)),
    ];
    expect(summary(addCounts(checks))).toBe('✗ types\n✗ unused code\n1 passed, 2 failed');
  });

  it('adds all steps up and names skipped tests only when there are any', () => {
    const checks = [countOfCheck(0), countOfCheck(1), countOfCheck(null)];
    expect(summary(addCounts(checks))).toBe('1 passed, 2 failed');
    const skipped = { passed: 1, failed: 0, skipped: 2, problems: [], failures: [] };
    expect(summary(addCounts([...checks, skipped]))).toBe('2 passed, 2 failed, 2 skipped');
  });
});
