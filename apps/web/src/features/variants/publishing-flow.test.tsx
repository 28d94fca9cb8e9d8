import type { ConnectionState } from '@brand-portal/contract/channel';
import { PUBLISH_AFTER_OPT_IN_DELAY_MS } from '@brand-portal/contract/constants';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord } from '../brands/test-support/brands.tsx';
import {
  channelDialog,
  choose,
  confirm,
  menuButton,
  mockPublishing,
  openPage,
  published,
  trialDialog,
} from './test-support/publishing.tsx';
import { makeVariant, manyVariants } from './test-support/variants.tsx';

const server = startMockServer();
const pause = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));

/** Timers of this length wait for the returned function, however slow the machine is. */
function holdTimers(ms: number) {
  const held = new Map<unknown, () => void>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay?: number) => {
    const timer = start(delay === ms ? () => {} : run, delay);
    if (delay === ms) held.set(timer, run);
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    stop(timer);
  });
  return () =>
    act(async () => {
      for (const run of held.values()) run();
    });
}

async function open(...args: Parameters<typeof mockPublishing>) {
  const mocked = mockPublishing(...args);
  server.use(...mocked.handlers);
  return { ...mocked, ...(await openPage()) };
}

const mockState = (state: ConnectionState) =>
  server.use(http.get('*/api/v1/brands/:id/channel/', () => HttpResponse.json({ ...CONNECTED, state })));

beforeEach(clearToasts);
afterEach(() => changeLanguage('en'));

describe('publishing all that takes longer than the call', () => {
  /** The call is answered with an import, which is asked until it has ended. */
  function mockLongPublish(ended: object) {
    const asked = { times: 0 };
    server.use(
      http.post('*/api/v1/brands/:id/variants/publish-all/', () => HttpResponse.json({ import_id: 7, state: 'running' }, { status: 202 })),
      http.get('*/api/v1/brands/:id/imports/7/', () => {
        asked.times += 1;
        return HttpResponse.json(asked.times === 1 ? { state: 'running' } : ended);
      }),
    );
    return asked;
  }

  const publishAll = async () => {
    await open(manyVariants(2));
    await userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));
  };

  it('says so, and shows the result when it is there', async () => {
    await publishAll();
    const asked = mockLongPublish({ state: 'done', outcome: { changed: 350_000, skipped: [], deletion_id: null } });
    await confirm();
    expect(await screen.findByText('Publishing is still running')).toBeVisible();
    expect(await screen.findByText('All variants published successfully')).toBeVisible();
    expect(screen.getByText('350,000 queued for Google')).toBeVisible();
    expect(screen.queryByText('Publishing is still running')).toBeNull();
    expect(asked.times).toBe(2);
  });

  it('shows why it was refused', async () => {
    await publishAll();
    mockLongPublish({ state: 'failed', outcome: null, failure: { code: 'brand_inactive', message: 'Inactive.' } });
    await confirm();
    expect(await screen.findByText(/This brand is inactive/)).toBeVisible();
  });
});

