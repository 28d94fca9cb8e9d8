import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { useAuthStore } from '../auth/auth-store.ts';
import { BrandHeader } from './brand-header.tsx';
import { brandKeys } from './brands-queries.ts';
import { brandList, fjord, refusal, renderAt } from './test-support/brands.tsx';

const server = startMockServer();
afterEach(clearToasts);
const URL = '*/api/v1/brands/1/leave/';

async function openDialog() {
  const { queryClient } = renderAt('/brands/1/product-variants', <BrandHeader brand={fjord} />);
  await userEvent.click(screen.getByRole('button', { name: 'More for Fjord & Forest' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Leave this brand' }));
  return { queryClient, dialog: await screen.findByRole('dialog', { name: 'Leave Fjord & Forest?' }) };
}

it('a member leaves a brand after a confirmation, and is back at the brands', async () => {
  server.use(http.post(URL, () => new HttpResponse(null, { status: 204 })));
  const { dialog } = await openDialog();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'You have left Fjord & Forest' }]));
  expect(screen.getByLabelText('address')).toHaveTextContent('/brands');
});

it('a member decides about the API keys that they created', async () => {
  const queries: (string | null)[] = [];
  useAuthStore.setState({ user: { id: 2, first_name: '', last_name: '', email: 'me@example.com' } });
  server.use(
    http.get('*/api/v1/brands/1/api-keys/', () =>
      HttpResponse.json({ results: [{ id: 7, name: 'Nightly upload', state: 'active', creator_id: 2 }] }),
    ),
    http.post(URL, ({ request }) => {
      queries.push(request.url.split('?')[1] ?? null);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { dialog } = await openDialog();
  const box = await within(dialog).findByRole('checkbox', { name: 'Revoke API keys and feed URL' });
  expect(box).toBeChecked();
  await userEvent.click(box);
  expect(dialog).toHaveTextContent('The person may know them and can still use them.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(queries).toEqual(['keys=keep']));
});

it('the last owner sees in the menu that they cannot leave', async () => {
  renderAt('/brands/1/product-variants', <BrandHeader brand={{ ...fjord, is_last_owner: true }} />);
  await userEvent.click(screen.getByRole('button', { name: 'More for Fjord & Forest' }));
  const item = await screen.findByRole('menuitem', { name: /^Leave this brand/ });
  expect(item).toHaveTextContent('A brand needs at least one owner. Name another owner first.');
});

it('the last owner cannot leave, and sees the reason', async () => {
  server.use(http.post(URL, () => refusal('last_owner')));
  const { dialog } = await openDialog();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('A brand needs at least one owner.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByLabelText('address')).toHaveTextContent('/brands/1/product-variants');
});

it('after a lost answer the brands are asked for again', async () => {
  server.use(http.post(URL, () => HttpResponse.error()));
  const { queryClient, dialog } = await openDialog();
  queryClient.setQueryData(brandKeys.list(), brandList);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Network error');
  expect(queryClient.getQueryState(brandKeys.list())?.isInvalidated).toBe(true);
});
