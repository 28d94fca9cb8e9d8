import { TOOLTIP_DELAY_MS } from '@brand-portal/contract/constants';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import * as checkBox from '../../ui/check-box.tsx';
import { clearToasts } from '../../ui/toast-store.ts';
import { refusal } from '../brands/test-support/brands.tsx';
import { channelDialog, confirm, openPage } from './test-support/publishing.tsx';
import { bar, box, mockActions, noBar, pageBox, press, ticked } from './test-support/selection.tsx';
import { listUrl, manyVariants, searchBox } from './test-support/variants.tsx';
import * as gtin from './variant-gtin.tsx';

const server = startMockServer();
beforeEach(() => clearToasts());

function mockApi(...given: Parameters<typeof mockActions>) {
  const { handlers, ...mocked } = mockActions(...given);
  server.use(...handlers);
  return mocked;
}

describe('selecting variants', () => {
  it('selects one by one, and shows the page’s checkbox as mixed', async () => {
    mockApi(manyVariants(12));
    await openPage();
    expect(screen.queryByRole('region', { name: 'Selected variants' })).toBeNull();
    await userEvent.click(box(2));
    expect(pageBox()).toBePartiallyChecked();
    expect(await bar()).toHaveTextContent('1 selected');
    await userEvent.click(box(2));
    await noBar();
    expect(pageBox()).not.toBePartiallyChecked();
  });

  it('selects a range with Shift and a click or the space bar', async () => {
    mockApi(manyVariants(12));
    await openPage();
    const user = userEvent.setup();
    await user.click(box(2));
    await user.keyboard('{Shift>}');
    await user.click(box(5));
    await user.keyboard('{/Shift}');
    expect(await bar()).toHaveTextContent('4 selected');
    box(8).focus();
    await user.keyboard('{Shift>} {/Shift}');
    expect(await bar()).toHaveTextContent('7 selected');
    // Backwards, and undone again.
    await user.click(box(7));
    await user.keyboard('{Shift>}');
    await user.click(box(4));
    await user.keyboard('{/Shift}');
    expect(ticked()).toEqual(['Select Wool socks 2', 'Select Wool socks 3', 'Select Wool socks 8']);
  });

  it('selects the focused row, or the range up to it, with the space bar, as the list of keys says', async () => {
    mockApi(manyVariants(5));
    const { router } = await openPage();
    const user = userEvent.setup();
    const row = (id: number) => box(id).closest('tr') as HTMLElement;
    act(() => row(2).focus());
    await user.keyboard(' ');
    expect(ticked()).toEqual(['Select Wool socks 2']);
    expect(row(2)).toHaveFocus();
    act(() => row(4).focus());
    await user.keyboard('{Shift>} {/Shift}');
    expect(await bar()).toHaveTextContent('3 selected');
    expect(router.state.location.pathname).toBe('/brands/1/product-variants');
  });

  it('keeps the selection when page and order change, and says so', async () => {
    mockApi(manyVariants(25));
    await openPage();
    await userEvent.click(pageBox());
    expect(pageBox()).toBeChecked();
    expect(await bar()).toHaveTextContent('10 selected');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('Wool socks 11');
    expect(pageBox()).not.toBeChecked();
    await userEvent.click(box(11));
    await userEvent.click(box(12));
    expect(await bar()).toHaveTextContent('12 selected on 2 pages');
    await userEvent.click(screen.getByRole('button', { name: 'Product Variant' }));
    await waitFor(() => expect(box(10)).toBeChecked());
    expect(await bar()).toHaveTextContent('12 selected on 2 pages');
  });

  it('keeps the selection when search or filter change, and says how many are not in view', async () => {
    const { sent } = mockApi(manyVariants(25));
    await openPage();
    for (const id of [1, 2, 3]) await userEvent.click(box(id));
    await userEvent.type(searchBox(), 'socks 1');
    await screen.findByText('Wool socks 11');
    expect(await bar()).toHaveTextContent('3 selected, 2 not in this view');
    expect(box(1)).toBeChecked();
    await userEvent.click(box(11));
    expect(await bar()).toHaveTextContent('4 selected, 2 not in this view');
    await userEvent.clear(searchBox());
    await screen.findByText('Wool socks 2');
    // 11 is on the second page.
    expect(await bar()).toHaveTextContent('4 selected, 1 not in this view');
    await press('Unpublish');
    await waitFor(() => expect(sent).toEqual([{ action: 'unpublish', ids: [1, 2, 3, 11] }]));
  });

  it('says so when selecting all that match drops selected ones that are not in view', async () => {
    mockApi(manyVariants(25));
    await openPage();
    for (const id of [1, 2]) await userEvent.click(box(id));
    await userEvent.type(searchBox(), 'socks 1');
    await screen.findByText('Wool socks 11');
    await press('Select all 11 that match');
    expect(await bar()).toHaveTextContent('All 11 that match are selected');
    expect(await screen.findByText('1 that is not in this view is no longer selected.')).toBeVisible();
  });

  it('of all that match is cleared by another search or filter, and says so', async () => {
    mockApi(manyVariants(25));
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 25 that match');
    expect(within(await bar()).getByRole('button', { name: 'Clear' })).toHaveFocus();
    await userEvent.type(searchBox(), 'socks 1');
    expect(await screen.findByText('Selection cleared: search or filter changed.')).toBeVisible();
    await noBar();
  });

  it('of all that match is cleared by another search, also if its list cannot be loaded', async () => {
    const { sent } = mockApi(manyVariants(25));
    await openPage();
    await userEvent.click(box(1));
    await press('Select all 25 that match');
    let isFailing = true;
    // Falls through to the mocked list later.
    server.use(http.get(listUrl, () => (isFailing ? refusal('internal_error') : undefined)));
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByRole('button', { name: 'Try again' });
    isFailing = false;
    await userEvent.type(searchBox(), 'socks 1');
    await screen.findByText('Wool socks 11');
    expect(screen.queryByRole('region', { name: 'Selected variants' })).toBeNull();
    expect(screen.getByText('Selection cleared: search or filter changed.')).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('of all that match sends the server’s key of the list in which it was made', async () => {
    const { sent } = mockApi(manyVariants(25));
    server.use(http.get(listUrl, () => HttpResponse.json({ results: manyVariants(10), count: 25, filter_key: 'key of this list' })));
    await openPage('?search=socks');
    await userEvent.click(box(1));
    await press('Select all 25 that match');
    await press('Publish');
    await confirm();
    await waitFor(() =>
      expect(sent).toMatchObject([{ action: 'publish', filter: { search: 'socks' }, filter_key: 'key of this list', expected: 25 }]),
    );
  });

  it('of all that match sends the filter and the deselected ids', async () => {
    const { sent } = mockApi(manyVariants(25));
    await openPage('?search=socks&filter=unpublished');
    await userEvent.click(pageBox());
    await press('Select all 25 that match');
    expect(await bar()).toHaveTextContent('All 25 that match are selected');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('Wool socks 11');
    expect(box(11)).toBeChecked();
    await userEvent.click(box(12));
    expect(await bar()).toHaveTextContent('24 of the 25 that match are selected');
    await press('Publish');
    await confirm();
    await screen.findByText('24 queued for Google');
    expect(sent).toEqual([{ action: 'publish', filter: { search: 'socks', published: false }, except_ids: [12], expected: 24 }]);
  });

  it('offers all that match only once their number is loaded', async () => {
    mockApi(manyVariants(25));
    await openPage();
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    // Falls through to the mocked list once it is released.
    server.use(http.get(listUrl, () => held));
    await userEvent.type(searchBox(), 'socks 1');
    await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-busy', 'true'));
    await userEvent.click(box(1));
    expect(within(await bar()).getByRole('button', { name: 'Select all 25 that match' })).toBeDisabled();
    await act(async () => answer());
    await press('Select all 11 that match');
    expect(await bar()).toHaveTextContent('All 11 that match are selected');
  });

  it('renders one checkbox and no row when one is selected', async () => {
    const [boxes, gtins] = [vi.spyOn(checkBox, 'CheckBox'), vi.spyOn(gtin, 'VariantGtin')];
    mockApi(manyVariants(10));
    await openPage();
    await userEvent.click(box(1));
    expect(gtins).toHaveBeenCalled();
    boxes.mockClear();
    gtins.mockClear();
    await userEvent.click(box(2));
    expect(await bar()).toHaveTextContent('2 selected');
    expect(gtins).not.toHaveBeenCalled();
    expect(boxes.mock.calls.map(([{ label }]) => label)).toEqual(['Select Wool socks 2']);
  });
});

describe('for viewers', () => {
  const reason = 'Your role in this brand is Viewer; this takes at least the role Editor. Ask Ada B.';
  const expectExplained = async (button: HTMLElement) => {
    await userEvent.hover(button);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(reason);
    expect(button).toBeEnabled();
    expect(button).not.toHaveAttribute('aria-disabled');
    await userEvent.unhover(button);
    await userEvent.keyboard('{Escape}');
  };

  it('every action of the page says which role it needs and whom to ask, and the server refuses it', async () => {
    mockApi(manyVariants(2), { role: 'viewer' });
    await openPage();
    await expectExplained(screen.getByRole('button', { name: 'Add Product Variant' }));
    await expectExplained(screen.getByRole('button', { name: 'Publish all to channels' }));
    await userEvent.click(box(1));
    for (const name of ['Publish', 'Unpublish', 'Delete']) {
      await expectExplained(within(await bar()).getByRole('button', { name }));
    }
    await userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));
    expect(await channelDialog()).toBeVisible();
  });

  it('the menu of a row says this below its action', async () => {
    mockApi(manyVariants(2), { role: 'viewer' });
    await openPage();
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Wool socks 1' }));
    const item = await screen.findByRole('menuitem', { name: `Publish ${reason}` });
    await userEvent.click(item);
    expect(await channelDialog()).toBeVisible();
  });

  it('without a role in the answer there is no hint', async () => {
    mockApi(manyVariants(2), { role: undefined });
    await openPage();
    await userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));
    expect(await channelDialog()).toBeVisible();
  });
});

