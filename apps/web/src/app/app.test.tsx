import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useAuthStore } from '../features/auth/auth-store.ts';
import * as finishing from '../features/auth/finish-sign-in.ts';
import * as signingOut from '../features/auth/sign-out.ts';
import * as session from '../features/auth/use-session.ts';
import { brandList, fjord, refusal } from '../features/brands/test-support/brands.tsx';
import { doneImport } from '../features/import/test-support/imports.tsx';
import { invitationServer, member } from '../features/onboarding/test-support/invitation-server.ts';
import { configureApiClient } from '../lib/api-client.ts';
import { changeLanguage } from '../lib/i18n.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { startMockServer } from '../test/mock-server.ts';
import { clearToasts, getToasts, toast } from '../ui/toast-store.ts';
import { App } from './app.tsx';
import { connectApiClient } from './connect-api-client.ts';
import { Providers } from './providers.tsx';
import { loadFirstPage } from './routes.tsx';
import { olivia, signInAs, writeRuntimeConfig } from './test-support/signed-in.ts';

const server = startMockServer();

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

function open(path: string | { pathname: string; search: string; state: object }) {
  render(
    <MemoryRouter initialEntries={[path]}>
      <Providers queryClient={createQueryClient()}>
        <App />
        <Address />
      </Providers>
    </MemoryRouter>,
  );
}

const address = () => screen.getByRole('status', { name: 'address' }).textContent;
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

beforeEach(() => {
  clearToasts();
  // The session is what the store says; other tests cover the provider.
  vi.spyOn(session, 'useSession').mockReturnValue();
  vi.spyOn(signingOut, 'signOut').mockResolvedValue();
  writeRuntimeConfig();
  signInAs();
  server.use(
    http.get('*/api/v1/brands/', () => HttpResponse.json(brandList)),
    http.get('*/api/v1/brands/1/', () => HttpResponse.json(fjord)),
    http.get('*/api/v1/brands/7/', () => refusal('brand_not_found')),
    http.get('*/api/v1/brands/1/variants/', () => HttpResponse.json({ results: [], count: 0 })),
  );
});

it('texts that the server sends follow a change of the language', async () => {
  onTestFinished(() => changeLanguage('en'));
  server.use(
    http.get('*/api/v1/brands/1/imports/7/', ({ request }) => {
      const message = request.headers.get('accept-language') === 'es' ? 'Sin filas.' : 'No rows.';
      return HttpResponse.json(doneImport({ state: 'failed', undo_until: null, failure: { code: 'no_rows', message } }));
    }),
  );
  open('/brands/1/imports/7');
  expect(await screen.findByText('No rows.')).toBeVisible();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'es');
  expect(await screen.findByText('Sin filas.')).toBeVisible();
});

describe('the calls of the first page', () => {
  const started = async (pathname: string) => {
    const queryClient = createQueryClient();
    await loadFirstPage(queryClient, { pathname });
    // The code of the page may come after that of the shell.
    const keys = () =>
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey.slice(0, 4).join(' '));
    return { keys };
  };

  it.each(['/brands', '/'])('start before there is a page: the brands, for %s', async (path) => {
    const { keys } = await started(path);
    await waitFor(() => expect(keys()).toEqual(['brands list', 'brands list attention']));
  });

  it.each(['/brands/1', '/brands/1/product-variants', '/brands/1/product-variants/5'])(
    'start before there is a page: the brand and its variants, for %s',
    async (path) => {
      const { keys } = await started(path);
      const variants = ['brands detail 1 variants', 'brands detail 1 variant-states', 'brands detail 1 channel'];
      await waitFor(() => expect(new Set(keys())).toEqual(new Set(['brands detail 1', ...variants])));
    },
  );

  it('do not start without a session', async () => {
    useAuthStore.setState({ isAuthenticated: false });
    expect((await started('/brands')).keys()).toEqual([]);
  });
});

describe('the routes of members', () => {
  // spec: §2 route brands
  it('include /brands, in the shell', async () => {
    open('/brands');
    expect(await heading('Brands')).toBeVisible();
    expect(address()).toBe('/brands');
    expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  });

  // spec: §2 route variants, §2 route certificates
  it.each([
    ['/brands/1/product-variants', 'Product Variants & Publishing'],
    ['/brands/1/certifications', 'Certificates'],
    ['/brands/1/imports', 'Imports'],
    ['/brands/1/imports/7', 'Imports'],
  ])('include %s, in the shell of its brand', async (path, entry) => {
    open(path);
    expect(await screen.findByRole('link', { name: entry })).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
    expect(address()).toBe(path);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).not.toHaveTextContent('Loading…'));
  });

  // spec: §2 route root
  it.each(['/', '/login'])('redirect from %s to the brands', async (path) => {
    open(path);
    await heading('Brands');
    expect(address()).toBe('/brands');
  });

  // spec: §2 route brand
  it('redirect from a brand to its product variants', async () => {
    open('/brands/1');
    await waitFor(() => expect(address()).toBe('/brands/1/product-variants'));
  });

  it.each(['/nowhere', '/brands/1/nothing', '/brands/7/product-variants', '/brands/seven'])(
    'show that %s does not exist, with a link to go on',
    async (path) => {
      open(path);
      expect(await heading('Page not found')).toBeVisible();
      expect(screen.getByRole('link', { name: 'Go to the start page' })).toHaveAttribute('href', '/');
      expect(document.title).toBe('Page not found · Brand Portal');
    },
  );
});

