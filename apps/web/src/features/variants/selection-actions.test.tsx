import { UNDO_TOAST_MS } from '@brand-portal/contract/constants';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { channelDialog, confirm, openPage, published, trialDialog } from './test-support/publishing.tsx';
import { bar, box, mockActions, noBar, pageBox, press, ticked } from './test-support/selection.tsx';
import { makeVariant, manyVariants, searchBox } from './test-support/variants.tsx';

const server = startMockServer();
beforeEach(() => clearToasts());

function mockApi(...given: Parameters<typeof mockActions>) {
  const { handlers, ...mocked } = mockActions(...given);
  server.use(...handlers);
  return mocked;
}

/** Published variants, and an action that is not answered before `answer` is called. */
function mockHeldApi(count: number) {
  const mocked = mockApi(manyVariants(count).map((variant) => ({ ...variant, published: true })));
  const { promise, resolve } = Promise.withResolvers<void>();
  mocked.control.hold = promise;
  return { ...mocked, answer: () => act(async () => resolve()) };
}

describe('an action on selected variants', () => {
  it('publishes through the channel’s dialog, shows what was skipped, and clears the selection', async () => {
    const variants = [makeVariant(1, { published: true }), makeVariant(2), makeVariant(3)];
    const { sent } = mockApi(variants);
    await openPage();
    await userEvent.click(pageBox());
    await press('Publish');
    expect(await channelDialog()).toHaveTextContent('Choose where the 3 selected product variants are published.');
    expect(sent).toEqual([]);
    await confirm();
    expect(await screen.findByText('2 queued for Google, 1 was already published')).toBeVisible();
    expect(sent).toEqual([{ action: 'publish', ids: [1, 2, 3] }]);
    await noBar();
    // The bar had the focus; it moves to the table.
    expect(document.body).not.toHaveFocus();
  });

  it('says that they wait for the connection, where the brand is not connected', async () => {
    server.use(http.get('*/api/v1/brands/:id/channel/', () => HttpResponse.json({ ...CONNECTED, state: 'not_connected' })));
    mockApi(manyVariants(2));
    await openPage();
    await userEvent.click(pageBox());
    await press('Publish');
    await confirm();
    expect(await screen.findByText('2 wait until this brand is connected to Google')).toBeVisible();
  });

  it('starts the trial first if there is none', async () => {
    const { sent } = mockApi(manyVariants(2), { optedIn: false });
    await openPage();
    await userEvent.click(pageBox());
    await press('Publish');
    await channelDialog();
    await confirm();
    expect(await trialDialog()).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('updates the rows optimistically, is busy meanwhile, and ignores a second click', async () => {
    const { sent, answer } = mockHeldApi(2);
    await openPage();
    await userEvent.click(box(1));
    await press('Unpublish');
    const busy = await within(await bar()).findByRole('button', { name: 'Unpublishing…' });
    expect(published(1)).toContain('Unpublished');
    expect(published(2)).not.toContain('Unpublished');
    await userEvent.click(busy);
    await answer();
    await screen.findByText('1 unpublished');
    expect(sent).toHaveLength(1);
  });

  it('keeps what is selected while it runs', async () => {
    const { answer } = mockHeldApi(3);
    await openPage();
    await userEvent.click(box(1));
    await press('Unpublish');
    await within(await bar()).findByRole('button', { name: 'Unpublishing…' });
    await userEvent.click(box(2));
    await answer();
    await screen.findByText('1 unpublished');
    expect(ticked()).toEqual(['Select Wool socks 2']);
  });

  it('on single variants does not select one again that is meanwhile excepted from all', async () => {
    const { answer } = mockHeldApi(12);
    await openPage();
    await userEvent.click(box(1));
    await press('Unpublish');
    await press('Select all 12 that match');
    await userEvent.click(box(1));
    await answer();
    await screen.findByText('1 unpublished');
    expect(box(1)).not.toBeChecked();
    expect(await bar()).toHaveTextContent('11 of the 12 that match are selected');
  });

  it('on all that match keeps what is selected while it runs', async () => {
    const { answer } = mockHeldApi(12);
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 12 that match');
    await press('Unpublish');
    await press('Clear');
    await userEvent.click(box(2));
    await answer();
    await screen.findByText('12 unpublished');
    expect(ticked()).toEqual(['Select Wool socks 2']);
  });

  it('on all that match keeps the selection of all that match another search', async () => {
    const { answer } = mockHeldApi(12);
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 12 that match');
    await press('Unpublish');
    await userEvent.type(searchBox(), 'socks 1');
    await noBar();
    await userEvent.click(box(1));
    await press('Select all 4 that match');
    await answer();
    await screen.findByText('12 unpublished');
    expect(await bar()).toHaveTextContent('All 4 that match are selected');
  });

  it('on all that match optimistically changes the rows of that list only', async () => {
    const { answer } = mockHeldApi(12);
    server.use(http.get(/variants\/2\/$/, () => new Promise(() => {})));
    const { router } = await openPage('?search=socks 1');
    await userEvent.click(box(1));
    await press('Select all 4 that match');
    await press('Unpublish');
    await waitFor(() => expect(published(10)).toContain('Unpublished'));
    await act(() => router.navigate('/brands/1/product-variants'));
    await screen.findByText('Wool socks 2');
    expect(published(2)).not.toContain('Unpublished');
    await act(() => router.navigate('/brands/1/product-variants/2'));
    const panel = await screen.findByRole('dialog', { name: 'Wool socks 2' });
    expect(within(panel).queryByText('Unpublished')).toBeNull();
    await answer();
  });

  it('that unpublishes can be undone: those that it changed are published again, and no others', async () => {
    const { sent } = mockApi([makeVariant(1, { published: true }), makeVariant(2), makeVariant(3, { published: true })]);
    await openPage();
    await userEvent.click(pageBox());
    await press('Unpublish');
    await screen.findByText('2 unpublished, 1 was already unpublished');
    expect(getToasts()[0]).toMatchObject({ durationMs: UNDO_TOAST_MS });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('2 queued for Google')).toBeVisible();
    expect(sent[1]).toEqual({ action: 'publish', ids: [1, 3] });
    expect([1, 2, 3].map((id) => published(id)?.startsWith('Published'))).toEqual([true, false, true]);
  });

  it('asks for confirmation if it unpublishes more than 100', async () => {
    const { sent } = mockApi(manyVariants(101).map((variant) => ({ ...variant, published: true })));
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 101 that match');
    await press('Unpublish');
    expect(await screen.findByRole('dialog', { name: 'Unpublish 101 product variants?' })).toHaveTextContent(
      'Those that Google already has are withdrawn. All stay in the portal and can be published again.',
    );
    await confirm('Cancel');
    expect(sent).toEqual([]);
    await press('Unpublish');
    await confirm('Unpublish');
    expect(await screen.findByText('101 unpublished')).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  it('exports all that match only if their number has not changed', async () => {
    mockApi(manyVariants(12));
    const requests: unknown[] = [];
    server.use(
      http.post('*/api/v1/brands/1/variants/export/', async ({ request }) => {
        requests.push(await request.json());
        const body = { detail: 'x', code: 'selection_changed', context: { count: '13' }, request_id: 'r' };
        return HttpResponse.json(body, { status: 409 });
      }),
    );
    await openPage('?search=socks');
    await userEvent.click(box(1));
    await press('Select all 12 that match');
    await userEvent.click(box(2));
    await press('Export');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV file (.csv)' }));
    expect(await screen.findByText(/other variants match now. Nothing was done/)).toBeVisible();
    expect(requests).toEqual([
      { format: 'csv', apostrophe: true, ordering: '-created_at', search: 'socks', except_ids: [2], expected: 11 },
    ]);
  });

  it('that fails keeps the selection, and says so', async () => {
    const { control } = mockApi(manyVariants(2));
    control.fail = true;
    await openPage();
    await userEvent.click(box(1));
    await press('Unpublish');
    expect(await screen.findByText('The selected variants could not be unpublished')).toBeVisible();
    expect(box(1)).toBeChecked();
  });

  it('deletes after a confirmation that says what is withdrawn, and can be undone', async () => {
    const variants = [makeVariant(1, { published: true }), makeVariant(2), makeVariant(3)];
    const { sent, control } = mockApi(variants);
    await openPage();
    await userEvent.click(box(1));
    await userEvent.click(box(2));
    await press('Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete 2 product variants?' });
    expect(dialog).toHaveTextContent('1 of them is published; what Google has is withdrawn.');
    expect(sent).toEqual([]);
    await confirm('Delete');
    expect(await screen.findByText('2 variants deleted')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Wool socks 1')).toBeNull());
    await noBar();
    expect(screen.getByRole('region', { name: 'Product variants' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('2 variants restored')).toBeVisible();
    expect(await screen.findByText('Wool socks 1')).toBeVisible();
    expect(control.restored).toEqual([7]);
  });

  it('deletes all that match, with the number of published ones from the server', async () => {
    const variants = [makeVariant(1, { published: true }), makeVariant(2, { published: true }), makeVariant(3)];
    const { sent } = mockApi(variants);
    await openPage('?page_size=10');
    await userEvent.click(box(3));
    await press('Select all 3 that match');
    await userEvent.click(box(1));
    await press('Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete 2 product variants?' });
    expect(await within(dialog).findByText('1 of them is published; what Google has is withdrawn.')).toBeVisible();
    await confirm('Delete');
    await screen.findByText('2 variants deleted');
    expect(sent).toEqual([{ action: 'delete', filter: {}, except_ids: [1], expected: 2 }]);
  });

  describe('that deletes longer than the call takes', () => {
    async function deleteForLong(ended: object) {
      mockApi(manyVariants(2));
      let asked = 0;
      server.use(
        http.post('*/api/v1/brands/:id/variants/actions/', () => HttpResponse.json({ import_id: 7, state: 'running' }, { status: 202 })),
        http.get('*/api/v1/brands/:id/imports/7/', () => HttpResponse.json(asked++ === 0 ? { state: 'running' } : ended)),
      );
      await openPage();
      await userEvent.click(pageBox());
      await press('Delete');
      await confirm('Delete');
      expect(await screen.findByText('Deleting is still running')).toBeVisible();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }

    it('closes its dialog, and shows the result when it is there', async () => {
      await deleteForLong({ state: 'done', outcome: { changed: 90_000, skipped: [], deletion_id: 7 } });
      expect(await screen.findByText('90,000 variants deleted')).toBeVisible();
      expect(screen.queryByText('Deleting is still running')).toBeNull();
      await noBar();
    });

    it('shows why it was refused', async () => {
      await deleteForLong({
        state: 'failed',
        outcome: null,
        failure: { code: 'brand_inactive', message: 'Inactive.' },
      });
      expect(await screen.findByText('The variants could not be deleted')).toBeVisible();
      expect(screen.getByText(/This brand is inactive/)).toBeVisible();
      expect(await bar()).toBeVisible();
    });
  });

  it.each(['Delete', 'Unpublish'])('%s of all that match whose answer is lost is done if none is left', async (name) => {
    const variants = manyVariants(3).map((variant) => ({ ...variant, published: true }));
    mockApi(variants);
    server.use(
      http.post('*/api/v1/brands/1/variants/actions/', () => {
        if (name === 'Delete') variants.length = 0;
        else for (const variant of variants) variant.published = false;
        return HttpResponse.error();
      }),
    );
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 3 that match');
    await press(name);
    if (name === 'Delete') await confirm('Delete');
    const done = name === 'Delete' ? '3 variants deleted' : 'The selected variants were unpublished';
    expect(await screen.findByText(done)).toBeVisible();
    await noBar();
  });

  it('deletes every variant of the brand, and still says so, offers Undo and clears the selection', async () => {
    mockApi(manyVariants(3));
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 3 that match');
    await press('Delete');
    await confirm('Delete');
    expect(await screen.findByText('3 variants deleted')).toBeVisible();
    expect(await screen.findByText('No products yet')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Wool socks 1');
    await noBar();
    expect(box(1)).not.toBeChecked();
  });

  it.each([
    [false, '1 variant restored'],
    [true, 'The variants could not be restored'],
  ])('shows the result of Undo after the member has left the page (fails: %s)', async (failRestore, title) => {
    const { control } = mockApi(manyVariants(2));
    control.failRestore = failRestore;
    const { router } = await openPage();
    await userEvent.click(box(1));
    await press('Delete');
    await confirm('Delete');
    await screen.findByText('1 variant deleted');
    await act(() => router.navigate('/brands'));
    act(() => getToasts()[0]?.action?.onSelect());
    await waitFor(() => expect(getToasts().map((toast) => toast.title)).toContain(title));
  });

  it('on a list that has changed in the meantime deletes nothing, says how many match now, and asks again', async () => {
    const variants = manyVariants(3);
    const { sent } = mockApi(variants);
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 3 that match');
    await press('Delete');
    variants.push(makeVariant(4));
    await confirm('Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete 4 product variants?' });
    expect(within(dialog).getByRole('alert')).toHaveTextContent('4 match now. Nothing was done.');
    expect(variants).toHaveLength(4);
    await confirm('Delete');
    expect(await screen.findByText('4 variants deleted')).toBeVisible();
    expect(sent.map(({ expected }) => expected)).toEqual([3, 4]);
  });

  it('on a list that has changed in the meantime unpublishes nothing, and says how many match now', async () => {
    const variants = manyVariants(2).map((variant) => ({ ...variant, published: true }));
    const { sent } = mockApi(variants);
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 2 that match');
    variants.push(makeVariant(3, { published: true }));
    await press('Unpublish');
    expect(await screen.findByText(/3 match now. Nothing was done./)).toBeVisible();
    await waitFor(async () => expect(await bar()).toHaveTextContent('All 3 that match are selected'));
    await press('Unpublish');
    expect(await screen.findByText('3 unpublished')).toBeVisible();
    expect(sent.map(({ expected }) => expected)).toEqual([2, 3]);
  });

  it('that cannot delete says so in its dialog', async () => {
    const { control } = mockApi(manyVariants(2));
    control.fail = true;
    await openPage();
    await userEvent.click(box(1));
    await press('Delete');
    await confirm('Delete');
    expect(await within(await screen.findByRole('dialog')).findByRole('alert')).toBeVisible();
    expect(screen.getByText('Wool socks 1')).toBeInTheDocument();
  });
});

it('an action on variants that are published already does not count what it did not do', async () => {
  mockApi([makeVariant(1, { published: true }), makeVariant(2, { published: true })]);
  await openPage();
  await userEvent.click(pageBox());
  await press('Publish');
  await confirm();
  expect(await screen.findByText('2 were already published')).toBeVisible();
});

describe('publishing all', () => {
  const variants = () => [makeVariant(1, { published: true }), makeVariant(2), makeVariant(3)];
  const ask = () => userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));

  const answer = (readiness: object) =>
    server.use(
      http.get('*/api/v1/brands/1/readiness/', () =>
        HttpResponse.json({ ready: 2, ready_with_remarks: 1, blocked: 0, published: 1, reasons: [], ...readiness }),
      ),
    );

  it('says how many there are, and how many are published already, from one response', async () => {
    mockApi(variants());
    answer({});
    await openPage();
    await ask();
    const dialog = within(await channelDialog());
    expect(await dialog.findByText('3 variants, 1 already published')).toBeVisible();
    expect(screen.queryByText(/not only the/)).toBeNull();
    expect(screen.queryByText(/\bready\b|\bblocked\b/)).toBeNull();
  });

  it('says how many Google will refuse, and links to them', async () => {
    mockApi(variants());
    answer({ ready: 1, blocked: 1 });
    const { router } = await openPage();
    await ask();
    const dialog = within(await channelDialog());
    expect(await dialog.findByText('3 variants, 1 already published')).toBeVisible();
    expect(dialog.getByText(/^1 of them is blocked by Google’s rules/)).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Show the blocked ones' })).toHaveAttribute(
      'href',
      '/brands/1/product-variants?reason=restricted_gtin',
    );
    await userEvent.click(dialog.getByRole('link', { name: 'Show the blocked ones' }));
    expect(router.state.location.search).toBe('?reason=restricted_gtin');
    // It would cover the list.
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says nothing of the filters if all variants of the brand match them', async () => {
    mockApi(variants());
    answer({});
    await openPage('?search=socks');
    await ask();
    const dialog = within(await channelDialog());
    expect(await dialog.findByText(/^3 variants/)).toBeVisible();
    expect(dialog.queryByText(/the list shows/)).toBeNull();
  });

  it('says that it ignores the filters of the list', async () => {
    mockApi(variants());
    answer({});
    await openPage('?search=socks 2');
    await ask();
    const hint = await within(await channelDialog()).findByText(
      /publishes all 3 variants of the brand, not only the 1 that the list shows/,
    );
    // If all of them are on one page there is no link “Select all”.
    expect(hint).toHaveTextContent('select them in the list, and publish them from the bar below it.');
    expect(hint).not.toHaveTextContent('Select all');
  });
});
