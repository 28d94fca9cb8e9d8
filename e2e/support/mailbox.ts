import { expect, type Page } from '@playwright/test';

/** Opens the newest mail to the address in the mailbox, and follows its link in the same tab. */
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

/** The console error of the mailbox: its sandboxed frame also blocks the script that tests add to each page. */
export const SANDBOX_MESSAGE = "frame is sandboxed and the 'allow-scripts' permission is not set";
