import type { ApiKey } from '@brand-portal/contract/api-keys';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, type HttpHandler, HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppRouter } from '../../app/app-router.tsx';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, goBack, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { ApiKeysPage } from './api-keys-page.tsx';

const server = startMockServer();
const keysUrl = '*/api/v1/brands/1/api-keys/';
const NIGHTLY: ApiKey = {
  id: 7,
  name: 'Nightly upload',
  role: 'editor',
  prefix: 'bp_ab12cd34',
  state: 'active',
  created_by: 'Ada Byron',
  creator_id: 2,
  maker_left: false,
  created_at: '2026-11-01T10:00:00Z',
  expires_at: '2027-01-30T10:00:00Z',
  last_used_at: null,
  revoked_at: null,
};
const SECRET = `bp_ab12cd34${'x'.repeat(35)}`;

function open(keys: readonly ApiKey[] = [NIGHTLY], role = 'admin', ...handlers: HttpHandler[]) {
  let shown = keys;
  server.use(
    ...handlers,
    http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role })),
    http.get(keysUrl, () => HttpResponse.json({ results: shown })),
  );
  renderAt(
    '/brands/1/api-keys',
    <main tabIndex={-1}>
      <Routes>
        <Route path="/brands/:id/api-keys" element={<ApiKeysPage />} />
      </Routes>
    </main>,
  );
  return (next: readonly ApiKey[]) => {
    shown = next;
  };
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const button = (name: string) => screen.findByRole('button', { name });

/** Opens the list from the brands, in the router of the app. */
async function visit() {
  window.history.replaceState(null, '', '/brands');
  server.use(
    http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role: 'admin' })),
    http.get(keysUrl, () => HttpResponse.json({ results: [NIGHTLY] })),
  );
  renderAt(
    '',
    <Routes>
      <Route path="/brands" element={<Link to="/brands/1/api-keys">To the keys</Link>} />
      <Route path="/brands/:id/api-keys" element={<ApiKeysPage />} />
    </Routes>,
    AppRouter,
  );
  await userEvent.click(screen.getByRole('link', { name: 'To the keys' }));
}
const address = () => screen.getByLabelText('address').textContent;
/** Whether the browser would ask before the page is reloaded. */
const asksBeforeReload = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }));

afterEach(() => {
  vi.unstubAllEnvs();
  clearToasts();
  return changeLanguage('en');
});

describe('the list', () => {
  it('shows each key with its role, creator and last use', async () => {
    const used = { ...NIGHTLY, id: 8, name: 'Price check', last_used_at: '2026-11-10T10:00:00Z', expires_at: null };
    open([NIGHTLY, { ...used, state: 'revoked', role: 'viewer' }]);
    expect(await row('Nightly upload')).toHaveTextContent(/bp_ab12cd34….*Editor.*Ada Byron.*Never.*Jan 30, 2027.*Active/);
    expect(await row('Price check')).toHaveTextContent(/Viewer.*Nov 10, 2026.*Never.*Revoked/);
    expect(within(await row('Price check')).queryByRole('button')).toBeNull();
  });

  it('shows the days of the user’s time zone', async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    open([{ ...NIGHTLY, created_at: '2026-11-01T03:00:00Z', expires_at: '2027-01-30T03:00:00Z' }]);
    expect(await row('Nightly upload')).toHaveTextContent(/Oct 31, 2026.*Jan 29, 2027/);
  });

  it('warns of a valid key whose creator has left', async () => {
    open([
      { ...NIGHTLY, maker_left: true },
      { ...NIGHTLY, id: 8, name: 'Old', maker_left: true, state: 'expired' },
    ]);
    expect(await row('Nightly upload')).toHaveTextContent('No longer a member. If they may know the key, replace it.');
    expect(await row('Old')).not.toHaveTextContent('No longer a member');
  });

  it('shows a hostile name as it is written', async () => {
    open([{ ...NIGHTLY, name: '<img src=x onerror=alert(1)>' }]);
    expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeVisible();
  });

  it('says that there is none yet, in Spanish too', async () => {
    await changeLanguage('es');
    open([]);
    expect(await screen.findByRole('heading', { name: 'Aún no hay claves de API' })).toBeVisible();
  });

  it('can be loaded again after an error', async () => {
    open(
      [NIGHTLY],
      'admin',
      http.get(keysUrl, () => refusal('internal_error'), { once: true }),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('The API keys could not be loaded');
    await userEvent.click(await button('Try again'));
    expect(await row('Nightly upload')).toBeVisible();
  });
});

