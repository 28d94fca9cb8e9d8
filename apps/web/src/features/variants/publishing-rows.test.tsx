import type { ErrorCode } from '@brand-portal/contract/errors';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { choose, confirm, menuButton, mockPublishing, openPage, published } from './test-support/publishing.tsx';
import { makeVariant, manyVariants, names, table } from './test-support/variants.tsx';
import { variantKeys } from './variants-queries.ts';

const server = startMockServer();

async function open(variants = manyVariants(3), query = '') {
  const mocked = mockPublishing(variants);
  server.use(...mocked.handlers);
  return { ...mocked, variants, ...(await openPage(query)) };
}

async function publish(id: number) {
  await choose(id, 'Publish');
  await confirm();
}

const allButton = () => screen.getByRole('button', { name: /^Publish(ing)? all/ });
const toastTitles = () => getToasts().map(({ title }) => title);

beforeEach(clearToasts);
afterEach(() => vi.useRealTimers());

describe('a row', () => {
  it('is updated optimistically, before the server has answered', async () => {
    const { control, answerNext } = await open();
    control.isHeld = true;
    await publish(1);
    await waitFor(() => expect(published(1)).toBe('Published Queued'));
    expect(getToasts()).toEqual([]);
    await waitFor(() => expect(control.calls).toHaveLength(1));
    await answerNext();
    await waitFor(() => expect(published(1)).toBe('Published Sent'));
  });

  it.each([
    ['an empty 200', () => new HttpResponse('')],
    ['a 204', () => new HttpResponse(null, { status: 204 })],
    ['an answer without fields', () => HttpResponse.json({})],
  ])('is published by %s, also before the list is loaded again', async (_, answer) => {
    await open();
    server.use(
      http.patch('*/api/v1/variants/1/publish/', answer),
      http.get('*/api/v1/brands/1/variants/', () => new Promise<never>(() => undefined)),
    );
    await publish(1);
    await waitFor(() => expect(toastTitles()).toEqual(['Variant published successfully']));
    expect(published(1)).toBe('Published Queued');
  });

  it.each([
    ['permission_denied', 'Permission denied'],
    ['internal_error', 'Server error. Please try again later.'],
    ['variant_not_found', 'Product variant not found. It may have been removed.'],
  ] satisfies [ErrorCode, string][])('is rolled back after %s, with a toast', async (code, message) => {
    const { control } = await open([
      makeVariant(1, { published: true, channel: { state: 'refused', reason: 'Too small' } }),
      makeVariant(2),
    ]);
    control.failWith = code;
    await publish(2);
    expect(await screen.findByText('The variant could not be published')).toBeVisible();
    expect(screen.getByText(message)).toBeVisible();
    await choose(1, 'Unpublish');
    expect(await screen.findByText('The variant could not be unpublished')).toBeVisible();
    await waitFor(() => expect([1, 2].map(published)).toEqual(['Published Refused', 'Unpublished']));
    expect(getToasts().map(({ variant }) => variant)).toEqual(['error', 'error']);
  });

  it('shows the state of the server after a failure, because the change may have been made', async () => {
    const { control, variants } = await open();
    control.failWith = 'database_unavailable';
    variants[0] = makeVariant(1, { published: true, channel: { state: 'live', reason: '' } });
    await publish(1);
    await screen.findByText('The variant could not be published');
    await waitFor(() => expect(published(1)).toBe('Published Live'));
  });

  it('toggled twice ends in the last state, without showing the other in between', async () => {
    const { control, answerNext } = await open([makeVariant(1, { published: true, channel: { state: 'live', reason: '' } })]);
    control.isHeld = true;
    const seen: (string | null | undefined)[] = [];
    await choose(1, 'Unpublish');
    await waitFor(() => expect(published(1)).toBe('Unpublished Removing'));
    await publish(1);
    await waitFor(() => expect(published(1)).toMatch(/^Published/));
    const observer = new MutationObserver(() => seen.push(published(1)));
    observer.observe(table(), { subtree: true, childList: true, characterData: true });
    // The second call waits for the first: the server gets them in order.
    expect(control.calls).toEqual([[1, false]]);
    await answerNext();
    await waitFor(() =>
      expect(control.calls).toEqual([
        [1, false],
        [1, true],
      ]),
    );
    await answerNext();
    await waitFor(() => expect(published(1)).toBe('Published Sent'));
    observer.disconnect();
    expect(seen.every((text) => text?.startsWith('Published'))).toBe(true);
    expect(toastTitles()).toEqual(['Variant published successfully', 'Variant unpublished successfully']);
  });

  it('toggled twice is rolled back when both calls fail', async () => {
    const { control, answerNext } = await open([makeVariant(1, { published: true, channel: { state: 'live', reason: '' } })]);
    control.failWith = 'internal_error';
    control.isHeld = true;
    await choose(1, 'Unpublish');
    await publish(1);
    await waitFor(() => expect(control.calls).toHaveLength(1));
    await answerNext();
    await waitFor(() => expect(control.calls).toHaveLength(2));
    await answerNext();
    await waitFor(() => expect(toastTitles()).toEqual(['The variant could not be published', 'The variant could not be unpublished']));
    await waitFor(() => expect(published(1)).toBe('Published Live'));
  });

  it('disappears from a list whose filter it no longer matches, and the focus moves to the table', async () => {
    const variants = [makeVariant(1, { published: true }), makeVariant(2, { published: true })];
    const { control, answerNext } = await open(variants, '?filter=published');
    control.isHeld = true;
    await choose(1, 'Unpublish');
    await waitFor(() => expect(published(1)).toBe('Unpublished'));
    await waitFor(() => expect(menuButton(1)).toHaveFocus());
    await answerNext();
    await waitFor(() => expect(names()).toEqual(['Wool socks 2']));
    expect(screen.getByText('Showing 1 to 1 of 1 results')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Product variants' })).toHaveFocus();
  });

  it('is changed in cached lists only: other cached data of the brand’s variants is not changed', async () => {
    const { queryClient } = await open();
    const detail = { id: 2, name: 'Not a list' };
    queryClient.setQueryData(variantKeys.detail(1, 2), detail);
    await publish(1);
    await waitFor(() => expect(toastTitles()).toEqual(['Variant published successfully']));
    expect(queryClient.getQueryData(variantKeys.detail(1, 2))).toBe(detail);
  });

  it('is changed on every cached page, not only on the visible one', async () => {
    await open(manyVariants(12), '?page_size=10');
    await userEvent.click(screen.getByRole('combobox', { name: 'Filter' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Without certifications' }));
    await waitFor(() => expect(table()).toHaveAttribute('aria-busy', 'false'));
    await publish(3);
    await screen.findByText('Variant published successfully');
    await userEvent.click(screen.getByRole('combobox', { name: 'Filter' }));
    await userEvent.click(await screen.findByRole('option', { name: 'All variants' }));
    expect(published(3)).toBe('Published Sent');
  });
});

describe('publishing all', () => {
  it('shows every row as published and is busy meanwhile, with the focus and without a second call', async () => {
    const { control, answerNext } = await open();
    control.isHeld = true;
    await userEvent.click(allButton());
    await confirm();
    await waitFor(() => expect([1, 2, 3].map(published)).toEqual(Array(3).fill('Published Queued')));
    expect(allButton()).toHaveAccessibleName('Publishing all…');
    expect(allButton()).toHaveAttribute('aria-busy', 'true');
    expect(allButton()).toHaveAttribute('aria-disabled', 'true');
    await waitFor(() => expect(allButton()).toHaveFocus());
    expect(allButton().querySelector('[data-hidden-label]')).toHaveAttribute('data-hidden-label', 'Publish all to channels');
    await userEvent.click(allButton());
    expect(screen.queryByRole('dialog')).toBeNull();
    await answerNext();
    await waitFor(() => expect(allButton()).toHaveAccessibleName('Publish all to channels'));
    expect(control.calls).toEqual(['all']);
  });

  it('is rolled back when it fails', async () => {
    const { control } = await open();
    control.failWith = 'permission_denied';
    await userEvent.click(allButton());
    await confirm();
    expect(await screen.findByText('The variants could not be published')).toBeVisible();
    expect(screen.getByText('Permission denied')).toBeVisible();
    await waitFor(() => expect([1, 2, 3].map(published)).toEqual(Array(3).fill('Unpublished')));
  });

  it.each([
    ['no answer', () => HttpResponse.error()],
    ['a proxy’s timeout', () => HttpResponse.text('Gateway Timeout', { status: 504 })],
  ])('after %s is shown as running, and as done once the list has no unpublished one', async (_what, answer) => {
    const { variants } = await open();
    server.use(http.post('*/api/v1/brands/1/variants/publish-all/', answer));
    await userEvent.click(allButton());
    await confirm();
    expect(await screen.findByText('Publishing is still running')).toBeVisible();
    expect(allButton()).toHaveAccessibleName('Publishing all…');
    expect(screen.queryByText(/could not be published/)).toBeNull();
    for (const [index, variant] of variants.entries()) variants[index] = { ...variant, published: true };
    expect(await screen.findByText('All variants published successfully')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Publishing is still running')).toBeNull());
    expect(allButton()).toHaveAccessibleName('Publish all to channels');
  });

  it('that the server refuses is said to have failed only after the list was asked', async () => {
    const { control, variants } = await open();
    control.failWith = 'brand_busy';
    await userEvent.click(allButton());
    await confirm();
    expect(await screen.findByText('The variants could not be published')).toBeVisible();
    for (const [index, variant] of variants.entries()) variants[index] = { ...variant, published: true };
    await userEvent.click(allButton());
    await confirm();
    expect(await screen.findByText('All variants published successfully')).toBeVisible();
  });

  it('and a row that is unpublished meanwhile reach the server in that order', async () => {
    const { control, answerNext } = await open();
    control.isHeld = true;
    await userEvent.click(allButton());
    await confirm();
    await waitFor(() => expect(published(2)).toBe('Published Queued'));
    await choose(2, 'Unpublish');
    await waitFor(() => expect(published(2)).toBe('Unpublished Removing'));
    expect(published(1)).toBe('Published Queued');
    await answerNext();
    await waitFor(() => expect(control.calls).toEqual(['all', [2, false]]));
    await answerNext();
    await waitFor(() => expect([1, 2].map(published)).toEqual(['Published Sent', 'Unpublished']));
  });
});

describe('the channel state', () => {
  it('is polled until it is final', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { variants } = await open([makeVariant(1, { published: true, channel: { state: 'sent', reason: '' } })]);
    expect(published(1)).toBe('Published Sent');
    variants[0] = makeVariant(1, { published: true, channel: { state: 'refused', reason: 'Too small' } });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    await waitFor(() => expect(published(1)).toBe('Published Refused'));
    expect(table()).toHaveAttribute('aria-busy', 'false');
    variants[0] = makeVariant(1, { published: true, channel: { state: 'live', reason: '' } });
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(published(1)).toBe('Published Refused');
  });

  it('is not polled in a hidden tab', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { variants } = await open([makeVariant(1, { published: true, channel: { state: 'queued', reason: '' } })]);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    variants[0] = makeVariant(1, { published: true, channel: { state: 'live', reason: '' } });
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(published(1)).toBe('Published Queued');
    vi.restoreAllMocks();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    await waitFor(() => expect(published(1)).toBe('Published Live'));
  });
});
