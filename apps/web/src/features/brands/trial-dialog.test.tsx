import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { brandKeys } from './brands-queries.ts';
import { refusal, renderAt, tiny } from './test-support/brands.tsx';
import { TrialDialog } from './trial-dialog.tsx';

const server = startMockServer();
const url = '*/api/v1/brands/2/opt-in-trial/';
const onStarted = vi.fn();

function Page() {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open again
      </button>
      <TrialDialog brandId={2} open={open} onOpenChange={setOpen} onStarted={onStarted} />
    </>
  );
}

const confirm = () => screen.getByRole('button', { name: 'Start Free Trial' });

beforeEach(() => {
  onStarted.mockClear();
  clearToasts();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  return changeLanguage('en');
});

const setDay = (day: string) => vi.useFakeTimers({ now: new Date(day), toFake: ['Date'] });

describe('the trial dialog', () => {
  // spec: §1 go-live date, §2 trial dialog
  it.each([
    ['2025-12-31T23:59:59Z', 'What you publish goes live on the channel on January\u00a01,\u00a02026.'],
    [
      '2026-01-01T00:00:00Z',
      'Data has been live on the channel since January\u00a01,\u00a02026: what you publish is sent to it right away.',
    ],
  ])('says on %s what the trial is for and when data goes live, whatever the time zone', (day, text) => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    setDay(day);
    renderAt('/', <Page />);
    expect(screen.getByRole('dialog', { name: 'Start Free Trial' })).toHaveAccessibleDescription(
      `Publishing product variants needs the brand’s free trial. ${text}`,
    );
  });

  it.each([
    ['2025-12-31T23:59:59Z', /What you publish goes live on the channel on January\s1,\s2026\.$/],
    ['2026-01-01T00:00:00Z', /Data has been live on the channel since January\s1,\s2026\.$/],
  ])('says on %s that publishing waits for the connection, where the brand has none', async (day, text) => {
    server.use(http.get('*/api/v1/brands/2/channel/', () => HttpResponse.json({ ...CONNECTED, state: 'not_connected' })));
    setDay(day);
    renderAt('/', <Page />);
    expect(await screen.findByText('Published variants wait: this brand is not connected to Google.')).toBeVisible();
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription(text);
  });

  it.each([
    ['pending', 'This brand is pending review: nothing is published until it is active.'],
    ['inactive', 'Published variants wait: this brand is inactive.'],
  ])('says of a brand that is %s that publishing waits until it is active', async (status, text) => {
    server.use(
      http.get('*/api/v1/brands/2/', () => HttpResponse.json({ ...tiny, status })),
      http.get('*/api/v1/brands/2/channel/', () => HttpResponse.json(CONNECTED)),
    );
    setDay('2026-01-01T00:00:00Z');
    renderAt('/', <Page />);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('dialog')).not.toHaveAccessibleDescription(/right away/);
  });

  it.each([
    ['2025-12-31T23:59:59Z', /estará disponible en el canal el\s1\sde\senero\sde\s2026\.$/],
    ['2026-01-01T00:00:00Z', /desde el\s1\sde\senero\sde\s2026: lo que publiques se le envía enseguida\.$/],
  ])('does so in Spanish too, on %s', async (day, text) => {
    await changeLanguage('es');
    setDay(day);
    renderAt('/', <Page />);
    expect(screen.getByRole('dialog', { name: 'Iniciar prueba gratuita' })).toHaveAccessibleDescription(text);
  });

  // spec: §4 opt-in success, §8 trial started toast
  it('starts the trial with Enter, says so, closes and refreshes the data of brands', async () => {
    server.use(http.post(url, () => HttpResponse.json({ ...tiny, opted_in_for_trial: true })));
    const { queryClient } = renderAt('/', <Page />);
    queryClient.setQueryData(brandKeys.list(), { results: [tiny], member_count: 1 });
    queryClient.setQueryData(brandKeys.detail(2), tiny);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(getToasts()).toMatchObject([{ title: 'Free trial started successfully', variant: 'success' }]);
    expect(onStarted).toHaveBeenCalledOnce();
    expect(queryClient.getQueryData(brandKeys.detail(2))).toMatchObject({ opted_in_for_trial: true });
    expect(queryClient.getQueryState(brandKeys.detail(2))?.isInvalidated).toBe(true);
    expect(queryClient.getQueryState(brandKeys.list())?.isInvalidated).toBe(true);
  });

  // spec: §7 opt-in trial
  it.each([
    ['an empty 200', () => new HttpResponse('')],
    ['a 204', () => new HttpResponse(null, { status: 204 })],
    ['an answer without fields', () => HttpResponse.json({})],
  ])('starts the trial by %s', async (_, answer) => {
    server.use(http.post(url, answer));
    const { queryClient } = renderAt('/', <Page />);
    queryClient.setQueryData(brandKeys.detail(2), tiny);
    await userEvent.click(confirm());
    await waitFor(() => expect(onStarted).toHaveBeenCalledOnce());
    expect(queryClient.getQueryData(brandKeys.detail(2))).toEqual({ ...tiny, opted_in_for_trial: true });
  });

  it('calls the server once for several clicks, is busy meanwhile, and cannot be closed', async () => {
    const calls = vi.fn();
    let answer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post(url, async () => {
        calls();
        await mayAnswer;
        return HttpResponse.json({ ...tiny, opted_in_for_trial: true });
      }),
    );
    renderAt('/', <Page />);
    const button = confirm();
    act(() => {
      button.click();
      button.click();
    });
    const busy = await screen.findByRole('button', { name: 'Starting…' });
    expect(busy).toHaveAttribute('aria-disabled', 'true');
    expect(busy).toHaveFocus();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeVisible();
    answer();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toHaveBeenCalledOnce();
    expect(onStarted).toHaveBeenCalledOnce();
  });

  // spec: §8 trial failed
  it.each([
    ['permission_denied', 'Permission denied'],
    ['internal_error', 'Server error. Please try again later.'],
  ] as const)('shows a failure inside the dialog: %s', async (code, message) => {
    server.use(http.post(url, () => refusal(code)));
    renderAt('/', <Page />);
    await userEvent.click(confirm());
    const alert = await screen.findByRole('alert');
    expect(screen.getByRole('dialog')).toContainElement(alert);
    expect(alert).toHaveTextContent('Failed to start free trial');
    expect(alert).toHaveTextContent(message);
    expect(confirm()).toBeEnabled();
    expect(getToasts()).toEqual([]);
    expect(onStarted).not.toHaveBeenCalled();
  });

  // spec: §8 trial failed
  it.each([
    ['its error', { error: 'Not for this brand', detail: 'no' }, 'Not for this brand'],
    ['its detail if there is no error', { detail: 'The trial is over' }, 'The trial is over'],
    ['the text for its status otherwise', {}, 'Permission denied'],
  ])('shows the message of another server: %s', async (_what, body, message) => {
    server.use(http.post(url, () => HttpResponse.json(body, { status: 403 })));
    renderAt('/', <Page />);
    await userEvent.click(confirm());
    expect(await screen.findByRole('alert')).toHaveTextContent(`Failed to start free trial${message}`);
  });

  it('can be retried after a failure, and does not show it when opened again', async () => {
    server.use(http.post(url, () => HttpResponse.error()));
    renderAt('/', <Page />);
    await userEvent.click(confirm());
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error. Please check your connection.');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Open again' }));
    expect(screen.getByRole('dialog')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    server.use(http.post(url, () => HttpResponse.json({ ...tiny, opted_in_for_trial: true })));
    await userEvent.click(confirm());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(onStarted).toHaveBeenCalledOnce();
  });
});