describe('a new account', () => {
  const switchButton = () => screen.findByRole('button', { name: 'Sign out and use the new account' });
  const stayButton = () => screen.getByRole('button', { name: 'Stay signed in' });

  it('that is created while somebody else is signed in says so, and offers to switch', async () => {
    open({ pathname: '/login', search: '?message=account-created', state: { email: 'nora@example.com' } });
    expect(await heading('Somebody else is signed in')).toBeVisible();
    expect(screen.getByRole('main')).toHaveTextContent('Olivia Lindqvist (olivia.owner@demo.example)');
    expect(screen.getByRole('main')).toHaveTextContent('nora@example.com');
    expect(address()).toBe('/login');
    expect(await screen.findByText('Account Created Successfully!')).toBeVisible();
    await userEvent.click(await switchButton());
    expect(signingOut.signOut).toHaveBeenCalledExactlyOnceWith({ returnTo: '/login?message=account-created' });
  });

  it('can keep the current session', async () => {
    open({ pathname: '/login', search: '?message=account-created', state: { email: 'nora@example.com' } });
    await switchButton();
    await userEvent.click(stayButton());
    await heading('Brands');
    expect(address()).toBe('/brands');
  });

  it('leads to the sign-in page even if signing out at the provider fails, which is logged', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.mocked(signingOut.signOut).mockImplementationOnce(async () => {
      useAuthStore.getState().logOut();
      throw new Error('no connection');
    });
    open({ pathname: '/login', search: '?message=account-created', state: { email: 'nora@example.com' } });
    await userEvent.click(await switchButton());
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(console.error).toHaveBeenCalledWith('Failed to sign out of the identity provider:', expect.any(Error));
  });

  it('of the person who is signed in leads to their brands', async () => {
    open({ pathname: '/login', search: '?message=account-created', state: { email: olivia.email.toUpperCase() } });
    await heading('Brands');
    expect(address()).toBe('/brands');
    expect(await screen.findByText('Account Created Successfully!')).toBeVisible();
  });

  it('is shown without the error of an earlier sign-in', async () => {
    useAuthStore.setState({ user: null, isAuthenticated: false, error: 'provider_unavailable' });
    open('/login?message=account-created');
    expect(await screen.findByText('Account Created Successfully!')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText('The sign-in service does not answer. Please try again later.')).toBeNull();
  });

  it('is shown once it is known who is signed in', async () => {
    useAuthStore.setState({ isLoading: true });
    open({ pathname: '/login', search: '?message=account-created', state: { email: 'nora@example.com' } });
    expect(address()).toBe('/login?message=account-created');
    act(() => useAuthStore.getState().setLoading(false));
    await switchButton();
  });

  it('whose address is unknown after a reload is not treated as somebody else’s', async () => {
    open('/login?message=account-created');
    await heading('Brands');
    expect(address()).toBe('/brands');
  });

  // spec: §2 sign-in account-created, §2 sign-in message removed
  it('is shown on the sign-in page, and the message is removed from the URL', async () => {
    useAuthStore.setState({ user: null, isAuthenticated: false });
    open('/login?message=account-created&x=1');
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(address()).toBe('/login?x=1');
    expect(await screen.findByText('Account Created Successfully!')).toBeVisible();
    expect(screen.getByText('Your account has been created. You can now sign in.')).toBeVisible();
    expect(getToasts()).toMatchObject([{ variant: 'success' }]);
  });
});

