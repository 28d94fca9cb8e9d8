import type { ChannelConnection, ChannelFeed } from '@brand-portal/contract/channel';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { CONNECTED, NO_FEED, startMockServer } from '../../test/mock-server.ts';
import { writeRuntimeConfig } from '../../test/runtime-config-block.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { noticesQuery } from '../account/account-queries.ts';
import { fjord, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { SettingsPage } from './settings-page.tsx';

const server = startMockServer();
const connectionUrl = '*/api/v1/brands/1/channel/';
const feedUrl = '*/api/v1/brands/1/channel/feed/';
const NONE: ChannelConnection = {
  state: 'not_connected',
  kind: null,
  account: null,
  client_id: null,
  countries: [],
  language: null,
  registered_name: null,
  refusal: '',
};
const FEED: ChannelFeed = { ...NO_FEED, state: 'active', created_at: '2026-11-01T10:00:00Z' };

/** As an editor, by default. */
function open(
  connection: ChannelConnection = CONNECTED,
  feed: ChannelFeed = NO_FEED,
  { role = 'editor', path = '/brands/1/settings' } = {},
  ...handlers: HttpHandler[]
) {
  server.use(
    ...handlers,
    http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role })),
    http.get(connectionUrl, () => HttpResponse.json(connection)),
    http.get(feedUrl, () => HttpResponse.json(feed)),
  );
  return renderAt(
    path,
    <main tabIndex={-1}>
      <Routes>
        <Route path="/brands/:id/settings" element={<SettingsPage />} />
      </Routes>
    </main>,
  );
}

const connection = () => screen.getByRole('region', { name: /^(Google connection|Conexión con Google)$/ });
const feed = () => screen.getByRole('region', { name: 'Supplemental feed' });
const button = (name: string) => within(feed()).findByRole('button', { name });

beforeEach(() => writeRuntimeConfig({ support_email: 'help@portal.example' }));
afterEach(() => {
  clearToasts();
  return changeLanguage('en');
});

describe('the limits', () => {
  const QUOTAS = [
    { name: 'variants', used: 1_234_567, limit: 2_000_000 },
    { name: 'staged_bytes', used: 1_572_864, limit: 1_073_741_824 },
  ];
  const limits = (name = 'Limits') => screen.findByRole('region', { name });

  it('show what the brand has and may have', async () => {
    open(
      CONNECTED,
      NO_FEED,
      {},
      http.get('*/api/v1/brands/1/quotas/', () => HttpResponse.json({ results: QUOTAS })),
    );
    const region = within(await limits());
    expect(await region.findByText('1,234,567 of 2,000,000')).toBeVisible();
    expect(region.getByText('1.5 MB of 1,024 MB')).toBeVisible();
    expect(region.getByRole('progressbar', { name: 'Product variants' })).toHaveAttribute('aria-valuetext', '1,234,567 of 2,000,000');
    expect(region.getByRole('link', { name: 'Ask for more' })).toHaveAttribute('href', expect.stringContaining('help@portal.example'));
  });

  it('are in the member’s language', async () => {
    await changeLanguage('es');
    open(
      CONNECTED,
      NO_FEED,
      {},
      http.get('*/api/v1/brands/1/quotas/', () => HttpResponse.json({ results: QUOTAS })),
    );
    expect(await within(await limits('Límites')).findByText('1.234.567 de 2.000.000')).toBeVisible();
  });

  it('can be loaded again if that failed', async () => {
    open(
      CONNECTED,
      NO_FEED,
      {},
      http.get('*/api/v1/brands/1/quotas/', () => refusal('internal_error'), { once: true }),
    );
    const region = within(await limits());
    expect(await region.findByRole('alert')).toHaveTextContent('The limits could not be loaded');
    await userEvent.click(region.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(region.queryByRole('alert')).toBeNull());
  });
});

