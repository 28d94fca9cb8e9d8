import { type Browser, chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from '../../scripts/find-browser.ts';

export const EMAIL = 'olivia.owner@demo.example';

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findBrowser(), args: BROWSER_ARGS });
}

export async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByRole('textbox', { name: 'Password' }).fill('Demo-Portal-2026!');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/brands');
}
