import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildWeb } from './build-web.ts';
import { findBrowser } from './find-browser.ts';
import { addCounts, type Counts, countOfCheck, countPlaywright, countVitest } from './test-counts.ts';
import { listTestFiles, matchTestFiles } from './test-files.ts';

export interface Step {
  name: string;
  title: string;
  /** Steps that have to have run before, by name. */
  needs: string[];
  /** Runs beside the other checks. What it prints is collected and shown at the end. */
  isCheck?: boolean;
  run: () => Promise<Counts & { output?: string }>;
}

const ROOT = join(import.meta.dirname, '..');

/** The vitest projects by name, with the folder of each. */
const VITEST_PROJECTS: Record<string, string> = {
  contract: 'packages/contract',
  server: 'apps/server',
  embedded: 'apps/embedded',
  web: 'apps/web',
  scripts: 'scripts',
};

const FUZZ_TESTS = ['apps/server/src/http/fuzz.test.ts', 'apps/embedded/src/identity-provider/hostile-requests.test.ts'];

/** What needs LibreOffice. */
const SPREADSHEET_TESTS = ['apps/server/test/libreoffice.long.ts'];

const NOT_ON_A_CLUSTER = [
  // A coordinator shows that a statement goes to one node, not what that node does with it.
  'apps/server/src/catalog/variants/variants.plans.test.ts',
  // The schema of a single PostgreSQL: distributing changes some of the staging tables (db/distribute.test.ts).
  'apps/server/src/db/schema.test.ts',
  // It begins with a database that is emptied, of Citus as well.
  'apps/server/src/db/migrate.test.ts',
];

interface ToolOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Gets the tool's output. Undefined: it goes to the terminal. */
  readonly onOutput?: (text: string) => void;
}

/** Runs an installed tool and resolves with its exit code. */
function runTool(tool: string, args: string[], { env, cwd = ROOT, onOutput }: ToolOptions = {}): Promise<number | null> {
  const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  return new Promise((resolve) => {
    const child = spawn(tool, args, {
      cwd,
      stdio: onOutput ? 'pipe' : 'inherit',
      env: { ...process.env, ...env, PATH: path },
      shell: process.platform === 'win32',
    });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput ?? (() => {}));
    child.on('error', (error) => {
      console.error(error.message);
      resolve(null);
    });
    child.on('close', resolve);
  });
}

