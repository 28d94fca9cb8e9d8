import { expect, type Page } from '@playwright/test';

/** Opens the newest mail for someone in the mailbox as the operator would, and follows its link in the same tab. */
export async function followMail(page: Page, email: string, subject?: RegExp): Promise<void> {
  const mails = page.getByRole('listitem').filter({ hasText: email });
  const mail = (subject ? mails.filter({ hasText: subject }) : mails).first();
  await expect(async () => {
    await page.goto('/mailbox');
    await expect(mail).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await mail.getByRole('link').click();
  const link = await page.locator('pre').getByRole('link').first().getAttribute('href');
  await page.goto(link ?? '');
}

/** The mailbox shows mail in a frame that may run nothing, not even what a test adds to each page. */
export const FRAME = "frame is sandboxed and the 'allow-scripts' permission is not set";
