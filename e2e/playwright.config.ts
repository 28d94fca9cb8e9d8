import { defineConfig } from '@playwright/test';
import { findBrowser } from '../scripts/find-browser.ts';
import { WIDTHS } from './support/looks.ts';

// The workers inherit both: the browser is looked for once, and all know the same seed.
process.env.CHROMIUM_PATH ||= await findBrowser();
process.env.FAULT_SEED ||= String(Math.floor(Math.random() * 1_000_000));

/**
 * Chromium loads pages of its own for the address bar of every window, and each test has a window: two CPU seconds a test.
 * Of two lists of features the browser takes the last, so this one repeats Playwright's.
 */
const DISABLED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  // Each has a server of its own, shared by its journeys.
  workers: 2,
  forbidOnly: true,
  // Two browsers, two servers and two databases on two cores: patience costs nothing where all is well.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  globalTimeout: 60 * 60_000,
  reporter: 'list',
  use: {
    locale: 'en-US',
    // What fades takes as long as it takes to draw it, and tells a test nothing.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every step makes all of them slower; who wants to look at a failure again asks for it.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
      ],
    },
  },
  projects: [
    { name: 'journeys', testMatch: ['journeys/*.spec.ts', 'states/*.spec.ts'] },
    // The states once more in the windows that people have, with pictures to look through.
    ...WIDTHS.map((width) => ({
      name: `looks-${width}`,
      testMatch: 'states/*.spec.ts',
      timeout: 120_000,
      use: { viewport: { width, height: 900 } },
    })),
    { name: 'faults', testMatch: 'faults/*.spec.ts' },
    // On a Citus cluster: npm run test:distributed.
    { name: 'distributed', testMatch: 'distributed/*.spec.ts' },
  ],
});
