import { expect, test } from '../support/own-brand.ts';
import { signIn, VIEWER } from '../support/sign-in.ts';
import { asStaff } from '../support/staff.ts';

const FOUR = `variant_name,gtin,certificate_id,certification_name
Mint tea,4006381333931,RV-0001,Green Seal
Sage tea,5901234123457,RV-0002,Green Seal
Thyme tea,7501031311309,RV-0003,MADE SAFE
Anise tea,8412345678905,RV-0004,MADE SAFE
`;

test.use({ expectedProblems: /status of 403/ });

test('platform staff review pending certificates by mouse, by keyboard and on a phone; others have no such page', async ({
  page,
  server,
  brand,
  browser,
}) => {
  test.slow();
  await brand.upload(FOUR);
  await expect(page.getByRole('link', { name: 'Platform' })).toHaveCount(0);
  await page.goto('/platform/reviews');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');

  const staff = await browser.newPage({ baseURL: server.url });
  const item = (id: string) => staff.getByRole('listitem').filter({ hasText: id });
  const expectGone = async (id: string) => {
    // Behind the open dialog nothing has a role.
    await expect(staff.getByRole('dialog')).toBeHidden();
    await expect(item(id)).toHaveCount(0);
  };
  await asStaff(server, VIEWER, async () => {
    await signIn(staff, VIEWER);
    await staff.getByRole('link', { name: 'Platform' }).click();
    await staff.getByRole('link', { name: 'Reviews' }).click();
    await expect(item('RV-0001')).toContainText(`${brand.name}`);
    await expect(item('RV-0001')).toContainText('No registry of Green Seal is loaded.');

    await item('RV-0001')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await staff.getByRole('textbox', { name: 'Reason' }).fill('Seen on paper');
    await staff.getByRole('textbox', { name: 'Valid until (optional)' }).fill('2999-01-31');
    await staff.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expectGone('RV-0001');

    await item('RV-0002').getByRole('checkbox').press('Space');
    await item('RV-0003').getByRole('checkbox').press('Space');
    await staff.getByRole('button', { name: 'Reject', exact: true }).first().press('Enter');
    await expect(staff.getByRole('dialog', { name: 'Reject 2 certificates?' })).toBeVisible();
    await staff.keyboard.type('Another company holds it');
    await staff.getByRole('dialog').getByRole('button', { name: 'Reject' }).press('Enter');
    await expectGone('RV-0002');
    await expectGone('RV-0003');

    await staff.setViewportSize({ width: 375, height: 812 });
    await item('RV-0004')
      .getByRole('button', { name: /^Approve/ })
      .click();
    await staff.getByRole('textbox', { name: 'Reason' }).fill('Seen');
    await staff.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expectGone('RV-0004');
    await staff.close();
  });

  await page.goto(`/brands/${brand.id}/certifications`);
  const badge = (id: string) => page.getByRole('row').filter({ hasText: id }).getByRole('cell').last();
  await expect(badge('RV-0001')).toHaveText('Validated');
  await expect(badge('RV-0003')).toHaveText('Invalid');
  await expect(badge('RV-0004')).toHaveText('Validated');
});
