import type { Account, Session } from '@brand-portal/contract/account';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { useAuthStore } from '../auth/auth-store.ts';
import { refusal, renderAt } from '../brands/test-support/brands.tsx';
import { AccountPage } from './account-page.tsx';

const server = startMockServer();
const ME = '*/api/v1/users/me/';
const OLIVIA: Account = {
  id: 1,
  first_name: 'Olivia',
  last_name: 'Lindqvist',
  email: 'olivia@demo.example',
  language: 'en',
  password_change: 'page',
};
const HERE: Session = {
  id: 1,
  device: { browser: 'Chrome', system: 'Windows' },
  address: '192.0.2.7',
  is_current: true,
  created_at: '2026-11-01T10:00:00Z',
  last_used_at: '2026-11-10T10:00:00Z',
};
const PHONE: Session = { ...HERE, id: 2, device: { browser: 'Safari', system: 'iPhone' }, is_current: false };
const signOut = vi.fn(async () => undefined);

function open(account: Partial<Account> = {}, sessions: readonly Session[] = [HERE, PHONE], ...handlers: HttpHandler[]) {
  let shown = sessions;
  server.use(
    ...handlers,
    http.get(`${ME}account/`, () => HttpResponse.json({ ...OLIVIA, ...account })),
    http.get(`${ME}sessions/`, () => HttpResponse.json({ results: shown })),
    http.get(`${ME}notifications/`, () =>
      HttpResponse.json({ results: [{ brand_id: 5, brand_name: 'Fjord & Forest', certificate_mails: true }] }),
    ),
  );
  renderAt(
    '/account',
    <main tabIndex={-1}>
      <Routes>
        <Route
          path="/account"
          element={<AccountPage findPasswordPage={() => 'https://portal.example/idp/change-password'} signOut={signOut} />}
        />
        <Route path="*" element={null} />
      </Routes>
      <Link to="/brands">Brands</Link>
      <Link to="/account">Account</Link>
    </main>,
  );
  return (next: readonly Session[]) => {
    shown = next;
  };
}

const region = (name: string) => screen.getByRole('region', { name });
const button = (name: string | RegExp) => screen.findByRole('button', { name });

beforeEach(() => {
  const { id, first_name, last_name, email } = OLIVIA;
  useAuthStore.setState({ user: { id, first_name, last_name, email }, isAuthenticated: true });
});
afterEach(() => {
  clearToasts();
  signOut.mockClear();
  return changeLanguage('en');
});

it('a typed name asks before a reload until it is saved', async () => {
  const asks = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }));
  open();
  server.use(http.patch(`${ME}account/`, () => HttpResponse.json({ ...OLIVIA, first_name: 'Liv' })));
  const field = await screen.findByRole('textbox', { name: 'First name' });
  expect(asks()).toBe(false);
  await userEvent.clear(field);
  await userEvent.type(field, 'Liv ');
  expect(asks()).toBe(true);
  await userEvent.click(await button('Save'));
  await waitFor(() => expect(getToasts()).toHaveLength(1));
  expect(asks()).toBe(false);
});

it('the name is saved, and the shell shows it', async () => {
  const user = userEvent.setup();
  open();
  server.use(
    http.patch(`${ME}account/`, async ({ request }) => {
      const body = (await request.json()) as object;
      expect(body).toEqual({ first_name: 'Liv', last_name: 'Lindqvist' });
      return HttpResponse.json({ ...OLIVIA, ...body });
    }),
  );
  const first = await screen.findByRole('textbox', { name: 'First name' });
  await user.clear(first);
  await user.type(first, 'Liv{Enter}');
  await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Name saved' }]));
  expect(useAuthStore.getState().user).toMatchObject({ first_name: 'Liv', last_name: 'Lindqvist' });
});

it('text that is typed while the name is being saved is kept', async () => {
  const user = userEvent.setup();
  open();
  const { promise: typed, resolve: answer } = Promise.withResolvers<void>();
  server.use(
    http.patch(`${ME}account/`, async () => {
      await typed;
      return HttpResponse.json({ ...OLIVIA, first_name: 'Liv' });
    }),
  );
  const first = await screen.findByRole('textbox', { name: 'First name' });
  await user.clear(first);
  await user.type(first, 'Liv {Enter}');
  const last = screen.getByRole('textbox', { name: 'Last name' });
  await user.type(last, ' Berg');
  answer();
  await waitFor(() => expect(getToasts()).toHaveLength(1));
  expect(first).toHaveValue('Liv');
  expect(last).toHaveValue('Lindqvist Berg');
});

