import type { Page } from '@playwright/test';

/**
 * Collects problems that a user would not see: console errors, exceptions, violations of the content security policy, and
 * requests to other origins. The returned list grows until the page is closed.
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
    // On purpose, the logo of one demo brand does not exist.
    const isBrokenDemoLogo = message.location().url.endsWith('/demo-logos/there-is-no-such-file.svg');
    if (isProblem && !isBrokenDemoLogo) problems.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) problems.push(`foreign request: ${request.url()}`);
  });
  return problems;
}