describe('the connection', () => {
  it('shows where products are sent, with countries and language by name', async () => {
    open();
    expect(await within(connection()).findByText('Connected')).toBeVisible();
    const details = within(connection()).getAllByRole('definition');
    expect(details.map(({ textContent }) => textContent)).toEqual([
      'Through this portal’s account, as a data partner',
      '4711',
      'Germany and Austria',
      'German',
      'Fjord & Forest',
    ]);
    expect(within(connection()).queryByRole('link')).toBeNull();
  });

  it('is in the member’s language', async () => {
    await changeLanguage('es');
    open({ ...CONNECTED, kind: 'own', account: '123', client_id: null });
    expect(await within(connection()).findByText('Alemania y Austria')).toBeVisible();
    expect(within(connection()).getByText('Alemán')).toBeVisible();
    expect(within(connection()).getByText('123')).toBeVisible();
  });

  it.each([
    [NONE, 'Not connected', 'Ask whoever runs this portal to connect the brand.'],
    [{ ...CONNECTED, state: 'waiting', client_id: null }, 'Waiting for the link', /Then ask whoever runs this portal/],
    [{ ...CONNECTED, state: 'refused', refusal: 'No <b>permission</b>.' }, 'Refused', 'No <b>permission</b>.'],
  ] as const)('with a problem shows it and what to do next: %#', async (answer, word, text) => {
    open(answer as ChannelConnection);
    expect(await within(connection()).findByText(word)).toBeVisible();
    expect(within(connection()).getByText(text)).toBeVisible();
    const link = within(connection()).getByRole('link', { name: 'Write to support' });
    expect(link).toHaveAttribute('href', expect.stringContaining('mailto:help@portal.example'));
  });

  it('can be loaded again after an error', async () => {
    open(
      CONNECTED,
      NO_FEED,
      {},
      http.get(connectionUrl, () => refusal('internal_error'), { once: true }),
    );
    expect(await within(connection()).findByRole('alert')).toHaveTextContent('The connection could not be loaded');
    await userEvent.click(within(connection()).getByRole('button', { name: 'Try again' }));
    expect(await within(connection()).findByText('Connected')).toBeVisible();
  });
});