describe('the channel dialog', () => {
  it('says before anything is published that it waits, where the brand is not connected', async () => {
    mockState('not_connected');
    await open(manyVariants(2));
    await choose(1, 'Publish');
    expect(await within(await channelDialog()).findByText(/Published variants wait/)).toBeVisible();
  });

  it('says before and after it that a variant waits for the connection, in the trial dialog too', async () => {
    mockState('waiting');
    await open(manyVariants(2), { optedIn: false });
    await choose(1, 'Publish');
    await confirm();
    const dialog = await trialDialog();
    expect(await within(dialog).findByText(/Published variants wait: the link/)).toBeVisible();
    await confirm('Start Free Trial');
    expect(await screen.findByText('Wool socks 1 waits until this brand is connected to Google')).toBeVisible();
    expect(screen.queryByText(/queued for Google/)).toBeNull();
  });

  it('says so of all', async () => {
    mockState('not_connected');
    await open(manyVariants(2));
    await userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));
    await confirm();
    expect(await screen.findByText('2 wait until this brand is connected to Google')).toBeVisible();
  });

  // spec: §1 one channel, §2 channel dialog
  it('offers the one channel, chosen, and more of them disabled', async () => {
    await open(manyVariants(2));
    await choose(1, 'Publish');
    const dialog = within(await channelDialog());
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription('Choose where “Wool socks 1” is published.');
    expect(dialog.getByRole('group', { name: 'Channels' })).toBeVisible();
    const [channel, more] = dialog.getAllByRole('radio');
    expect(channel).toHaveAccessibleName('Google');
    expect(channel).toHaveAccessibleDescription('Shopping results in Google Search');
    expect(channel).toBeChecked();
    expect(more).toHaveAccessibleName('More channels');
    expect(more).toHaveAccessibleDescription('Not available yet');
    expect(more).toBeDisabled();
    expect(dialog.getByRole('button', { name: 'Publish' })).toBeEnabled();
  });

  it.each(['Cancel', 'Close'])('publishes nothing on %s, and returns the focus to the menu of the row', async (how) => {
    const { control } = await open(manyVariants(2));
    await choose(2, 'Publish');
    await confirm(how);
    await waitFor(() => expect(menuButton(2)).toHaveFocus());
    expect(published(2)).toBe('Unpublished');
    expect(control.calls).toEqual([]);
  });

  it('is in Spanish, and so are the toasts', async () => {
    await changeLanguage('es');
    await open(manyVariants(1));
    await userEvent.click(screen.getByRole('button', { name: 'Publicar todo en los canales' }));
    const dialog = await screen.findByRole('dialog', { name: 'Publicar en canales de distribución' });
    expect(dialog).toHaveAccessibleDescription('Elige dónde se publican todas las variantes de producto de la marca.');
    expect(within(dialog).getByRole('radio', { name: 'Más canales' })).toBeDisabled();
    await confirm('Publicar');
    await screen.findByText('Todas las variantes se han publicado correctamente');
    expect(published(1)).toBe('Publicada Enviada');
  });
});

describe('with a trial', () => {
  // spec: §4 publish by dialog, §8 published toast
  it('a variant is published by the keyboard alone, and the focus returns to the menu of its row', async () => {
    const { control } = await open(manyVariants(2));
    menuButton(1).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Publish' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await channelDialog();
    await userEvent.keyboard('{Enter}');
    expect(await screen.findByText('Variant published successfully')).toBeVisible();
    await waitFor(() => expect(menuButton(1)).toHaveFocus());
    expect(published(1)).toBe('Published Sent');
    expect(published(2)).toBe('Unpublished');
    expect(control.calls).toEqual([[1, true]]);
    expect(getToasts()).toMatchObject([{ variant: 'success' }]);
  });

  it('a second click on Publish does not publish twice', async () => {
    const { control } = await open(manyVariants(1));
    await choose(1, 'Publish');
    const button = within(await channelDialog()).getByRole('button', { name: 'Publish' });
    act(() => {
      button.click();
      button.click();
    });
    await screen.findByText('Variant published successfully');
    expect(control.calls).toEqual([[1, true]]);
  });

  // spec: §4 unpublish at once, §8 unpublished toast
  it('unpublishing needs no confirmation', async () => {
    const { control } = await open([makeVariant(1, { published: true })]);
    await choose(1, 'Unpublish');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('Variant unpublished successfully')).toBeVisible();
    expect(published(1)).toBe('Unpublished');
    expect(control.calls).toEqual([[1, false]]);
  });

  it.each([
    ['Google has', { state: 'removing', reason: '' }, 'Wool socks 1 is being withdrawn from Google'],
    ['was never sent', null, 'Wool socks 1'],
  ])('unpublishing one that %s says what becomes of it', async (_, channel, description) => {
    const variant = makeVariant(1, { published: true, channel: { state: 'queued', reason: '' } });
    await open([variant]);
    server.use(http.patch('*/api/v1/variants/1/publish/', () => HttpResponse.json({ ...variant, published: false, channel })));
    await choose(1, 'Unpublish');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Variant unpublished successfully', description }]));
  });

  // spec: §4 publish-all, §8 all published toast
  it('all are published after the same dialog', async () => {
    const { control } = await open(manyVariants(3));
    await userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));
    expect(await channelDialog()).toHaveAccessibleDescription('Choose where all product variants of the brand are published.');
    await confirm();
    expect(await screen.findByText('All variants published successfully')).toBeVisible();
    expect([1, 2, 3].map(published)).toEqual(['Published Sent', 'Published Sent', 'Published Sent']);
    expect(control.calls).toEqual(['all']);
  });
});

