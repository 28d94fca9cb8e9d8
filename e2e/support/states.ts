import type { Page, Route } from '@playwright/test';
import { freezePage } from './axe.ts';
import { expect, test as journey } from './journey.ts';
import { EDITOR, openVariants } from './sign-in.ts';

/** For tests that visit every state of a page, including errors, without animations. */
export const test = journey.extend({
  expectedProblems:
    /status of (400|401|403|404|409|422|500)|ERR_FAILED|Failed to |Missing Auth0|A part of the page failed|dynamically|Empty CSV file/,
  page: async ({ page }, use, testInfo) => {
    testInfo.slow();
    await freezePage(page);
    await use(page);
  },
});

export { expect };

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const dialog = (page: Page) => page.getByRole('dialog');
/** As a proxy refuses: an error with a retry, where a refusal by the server is about the member's role. */
export const refuse = (route: Route) => route.fulfill({ status: 403, json: { detail: 'Permission denied' } });

export const VARIANTS = '**/api/v1/brands/*/variants/?*';
const CHANNEL_STATES = ['removing', 'refused', 'queued', 'sent', 'live'];

/** Changes the server's answers before the page gets them. */
export async function changeAnswers<Answer>(page: Page, url: string, change: (answer: Answer) => void): Promise<void> {
  await page.route(url, async (route) => {
    try {
      const response = await route.fetch();
      if (!response.ok()) return await route.fulfill({ response });
      const answer = await response.json();
      change(answer);
      await route.fulfill({ json: answer });
    } catch (error) {
      // The page was closed or left in the meantime, or the test is over.
      if (!/disposed|closed|handled|Test ended/.test(String(error))) throw error;
    }
  });
}

/** Opens the brand's variants, reduced to five: one per channel state. */
export async function openBrand(page: Page, name: string, email = EDITOR): Promise<void> {
  await changeAnswers<{ results: object[] }>(page, VARIANTS, (list) => {
    list.results.splice(CHANNEL_STATES.length);
    for (const [index, variant] of list.results.entries()) {
      const state = CHANNEL_STATES[index];
      Object.assign(variant, { published: state !== 'removing', channel: { state, reason: 'Too small' } });
    }
  });
  await openVariants(page, name, '', email);
  await expect(page.getByRole('row').nth(2)).toBeVisible();
}
