import type { Page } from '@playwright/test';

/**
 * Collects what a person would not see but a page must not do: errors in the console, exceptions, breaches of the
 * content security policy, requests to other origins. The list grows while the page lives.
 */
export async function collectProblems(page: Page, origin: string): Promise<string[]> {
  const problems: string[] = [];
  await page.exposeFunction('reportBreach', (breach: string) => problems.push(`content security policy: ${breach}`));
  await page.addInitScript(() => {
    const { reportBreach } = window as unknown as { reportBreach: (breach: string) => void };
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      reportBreach(`${violatedDirective} blocks ${blockedURI}`);
    });
  });
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning';
    // One of the demo's brands has a logo that does not load, on purpose.
    const isBrokenDemoLogo = message.location().url.endsWith('/demo-logos/there-is-no-such-file.svg');
    if (isProblem && !isBrokenDemoLogo)
      problems.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) problems.push(`foreign request: ${request.url()}`);
  });
  return problems;
}
