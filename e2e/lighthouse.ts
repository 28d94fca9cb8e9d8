import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from '../scripts/find-browser.ts';
import { freePort } from '../scripts/free-port.ts';
import { makeDataFolder, removeDataFolder } from './support/data-folder.ts';
import { startServer } from './support/server.ts';
import { signInFromScratch } from './support/sign-in.ts';

/**
 * `npm run lighthouse`: Lighthouse's categories for the pages people meet first, as a phone on a slow network and as a desktop.
 * Takes the median of several runs, as Lighthouse recommends, because other work on the machine affects the result. Lighthouse is
 * downloaded on use: 180 MB that no other command needs.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const LEAST = 95;
const RUNS = 3;
const FORMS = ['mobile', 'desktop'] as const;
const PAGES = [
  { name: 'sign-in', path: '/', signedIn: false },
  { name: 'dashboard', path: '/brands', signedIn: true },
  { name: 'variants', path: '/brands/1/product-variants', signedIn: true },
] as const;

interface Report {
  readonly categories: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
}

const folder = mkdtempSync(join(tmpdir(), 'brand-portal-lighthouse-'));
const dataDir = await makeDataFolder();
const server = await startServer({ dataDir, env: { REQUESTS_PER_MINUTE: '1000000' } });
const port = await freePort();
const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: await findBrowser(),
  baseURL: server.url,
  args: [...BROWSER_ARGS, `--remote-debugging-port=${port}`],
});
let tooLow = 0;
try {
  const page = await browser.newPage();
  print('| page | form | performance | accessibility | best practices | SEO | agentic browsing |\n|---|---|---|---|---|---|---|');
  for (const { name, path, signedIn } of PAGES) {
    if (signedIn) await signInOnce(page);
    for (const form of FORMS) tell(name, form, await measure(`${server.url}${path}`, form));
  }
} finally {
  await browser.close();
  await server.stop();
  await removeDataFolder(dataDir);
  rmSync(folder, { recursive: true, force: true });
}
print(tooLow === 0 ? `\nEvery score is ${LEAST} or more.` : `\n${tooLow} scores are below ${LEAST}.`);
process.exitCode = tooLow === 0 ? 0 : 1;

async function signInOnce(page: Page): Promise<void> {
  await page.goto('/brands');
  if (new URL(page.url()).pathname !== '/brands') await signInFromScratch(page);
}

async function measure(url: string, form: (typeof FORMS)[number]): Promise<Report> {
  const reports: Report[] = [];
  while (reports.length < RUNS) reports.push(await measureOnce(url, form));
  const performanceOf = ({ categories }: Report) => categories.performance?.score ?? 0;
  reports.sort((a, b) => performanceOf(a) - performanceOf(b));
  return reports[(RUNS - 1) / 2] as Report;
}

/** Runs Lighthouse in the signed-in browser with this debugging port. */
async function measureOnce(url: string, form: (typeof FORMS)[number]): Promise<Report> {
  const output = join(folder, 'report.json');
  const options = [`--port=${port}`, '--disable-storage-reset', '--quiet', '--output=json', `--output-path=${output}`];
  const preset = form === 'desktop' ? ['--preset=desktop'] : [];
  await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options, ...preset]);
  return JSON.parse(readFileSync(output, 'utf8')) as Report;
}

function tell(name: string, form: string, { categories, audits }: Report): void {
  const scores = Object.values(categories).map(({ score }) => Math.round((score ?? 0) * 100));
  print(`| ${name} | ${form} | ${scores.join(' | ')} |`);
  if (scores.every((score) => score >= LEAST)) return;
  tooLow += scores.filter((score) => score < LEAST).length;
  for (const [id, { title, score }] of Object.entries(audits)) {
    if (score !== null && score < 0.9) print(`  ${id}: ${title} (${score})`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