describe('a session that expires while something is not saved', () => {
  const ended = () => screen.findByRole('dialog', { name: 'Your session has ended' });
  const signInButton = () => screen.findByRole('button', { name: 'Sign in' });

  async function typeName(): Promise<void> {
    const account = { ...olivia, language: 'en', password_change: 'page' };
    server.use(
      http.get('*/api/v1/users/me/account/', () => HttpResponse.json(account)),
      http.get('*/api/v1/users/me/sessions/', () => HttpResponse.json({ results: [] })),
      http.get('*/api/v1/users/me/notifications/', () => HttpResponse.json({ results: [] })),
    );
    open('/account');
    await userEvent.type(await screen.findByRole('textbox', { name: 'First name' }), ' Maria');
  }
  const end = (error?: 'unauthenticated') => act(() => useAuthStore.getState().logOut(error));

  it('keeps the page, covered, until the member has signed in again in another tab', async () => {
    await typeName();
    end('unauthenticated');
    const dialog = within(await ended());
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Discard changes']);
    const link = dialog.getByRole('link', { name: 'Sign in again' });
    expect(link).toHaveAttribute('href', '/login');
    expect(link).toHaveAttribute('target', '_blank');
    expect(screen.queryByRole('textbox', { name: 'First name' })).toBeNull();
    act(() => signInAs());
    expect(await screen.findByRole('textbox', { name: 'First name' })).toHaveValue('Olivia Maria');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps nothing for another member', async () => {
    await typeName();
    end('unauthenticated');
    await ended();
    act(() => signInAs({ ...olivia, id: 2 }));
    expect(await screen.findByRole('textbox', { name: 'First name' })).toHaveValue('Olivia');
  });

  it('leads to the sign-in page once the member discards it', async () => {
    await typeName();
    end('unauthenticated');
    await userEvent.click(within(await ended()).getByRole('button', { name: 'Discard changes' }));
    expect(await signInButton()).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('Your session has ended. Please sign in again.');
    expect(document.body).not.toHaveTextContent('Lindqvist');
    expect(address()).toBe('/account');
  });

  it('keeps nothing if the member has signed out', async () => {
    await typeName();
    end();
    expect(await signInButton()).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a session that has ended', () => {
  const refused = { code: 'unauthenticated', detail: 'expired', request_id: 'x' };
  const calls = { brands: 0, refresh: 0 };

  beforeEach(() => {
    Object.assign(calls, { brands: 0, refresh: 0 });
    connectApiClient();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    server.use(
      http.get('*/api/v1/brands/', () => {
        calls.brands += 1;
        return HttpResponse.json(refused, { status: 401 });
      }),
    );
    return () => configureApiClient({ getAccessToken: () => null });
  });

  // spec: §7 failed refresh logs out
  it.each([
    ['cannot be refreshed', () => HttpResponse.json(refused, { status: 401 }), 1],
    ['is refused after its refresh too', () => HttpResponse.json({ access: 'new' }), 2],
  ])('since it %s leads to the sign-in page, which says why', async (_, answer, tries) => {
    server.use(
      http.post('*/api/v1/auth/token/refresh/', () => {
        calls.refresh += 1;
        return answer();
      }),
    );
    open('/brands');
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeEnabled();
    expect(screen.getByRole('alert')).toHaveTextContent('Your session has ended. Please sign in again.');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(address()).toBe('/brands');
    expect(calls).toEqual({ brands: tries, refresh: 1 });
  });
});

describe('a signed-out user', () => {
  beforeEach(() => useAuthStore.setState({ user: null, isAuthenticated: false, accessToken: null, refreshToken: null }));

  // spec: §2 route login, §6 signed-out pages
  it.each(['/login', '/', '/brands', '/brands/1/certifications', '/nowhere'])('signs in at %s', async (path) => {
    open(path);
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(address()).toBe(path);
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('keeps the page of an invitation whose link was replaced by a mail when the language changes', async () => {
    onTestFinished(() => changeLanguage('en'));
    const { handlers, answers } = invitationServer({ verified: false });
    answers.verify.push(() => HttpResponse.json({ verified: false, member, mailed: true }));
    server.use(...handlers);
    open('/verify-email?token=abc');
    await userEvent.click(await screen.findByRole('button', { name: 'Verify email' }));
    expect(await heading('Check your inbox')).toBeVisible();
    answers.status.push(() => refusal('invitation_invalid'));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'es');
    expect(await heading('Revisa tu correo')).toBeVisible();
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Revisa tu correo');
  });

  // spec: §2 route verify-email, §2 route setup-password, §6 signed-out pages
  it.each(['/verify-email', '/setup-password'])('reaches %s', async (path) => {
    open(path);
    expect(await screen.findByText('No verification token provided')).toBeVisible();
    expect(address()).toBe(path);
  });
});

describe('the redirect back from the provider', () => {
  // spec: §2 route callback
  it('says that the sign-in is being completed, and leads on from /callback', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const finishSignIn = vi.spyOn(finishing, 'finishSignIn').mockReturnValue(promise);
    open('/callback');
    expect(await heading('Completing sign in...')).toBeVisible();
    await vi.waitFor(() => expect(finishSignIn).toHaveBeenCalled(), 10_000);
    resolve('/brands');
    expect(await heading('Brands')).toBeVisible();
  });
});

describe('a portal without an identity provider', () => {
  // spec: §5 provider missing
  it.each([{ domain: '' }, { client_id: '' }])('says at every address that %j is missing, and logs it', (missing) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    writeRuntimeConfig(missing);
    open('/brands');
    expect(screen.getByRole('alert')).toHaveTextContent('Configuration error');
    expect(logged.mock.lastCall?.[0]).toBe('Missing Auth0 configuration');
  });
});

describe('the app', () => {
  // spec: §2 route while loading
  it('waits for the session before it shows anything', () => {
    useAuthStore.setState({ isLoading: true });
    open('/brands');
    expect(screen.getByRole('heading')).toHaveTextContent('Loading…');
  });

  it('shows a toast that any code creates', async () => {
    open('/brands');
    toast({ title: 'Saved', variant: 'success' });
    expect(await screen.findByText('Saved')).toBeVisible();
  });
});