describe('a new key', () => {
  it('says before it is filled in which role it takes', async () => {
    open([], 'editor');
    await userEvent.click(await button('Create key'));
    const dialog = await screen.findByRole('dialog', { name: 'Create an API key' });
    expect(await within(dialog).findByText(/this takes at least the role Admin/)).toBeVisible();
  });

  it('is created with name, role and expiry, shown once, copied, and then listed', async () => {
    const user = userEvent.setup();
    const show = open([]);
    const bodies: unknown[] = [];
    server.use(
      http.post(keysUrl, async ({ request }) => {
        bodies.push(await request.json());
        await delay(20);
        show([NIGHTLY]);
        return HttpResponse.json({ ...NIGHTLY, key: SECRET }, { status: 201 });
      }),
    );
    await user.click(await button('Create key'));
    const dialog = await screen.findByRole('dialog', { name: 'Create an API key' });
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(within(dialog).getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription('Enter a name');
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), ' Nightly upload ');
    await user.click(within(dialog).getByRole('combobox', { name: 'Role' }));
    await user.click(screen.getByRole('option', { name: 'Viewer' }));
    expect(within(dialog).getByRole('combobox', { name: 'Role' })).toHaveAccessibleDescription(/^Reads lists/);
    await user.click(within(dialog).getByRole('combobox', { name: 'Expires' }));
    await user.click(screen.getByRole('option', { name: 'Never' }));
    await user.dblClick(within(dialog).getByRole('button', { name: 'Create' }));
    const made = await screen.findByRole('dialog', { name: 'Your new key' });
    expect(bodies).toEqual([{ name: 'Nightly upload', role: 'viewer', expires_in_days: null }]);
    expect(within(made).getByRole('textbox', { name: 'Key' })).toHaveValue(SECRET);
    await user.click(within(made).getByRole('button', { name: 'Copy the key' }));
    expect(await navigator.clipboard.readText()).toBe(SECRET);
    await user.click(within(made).getByRole('button', { name: 'Done' }));
    expect(await row('Nightly upload')).toBeVisible();
    // The secret is no longer in the page; the next key is a new one.
    expect(document.body.innerHTML).not.toContain(SECRET);
    await user.click(await button('Create key'));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('');
  });

  it('of an admin always expires', async () => {
    open([]);
    await userEvent.click(await button('Create key'));
    await userEvent.click(await screen.findByRole('combobox', { name: 'Expires' }));
    await userEvent.click(screen.getByRole('option', { name: 'Never' }));
    await userEvent.click(screen.getByRole('combobox', { name: 'Role' }));
    await userEvent.click(screen.getByRole('option', { name: 'Admin' }));
    const expiry = screen.getByRole('combobox', { name: 'Expires' });
    expect(expiry).toHaveTextContent('In a year');
    expect(expiry).toHaveAccessibleDescription('Admin keys always expire.');
    await userEvent.click(expiry);
    expect(screen.queryByRole('option', { name: 'Never' })).toBeNull();
  });

  it.each(['Done', 'Close'])('is shown until “%s”: Escape and a click outside do not lose it', async (name) => {
    const user = userEvent.setup();
    open();
    server.use(http.post(keysUrl, () => HttpResponse.json({ ...NIGHTLY, key: SECRET }, { status: 201 })));
    await user.click(await button('Create key'));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Nightly upload{Enter}');
    const made = await screen.findByRole('dialog', { name: 'Your new key' });
    await user.keyboard('{Escape}');
    await user.click(document.documentElement);
    expect(within(made).getByRole('textbox', { name: 'Key' })).toHaveValue(SECRET);
    await user.click(within(made).getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('is not lost by Back or a reload without a question', async () => {
    await visit();
    server.use(http.post(keysUrl, () => HttpResponse.json({ ...NIGHTLY, key: SECRET }, { status: 201 })));
    await userEvent.click(await button('Create key'));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Nightly upload{Enter}');
    await screen.findByRole('dialog', { name: 'Your new key' });
    expect(asksBeforeReload()).toBe(true);
    await goBack();
    const question = await screen.findByRole('dialog', { name: 'Leave this page?' });
    expect(question).toHaveAccessibleDescription('What is shown here cannot be shown again.');
    await userEvent.click(within(question).getByRole('button', { name: 'Stay' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Leave this page?' })).toBeNull());
    expect(await screen.findByRole('textbox', { name: 'Key' })).toHaveValue(SECRET);
    await goBack();
    await userEvent.click(await button('Leave'));
    await waitFor(() => expect(address()).toBe('/brands'));
  });

  it('that is copied and closed does not stop the user from leaving', async () => {
    await visit();
    server.use(http.post(keysUrl, () => HttpResponse.json({ ...NIGHTLY, key: SECRET }, { status: 201 })));
    await userEvent.click(await button('Create key'));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Nightly upload{Enter}');
    await userEvent.click(await button('Done'));
    expect(asksBeforeReload()).toBe(false);
    await goBack();
    await waitFor(() => expect(address()).toBe('/brands'));
  });

  it('asks before Escape loses its typed name', async () => {
    open();
    await userEvent.click(await button('Create key'));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Nightly{Escape}');
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await userEvent.click(await button('Keep editing'));
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Nightly');
  });

  it('that is refused shows the reason and keeps the typed text', async () => {
    open();
    server.use(http.post(keysUrl, () => refusal('too_many_keys')));
    await userEvent.click(await button('Create key'));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'One more{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Revoke one first');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('One more');
  });

  it.each(['Create key', 'Revoke Nightly upload'])('is for admins: to an editor “%s” says so', async (name) => {
    open([NIGHTLY], 'editor');
    await row('Nightly upload');
    const denied = await button(name);
    await userEvent.hover(denied);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('this takes at least the role Admin');
    expect(denied).toBeEnabled();
  });
});

it('a key is revoked after a confirmation', async () => {
  const show = open();
  await userEvent.click(await button('Revoke Nightly upload'));
  const dialog = screen.getByRole('dialog', { name: 'Revoke Nightly upload?' });
  server.use(http.delete(`${keysUrl}7/`, () => refusal('database_unavailable'), { once: true }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  expect(await within(dialog).findByRole('alert')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Revoke' })).toHaveFocus();
  server.use(
    http.delete(`${keysUrl}7/`, () => {
      show([{ ...NIGHTLY, state: 'revoked' }]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await row('Nightly upload')).toHaveTextContent('Revoked');
  expect(getToasts()).toMatchObject([{ title: 'Key revoked' }]);
});

it('Back does not hide the error of a key that is being revoked', async () => {
  await visit();
  const { promise: left, resolve: answer } = Promise.withResolvers<void>();
  server.use(
    http.delete(`${keysUrl}7/`, async () => {
      await left;
      return refusal('database_unavailable');
    }),
  );
  await userEvent.click(await button('Revoke Nightly upload'));
  await userEvent.click(await button('Revoke'));
  expect(asksBeforeReload()).toBe(true);
  await goBack();
  await waitFor(() => expect(window.location.pathname).toBe('/brands/1/api-keys'));
  answer();
  expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeVisible();
  expect(asksBeforeReload()).toBe(false);
  await userEvent.click(await button('Cancel'));
  await goBack();
  await waitFor(() => expect(address()).toBe('/brands'));
});