describe('the status of the brand', () => {
  const hintsOf = async (buttons: HTMLElement[]) => {
    const hints: string[] = [];
    for (const button of buttons) {
      await userEvent.hover(button);
      const shown = screen.findByRole('tooltip', undefined, { timeout: 3 * TOOLTIP_DELAY_MS });
      hints.push(await shown.then(({ textContent }) => textContent ?? '').catch(() => ''));
      await userEvent.unhover(button);
      await userEvent.keyboard('{Escape}');
    }
    return hints;
  };
  const buttons = async () => [
    ...['Add Product Variant', 'Publish all to channels'].map((name) => screen.getByRole('button', { name })),
    ...(await Promise.all(['Publish', 'Unpublish', 'Delete'].map(async (name) => within(await bar()).getByRole('button', { name })))),
  ];

  beforeEach(() => writeRuntimeConfig({ support_email: 'help@portal.example' }));

  it('inactive is said at every button that changes or sends something, with whom to ask', async () => {
    mockApi(manyVariants(2), { status: 'inactive' });
    await openPage();
    await userEvent.click(box(1));
    const reason = expect.stringMatching(/^This brand is inactive: .* Ask help@portal\.example\.$/);
    expect(await hintsOf(await buttons())).toEqual([reason, reason, reason, reason, reason]);
  });

  it('pending is said at the buttons that publish, and at no other', async () => {
    mockApi(manyVariants(2), { status: 'pending' });
    await openPage();
    await userEvent.click(box(1));
    const reason = expect.stringMatching(/^This brand is pending review: .* Ask help@portal\.example\.$/);
    expect(await hintsOf(await buttons())).toEqual(['', reason, reason, '', '']);
    await userEvent.click(screen.getByRole('button', { name: 'Actions for Wool socks 1' }));
    expect(await screen.findByRole('menuitem', { name: /^Publish This brand is pending review/ })).toBeVisible();
  });
});