describe('without a trial', () => {
  // spec: §4 publish after opt-in, §4 publish-all, §9 publish after opt-in
  it.each(['Publish', 'all'])('the trial is started first, then the pending publish runs once: %s', async (what) => {
    const { control, rerender } = await open(manyVariants(2), { optedIn: false });
    if (what === 'all') await userEvent.click(screen.getByRole('button', { name: 'Publish all to channels' }));
    else await choose(1, 'Publish');
    await confirm();
    await trialDialog();
    expect(control.calls).toEqual([]);
    await confirm('Start Free Trial');
    await screen.findByText('Free trial started successfully');
    await waitFor(() => expect(control.calls).toHaveLength(2));
    expect(control.calls).toEqual(['opt in', what === 'all' ? 'all' : [1, true]]);
    const [optedInAt = 0, publishedAt = 0] = control.calledAt;
    expect(PUBLISH_AFTER_OPT_IN_DELAY_MS).toBe(500);
    expect(publishedAt - optedInAt).toBeGreaterThanOrEqual(499);
    await screen.findByText(what === 'all' ? 'All variants published successfully' : 'Variant published successfully');
    expect(published(1)).toBe('Published Sent');
    await changeLanguage('es');
    rerender(<p>Another page</p>);
    await pause(PUBLISH_AFTER_OPT_IN_DELAY_MS + 100);
    expect(control.calls).toHaveLength(2);
  });

  it('a declined trial publishes nothing, and the focus returns to the menu of the row', async () => {
    const { control } = await open(manyVariants(2), { optedIn: false });
    await choose(2, 'Publish');
    await confirm();
    await trialDialog();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(menuButton(2)).toHaveFocus());
    await pause(PUBLISH_AFTER_OPT_IN_DELAY_MS + 100);
    expect(control.calls).toEqual([]);
  });

  it('nothing is published for a member who has left the page in the meantime', async () => {
    const endDelay = holdTimers(PUBLISH_AFTER_OPT_IN_DELAY_MS);
    const { control, router } = await open(manyVariants(2), { optedIn: false });
    await choose(1, 'Publish');
    await confirm();
    await trialDialog();
    await confirm('Start Free Trial');
    await screen.findByText('Free trial started successfully');
    await act(() => router.navigate('/brands'));
    await endDelay();
    await pause(50);
    expect(control.calls).toEqual(['opt in']);
  });

  it('nothing is published for a member who left before the trial had started', async () => {
    const { control, router } = await open(manyVariants(2), { optedIn: false });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post('*/api/v1/brands/1/opt-in-trial/', async () => {
        await held;
        return HttpResponse.json(fjord);
      }),
    );
    await choose(1, 'Publish');
    await confirm();
    await trialDialog();
    await confirm('Start Free Trial');
    await act(() => router.navigate('/brands'));
    answer();
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Free trial started successfully' }]));
    await pause(PUBLISH_AFTER_OPT_IN_DELAY_MS + 100);
    expect(control.calls).toEqual([]);
  });

  it('if only the server knows that the trial is missing, the trial is started and the publish continues', async () => {
    const { control } = await open(manyVariants(2));
    control.serverNeedsTrial = true;
    await choose(1, 'Publish');
    await confirm();
    await trialDialog();
    expect(published(1)).toBe('Unpublished');
    expect(getToasts()).toEqual([]);
    await confirm('Start Free Trial');
    await screen.findByText('Variant published successfully');
    expect(control.calls).toEqual([[1, true], 'opt in', [1, true]]);
  });
});
