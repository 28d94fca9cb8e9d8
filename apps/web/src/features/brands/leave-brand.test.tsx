import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { Toaster } from '../../ui/toaster.tsx';
import { BrandHeader } from './brand-header.tsx';
import { fjord, refusal, renderAt } from './test-support/brands.tsx';

const server = startMockServer();
const URL = '*/api/v1/brands/1/leave/';

async function openDialog() {
  renderAt(
    '/brands/1/product-variants',
    <>
      <BrandHeader brand={fjord} />
      <Toaster />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'More for Fjord & Forest' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Leave this brand' }));
  return screen.findByRole('dialog', { name: 'Leave Fjord & Forest?' });
}

it('a member leaves a brand after being asked, and is back at the brands', async () => {
  server.use(http.post(URL, () => new HttpResponse(null, { status: 204 })));
  const dialog = await openDialog();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('You have left Fjord & Forest')).toBeVisible();
  expect(screen.getByLabelText('address')).toHaveTextContent('/brands');
});

it('the last owner is told why not, and stays', async () => {
  server.use(http.post(URL, () => refusal('last_owner')));
  const dialog = await openDialog();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('A brand needs at least one owner.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByLabelText('address')).toHaveTextContent('/brands/1/product-variants');
});