describe('the feed', () => {
  const address = 'https://portal.example/feeds/secret';
  /** Mocks the creation of a feed. */
  const answerCreation = () =>
    server.use(
      http.post(feedUrl, () => {
        server.use(http.get(feedUrl, () => HttpResponse.json(FEED)));
        return HttpResponse.json({ tsv_url: `${address}.tsv`, xml_url: `${address}.xml` }, { status: 201 });
      }),
    );

  it('is created, shown once and copied', async () => {
    const user = userEvent.setup();
    open();
    answerCreation();
    await user.click(await button('Create feed address'));
    expect(await within(feed()).findByRole('textbox', { name: 'Address (TSV)' })).toHaveValue(`${address}.tsv`);
    expect(within(feed()).getByRole('textbox', { name: 'Address (XML)' })).toHaveValue(`${address}.xml`);
    expect(within(feed()).getByRole('status')).toHaveTextContent('shown only this once');
    await user.click(await button('Copy: Address (XML)'));
    expect(await navigator.clipboard.readText()).toBe(`${address}.xml`);
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Address copied' }]));
    expect(within(feed()).getByText(/^Created on Nov 1, 2026.*Not fetched yet\.$/)).toBeVisible();
  });

  it('is renewed after a confirmation', async () => {
    open(CONNECTED, FEED);
    answerCreation();
    await userEvent.click(await button('Renew address'));
    const dialog = screen.getByRole('dialog', { name: 'Renew the feed’s address?' });
    expect(dialog).toHaveTextContent('The present one stops working at once');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Renew' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await within(feed()).findByRole('textbox', { name: 'Address (TSV)' })).toHaveValue(`${address}.tsv`);
  });

  it('has the state of the server after an answer that was lost', async () => {
    open(CONNECTED, FEED);
    server.use(
      http.delete(feedUrl, () => {
        server.use(http.get(feedUrl, () => HttpResponse.json({ ...FEED, state: 'revoked' })));
        return HttpResponse.error();
      }),
    );
    await userEvent.click(await button('Revoke'));
    const dialog = screen.getByRole('dialog', { name: 'Revoke the feed?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Network error');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    answerCreation();
    await userEvent.click(await button('Create feed address'));
    expect(await button('Renew address')).toBeVisible();
  });

  it('is revoked after a confirmation, and its address is no longer shown', async () => {
    open();
    answerCreation();
    await userEvent.click(await button('Create feed address'));
    await userEvent.click(await button('Revoke'));
    server.use(
      http.delete(feedUrl, () => {
        const revoked = { ...FEED, state: 'revoked', revoked_at: '2026-11-02T10:00:00Z' };
        server.use(http.get(feedUrl, () => HttpResponse.json(revoked)));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const dialog = screen.getByRole('dialog', { name: 'Revoke the feed?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
    expect(await within(feed()).findByText(/Revoked on Nov 2, 2026/)).toBeVisible();
    expect(within(feed()).queryByRole('textbox')).toBeNull();
    expect(await button('Create feed address')).toBeVisible();
    expect(getToasts()).toMatchObject([{ title: 'Feed revoked' }]);
  });

  it('advises renewing the address if whoever created it has left', async () => {
    open(CONNECTED, { ...FEED, maker_left: true });
    expect(await within(feed()).findByText(/^Whoever created this address is no longer a member/)).toBeVisible();
  });

  it.each([
    ['Create feed address', NO_FEED],
    ['Renew address', FEED],
    ['Revoke', FEED],
  ])('is for admins: to an editor “%s” says so', async (name, state) => {
    open(CONNECTED, state, { role: 'editor' });
    const denied = await button(name);
    await userEvent.hover(denied);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(
      'Your role in this brand is Editor; this takes at least the role Admin. Ask Olivia Lindqvist.',
    );
    expect(denied).toBeEnabled();
  });

  it('cannot be created without permission, and says so', async () => {
    open();
    server.use(http.post(feedUrl, () => refusal('permission_denied')));
    await userEvent.click(await button('Create feed address'));
    expect(await within(feed()).findByRole('alert')).toHaveTextContent(/permission/i);
  });
});

describe('the mails', () => {
  const notificationsUrl = '*/api/v1/brands/1/notifications/';
  const mails = () => screen.findByRole('region', { name: 'Your emails' });
  const box = () => screen.findByRole('checkbox', { name: 'Emails about this brand’s certificates' });
  function openAs(role: string, path?: string) {
    server.use(http.get(notificationsUrl, () => HttpResponse.json({ certificate_mails: true })));
    return open(CONNECTED, FEED, { role, ...(path && { path }) });
  }

  it('are turned off by an admin, at once and on the server', async () => {
    const { queryClient } = openAs('admin');
    queryClient.setQueryData(noticesQuery().queryKey, { results: [] });
    const bodies: unknown[] = [];
    server.use(
      http.patch(notificationsUrl, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ certificate_mails: false });
      }),
    );
    expect(await box()).toBeChecked();
    await userEvent.click(await box());
    expect(await box()).not.toBeChecked();
    await waitFor(() => expect(bodies).toEqual([{ certificate_mails: false }]));
    expect(await box()).not.toBeChecked();
    // The account's page shows the same value.
    await waitFor(() => expect(queryClient.getQueryState(noticesQuery().queryKey)?.isInvalidated).toBe(true));
  });

  it('have the last state that was chosen, if they are turned off and on again quickly', async () => {
    openAs('admin');
    const bodies: { certificate_mails: boolean }[] = [];
    const { promise: isAnswered, resolve: answerFirst } = Promise.withResolvers<void>();
    server.use(
      http.patch(notificationsUrl, async ({ request }) => {
        const body = (await request.json()) as { certificate_mails: boolean };
        bodies.push(body);
        if (bodies.length === 1) await isAnswered;
        return HttpResponse.json(body);
      }),
    );
    await userEvent.click(await box());
    await waitFor(() => expect(bodies).toHaveLength(1));
    await userEvent.click(await box());
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The second call waits for the first, so the server cannot handle them in the other order.
    expect(bodies).toEqual([{ certificate_mails: false }]);
    answerFirst();
    await waitFor(() => expect(bodies).toEqual([{ certificate_mails: false }, { certificate_mails: true }]));
    expect(await box()).toBeChecked();
  });

  it('have the state of the server after an answer that was lost', async () => {
    openAs('owner');
    server.use(
      http.patch(notificationsUrl, () => {
        server.use(http.get(notificationsUrl, () => HttpResponse.json({ certificate_mails: false })));
        return HttpResponse.error();
      }),
    );
    await userEvent.click(await box());
    expect(await within(await mails()).findByRole('alert')).toHaveTextContent('Network error');
    await waitFor(async () => expect(await box()).not.toBeChecked());
  });

  it('stay unchanged if the server refuses, with the reason', async () => {
    openAs('owner');
    server.use(http.patch(notificationsUrl, () => refusal('database_unavailable')));
    await userEvent.click(await box());
    expect(await within(await mails()).findByRole('alert')).toBeVisible();
    expect(await box()).toBeChecked();
  });

  it('have the focus when opened by the link of a mail', async () => {
    openAs('owner', '/brands/1/settings#mails');
    await waitFor(async () => expect(await box()).toHaveFocus());
  });

  it('are not shown to an editor, who gets none', async () => {
    openAs('editor');
    expect(await within(connection()).findByText('Connected')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Your emails' })).toBeNull();
  });

  it('can be loaded again after an error, in Spanish too', async () => {
    await changeLanguage('es');
    openAs('owner');
    server.use(http.get(notificationsUrl, () => refusal('internal_error'), { once: true }));
    const section = await screen.findByRole('region', { name: 'Tus correos' });
    expect(await within(section).findByRole('alert')).toHaveTextContent('No se han podido cargar tus correos');
    await userEvent.click(within(section).getByRole('button', { name: 'Intentar de nuevo' }));
    expect(await within(section).findByRole('checkbox')).toBeChecked();
  });
});
