import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from '../scripts/find-browser.ts';
import { WIDTHS } from './support/looks.ts';

// Workers inherit both variables: the browser is searched once, and all have the same seed. Only the long run has a new one each time.
process.env.CHROMIUM_PATH ||= await findBrowser();
process.env.FAULT_SEED ||= String(process.env.FAULT_ROUNDS ? Math.floor(Math.random() * 1_000_000) : 44);

const allTests = Boolean(process.env.ALL_TESTS);
/** Without tests of what is rarely changed, which run before a release. */
const perPush = allTests ? {} : { grepInvert: /@release/ };
/** Per push one state of each page. The others run in the looks, and where they are asked for by name. */
const STATES = allTests ? 'states/*.spec.ts' : 'states/{pages,ui-kit}.spec.ts';

/**
 * Disables the pages that Chromium loads for the address bar of every window, which cost two CPU seconds per test. The browser
 * uses only the last list of features, so this one repeats Playwright's.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',

  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: '../scripts/test-run.ts',
  // Each worker has its own server, shared by its journeys. A third one saves nothing on two cores.
  workers: 2,
  forbidOnly: true,
  // Generous: two browsers, two servers and two databases may share two cores.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  globalTimeout: 60 * 60_000,
  reporter: 'list',
  use: {
    locale: 'en-US',
    // Animations only slow down the tests.
    contextOptions: { reducedMotion: 'reduce' },
    // The steps, the requests and the console cost nothing measurable. The page at each step costs about 15 % CPU time: TRACE=1.
    trace: { mode: 'retain-on-failure', snapshots: Boolean(process.env.TRACE), screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [...BROWSER_ARGS, `--disable-features=${DISABLED_FEATURES.join(',')}`],
    },
  },
  projects: [
    { name: 'journeys', testMatch: ['journeys/*.spec.ts', STATES], ...perPush },
    // All states at common window widths, with screenshots for review.
    ...WIDTHS.map((width) => ({
      name: `looks-${width}`,
      testMatch: 'states/*.spec.ts',
      testIgnore: 'states/pages.spec.ts',
      timeout: 240_000,
      use: { viewport: { width, height: 900 } },
    })),
    { name: 'faults', testMatch: 'faults/*.spec.ts', ...perPush },
    // On a Citus cluster: npm run test:distributed.
    { name: 'distributed', testMatch: 'distributed/*.spec.ts' },
  ],
});