it('the language changes at once, and is sent to the server for mails', async () => {
  const user = userEvent.setup();
  open();
  const bodies: unknown[] = [];
  server.use(
    http.patch(`${ME}account/`, async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ ...OLIVIA, language: 'es' });
    }),
  );
  await user.click(await screen.findByRole('combobox', { name: 'Language' }));
  await user.click(screen.getByRole('option', { name: 'Español' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Tu cuenta' })).toBeVisible();
  await waitFor(() => expect(bodies).toEqual([{ language: 'es' }]));
});

it('of two languages chosen before the server answers, the last one is stored last', async () => {
  const user = userEvent.setup();
  open();
  const bodies: unknown[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  server.use(
    http.patch(`${ME}account/`, async ({ request }) => {
      bodies.push(await request.json());
      await answered;
      return HttpResponse.json(OLIVIA);
    }),
  );
  await user.click(await screen.findByRole('combobox', { name: 'Language' }));
  await user.click(screen.getByRole('option', { name: 'Español' }));
  await waitFor(() => expect(bodies).toEqual([{ language: 'es' }]));
  await user.click(await screen.findByRole('combobox', { name: 'Idioma' }));
  await user.click(screen.getByRole('option', { name: 'English' }));
  await screen.findByRole('combobox', { name: 'Language' });
  expect(bodies).toHaveLength(1);
  answer();
  await waitFor(() => expect(bodies).toEqual([{ language: 'es' }, { language: 'en' }]));
});

it('the colours change at once', async () => {
  open();
  const before = document.documentElement.dataset.theme;
  const box = await screen.findByRole('combobox', { name: 'Colors' });
  await userEvent.click(box);
  await userEvent.click(screen.getByRole('option', { name: before === 'dark' ? 'Light' : 'Dark' }));
  expect(document.documentElement.dataset.theme).toBe(before === 'dark' ? 'light' : 'dark');
});

it('mails are turned off per brand, and a refusal shows its reason', async () => {
  open();
  const box = await screen.findByRole('checkbox', { name: 'Fjord & Forest' });
  server.use(http.patch('*/api/v1/brands/5/notifications/', () => refusal('database_unavailable')));
  await userEvent.click(box);
  expect(await within(region('Email notices')).findByRole('alert')).toBeVisible();
  expect(box).toBeChecked();
});

it('mails have the state of the server after an answer that was lost', async () => {
  open();
  const box = await screen.findByRole('checkbox', { name: 'Fjord & Forest' });
  const off = { brand_id: 5, brand_name: 'Fjord & Forest', certificate_mails: false };
  server.use(
    http.patch('*/api/v1/brands/5/notifications/', () => {
      server.use(http.get(`${ME}notifications/`, () => HttpResponse.json({ results: [off] })));
      return HttpResponse.error();
    }),
  );
  await userEvent.click(box);
  expect(await within(region('Email notices')).findByRole('alert')).toHaveTextContent('Network error');
  await waitFor(() => expect(box).not.toBeChecked());
});

describe('the password', () => {
  it('is changed on the page of the embedded provider', async () => {
    open();
    const link = await screen.findByRole('link', { name: 'Change password' });
    expect(link).toHaveAttribute('href', 'https://portal.example/idp/change-password');
    expect(region('Password')).toHaveTextContent('A second factor is set up with your sign-in provider');
  });

  it('is changed by a mail where the provider sends one', async () => {
    open({ password_change: 'mail' });
    server.use(http.post(`${ME}password-mail/`, () => new HttpResponse(null, { status: 204 })));
    await userEvent.click(await button('Send the link'));
    expect(await within(region('Password')).findByRole('status')).toHaveTextContent('on its way to olivia@demo.example');
  });

  it('has to be changed at the provider if nothing is offered here', async () => {
    open({ password_change: 'none' });
    expect(await screen.findByText(/change it there/)).toBeVisible();
    expect(within(region('Password')).queryByRole('button')).toBeNull();
  });
});

describe('the sessions', () => {
  it('are shown by device, and one of them is ended', async () => {
    const show = open();
    const list = await screen.findByRole('list', { name: 'Sessions' });
    const [here, phone] = within(list).getAllByRole('listitem');
    expect(here).toHaveTextContent(/Chrome on Windows.*This device.*from 192\.0\.2\.7/);
    expect(within(here as HTMLElement).queryByRole('button')).toBeNull();
    expect(phone).toHaveTextContent('Safari on iPhone');
    server.use(
      http.delete(`${ME}sessions/2/`, () => {
        show([HERE]);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await userEvent.click(await button(/^Sign out Safari on iPhone/));
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1));
    expect(getToasts()).toMatchObject([{ title: 'Signed out there' }]);
    // Its button is gone; the focus has moved to the list.
    expect(list).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull();
  });

  it('are all ended except this one, and an unknown device is shown as such', async () => {
    const show = open({}, [HERE, { ...PHONE, device: { browser: null, system: null }, address: '' }]);
    expect(await screen.findByText('Unknown device')).toBeVisible();
    server.use(
      http.post(`${ME}sessions/end-others/`, () => {
        show([HERE]);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await userEvent.click(await button('Sign out all others'));
    await waitFor(() => expect(screen.queryByText('Unknown device')).toBeNull());
  });

  it('that cannot be ended stay, with the reason', async () => {
    open();
    server.use(http.delete(`${ME}sessions/2/`, () => refusal('database_unavailable')));
    await userEvent.click(await button(/^Sign out Safari on iPhone/));
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'It could not be signed out' }]));
  });
});

describe('deleting the account', () => {
  const address = () => screen.getByRole('textbox', { name: 'Type olivia@demo.example to confirm' });

  it('says what is kept, needs the typed address, and signs out', async () => {
    const user = userEvent.setup();
    open();
    const deleted: unknown[] = [];
    server.use(
      http.post(`${ME}delete/`, async ({ request }) => {
        deleted.push(await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await user.click(await button('Delete account'));
    expect(screen.getByText(/What you did stays in the history of the brands, under a number/)).toBeInTheDocument();
    await user.type(address(), 'olivia{Enter}');
    expect(address()).toHaveAccessibleDescription('This is not your address');
    expect(deleted).toEqual([]);
    await user.clear(address());
    await user.type(address(), 'Olivia@demo.example{Enter}');
    await waitFor(() => expect(signOut).toHaveBeenCalledOnce());
    expect(deleted).toEqual([{ email: 'Olivia@demo.example' }]);
  });

  it('is refused with the brands that would be left without an owner', async () => {
    open();
    server.use(
      http.post(`${ME}delete/`, () =>
        HttpResponse.json(
          { code: 'account_owns_brands', detail: 'no', context: { brands: 'Fjord, Tiny' }, request_id: 'r' },
          { status: 409 },
        ),
      ),
    );
    await userEvent.click(await button('Delete account'));
    await userEvent.type(address(), 'olivia@demo.example{Enter}');
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toHaveTextContent('owner: Fjord, Tiny.');
    expect(signOut).not.toHaveBeenCalled();
  });
});

it('sections wait for each other, so that none pushes down another', async () => {
  let answer: (sessions: Response) => void = () => undefined;
  const sessions = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const account = vi.fn(() => HttpResponse.json(OLIVIA));
  open(
    {},
    [],
    http.get(`${ME}sessions/`, () => sessions),
    http.get(`${ME}account/`, account),
  );
  await waitFor(() => expect(account).toHaveBeenCalled());
  expect(screen.getAllByRole('region')).toHaveLength(1);
  answer(HttpResponse.json({ results: [HERE] }));
  expect(await screen.findByText('Chrome on Windows')).toBeVisible();
  expect(screen.getAllByRole('region')).toHaveLength(6);
});

it('the email address is plain text, because it cannot be changed here', async () => {
  open();
  expect(await screen.findByText(OLIVIA.email)).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Email' })).toBeNull();
});

it('data that could not be loaded can be loaded again', async () => {
  open(
    {},
    [HERE, PHONE],
    http.get(`${ME}sessions/`, () => refusal('internal_error'), { once: true }),
  );
  const sessions = await screen.findByRole('region', { name: 'Where you are signed in' });
  expect(await within(sessions).findByRole('alert')).toHaveTextContent('Your sessions could not be loaded');
  await userEvent.click(within(sessions).getByRole('button', { name: 'Try again' }));
  expect(await within(sessions).findByText('Safari on iPhone')).toBeVisible();
});

it('a typed name is kept while a section that failed is loaded again', async () => {
  const { promise: isTried, resolve: answer } = Promise.withResolvers<void>();
  const notices = `${ME}notifications/`;
  open(
    {},
    [HERE],
    http.get(notices, () => refusal('internal_error'), { once: true }),
  );
  await userEvent.type(await screen.findByRole('textbox', { name: 'First name' }), ' Anna');
  server.use(
    http.get(notices, async () => {
      await isTried;
      return HttpResponse.json({ results: [] });
    }),
  );
  const retry = await button('Try again');
  await userEvent.click(retry);
  expect(screen.getByRole('textbox', { name: 'First name' })).toHaveValue('Olivia Anna');
  answer();
  await waitFor(() => expect(retry).not.toBeInTheDocument());
  expect(screen.getByRole('textbox', { name: 'First name' })).toHaveValue('Olivia Anna');
});

it('opened again, it does not offer the notices of a brand that was left meanwhile', async () => {
  open();
  await screen.findByRole('checkbox', { name: 'Fjord & Forest' });
  await userEvent.click(screen.getByRole('link', { name: 'Brands' }));
  server.use(http.get(`${ME}notifications/`, () => HttpResponse.json({ results: [] })));
  await userEvent.click(screen.getByRole('link', { name: 'Account' }));
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Fjord & Forest' })).toBeNull());
  expect(region('Email notices')).toBeVisible();
});