/** Gives a runner a file to report into and reads it back; undefined where the runner left none. */
async function withReport<T>(
  run: (file: string) => Promise<number | null>,
  count: (report: T | undefined, exitCode: number | null) => Counts,
) {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-report-'));
  try {
    const file = join(folder, 'report.json');
    const exitCode = await run(file);
    return count(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined, exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const testFilesOf = (projects: string[]) =>
  projects.flatMap((project) => listTestFiles(VITEST_PROJECTS[project])).map((file) => join(ROOT, file));

function runVitest(projects: string[], files = testFilesOf(projects), named: string[] = []): Promise<Counts> {
  const only = [...named, ...projects.flatMap((project) => ['--project', `${project}*`])];
  // Tests of the server wait for its database a third of their time. Meanwhile the others use the cores.
  const workers = Math.ceil(availableParallelism() * 1.5);
  const options = [`--maxWorkers=${workers}`, '--reporter=default', '--reporter=json'];
  return withReport<Parameters<typeof countVitest>[0]>(
    (file) => runTool('vitest', ['run', ...options, `--outputFile.json=${file}`, ...only]),
    (report, exitCode) => countVitest(report, exitCode, files),
  );
}

function runVitestFiles(projects: string[], files: string[]): Promise<Counts> {
  return runVitest(
    projects,
    files.map((file) => join(ROOT, file)),
    files,
  );
}

function runPlaywright(projects: string[], options: string[] = []): Promise<Counts> {
  const only = projects.map((project) => `--project=${project}`);
  // A folder for each: a run empties its own when it begins.
  const output = `--output=test-results/${projects[0]?.replace('-*', '')}`;
  return withReport<Parameters<typeof countPlaywright>[0]>(
    (file) =>
      runTool('playwright', ['test', ...only, output, '--reporter=list,json', '--forbid-only', ...options], {
        env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
        cwd: join(ROOT, 'e2e'),
      }),
    countPlaywright,
  );
}

/** A check in this process that throws one sentence when it fails. */
async function attempt(work: () => Promise<void>): Promise<Counts> {
  try {
    await work();
    return countOfCheck(0);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return countOfCheck(1);
  }
}

/** A tool whose output is collected: several run side by side. */
const check =
  (...[tool, ...args]: [string, ...string[]]) =>
  async () => {
    let output = '';
    const exitCode = await runTool(tool, args, {
      onOutput: (text) => {
        output += text;
      },
    });
    return { ...countOfCheck(exitCode), output };
  };

const build = () => attempt(() => buildWeb(ROOT));

const browser = () =>
  attempt(async () => {
    process.env.CHROMIUM_PATH = await findBrowser();
    console.log(process.env.CHROMIUM_PATH);
  });

/** The server's tests and a journey, on the Citus cluster whose coordinator DATABASE_URL names. */
async function runOnCluster(): Promise<Counts> {
  const cluster = countOfCheck(await runTool('node', ['apps/server/test/check-cluster.ts']));
  if (cluster.failed > 0) return cluster;
  const left = NOT_ON_A_CLUSTER.map((file) => join(ROOT, file));
  const files = testFilesOf(['server', 'embedded']).filter((file) => !left.includes(file));
  // Each test clones a database on every node, and waits for that more than for anything else.
  const named = ['--testTimeout=60000', '--hookTimeout=60000', ...left.flatMap((file) => ['--exclude', file])];
  return addCounts([
    await runVitest(['server', 'embedded'], files, named),
    await build(),
    await browser(),
    await runPlaywright(['distributed']),
  ]);
}

export const STEPS: Step[] = [
  {
    name: 'lint',
    title: 'format and lint',
    needs: [],
    isCheck: true,
    // Biome colours every single character of a diff, which makes a log file unreadable.
    run: check('biome', 'ci', '--error-on-warnings', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`),
  },
  // The projects are checked side by side. More checkers per project would each repeat half of the work.
  { name: 'types', title: 'types', needs: [], isCheck: true, run: check('tsc', '-b', '--checkers', '1') },
  {
    name: 'imports',
    title: 'import rules',
    needs: [],
    isCheck: true,
    run: check('depcruise', '--config', '.dependency-cruiser.mjs', 'apps', 'packages', 'e2e', 'bench', 'scripts'),
  },
  { name: 'sources', title: 'source rules', needs: [], isCheck: true, run: check('node', 'scripts/source-rules.ts') },
  { name: 'unused', title: 'unused code', needs: [], isCheck: true, run: check('knip', '--no-progress') },
  {
    name: 'unit',
    title: 'unit, server and screen tests',
    needs: [],
    run: () => runVitest(Object.keys(VITEST_PROJECTS)),
  },
  { name: 'build', title: 'web build', needs: [], run: build },
  { name: 'browser', title: 'browser', needs: [], run: browser },
  {
    name: 'journeys',
    title: 'journeys in the browser',
    needs: ['build', 'browser'],
    run: () => runPlaywright(['journeys']),
  },
  { name: 'faults', title: 'kills and broken surroundings', needs: ['build'], run: () => runPlaywright(['faults']) },
];

/** What can be asked for by name, but is part of a full run in another form. */
export const PARTS: Step[] = [
  ...Object.entries(VITEST_PROJECTS).map(([name, folder]) => ({
    name,
    title: `tests of ${folder}`,
    needs: [],
    run: () => runVitest([name]),
  })),
  {
    name: 'looks',
    title: 'every state at three widths, with pictures',
    needs: ['build', 'browser'],
    run: () => runPlaywright(['looks-*']),
  },
  {
    name: 'fuzz',
    title: 'random requests to every endpoint',
    needs: [],
    run: () => runVitestFiles(['server', 'embedded'], FUZZ_TESTS),
  },
  {
    name: 'spreadsheets',
    title: 'exports through LibreOffice and back',
    needs: [],
    run: () =>
      runVitest(
        [],
        SPREADSHEET_TESTS.map((file) => join(ROOT, file)),
        ['--config', 'apps/server/vitest.spreadsheets.config.ts'],
      ),
  },
  { name: 'distributed', title: 'the server and a journey on a Citus cluster', needs: [], run: runOnCluster },
];

/** Everything, for `npm run test:all`. The looks go through the states, so the journeys need not. The unit tests have the fuzzing. */
export const ALL: Step[] = [
  ...STEPS.map((step) => (step.name === 'journeys' ? { ...step, run: () => runPlaywright(['journeys'], ['journeys/']) } : step)),
  ...PARTS.filter(({ name }) => ['looks', 'spreadsheets'].includes(name)),
];

/** Steps for the tests of all levels that one of the words names, by their file or their title. None: no such test. */
export function stepsMatching(words: string[]): Step[] {
  const { byPath, byTitle } = matchTestFiles(words);
  const isJourney = (file: string) => file.startsWith('e2e/');
  const units = (files: string[]) => files.filter((file) => !isJourney(file));
  const pattern = words.map((word) => word.replace(/^e2e\//, '').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const runUnits = async () => {
    const absolute = (files: string[]) => files.map((file) => join(ROOT, file));
    const [named, titled] = [units(byPath), units(byTitle)];
    const results: Counts[] = [];
    if (named.length > 0) results.push(await runVitest([], absolute(named), named));
    if (titled.length > 0) {
      const counts = await runVitest([], absolute(titled), ['-t', `(?i:${pattern})`, ...titled]);
      // The other tests of these files.
      results.push({ ...counts, skipped: 0 });
    }
    return addCounts(results);
  };
  const names = words.join(', ');
  const steps: Step[] = [];
  if (units([...byPath, ...byTitle]).length > 0) {
    steps.push({ name: 'named-units', title: `unit, server and screen tests: ${names}`, needs: [], run: runUnits });
  }
  if ([...byPath, ...byTitle].some(isJourney)) {
    steps.push({
      name: 'named-journeys',
      title: `journeys and faults: ${names}`,
      needs: ['build', 'browser'],
      run: () => {
        // Also those that a push leaves out.
        process.env.ALL_TESTS = '1';
        return runPlaywright(['journeys', 'faults'], [`--grep=/${pattern}/i`]);
      },
    });
  }
  return steps;
}
