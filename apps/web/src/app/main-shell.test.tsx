import type { Brand } from '@brand-portal/contract/brands';
import type { ImportDetail } from '@brand-portal/contract/import';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as signingOut from '../features/auth/sign-out.ts';
import { brandList, refusal, renderAt } from '../features/brands/test-support/brands.tsx';
import { receipt } from '../features/import/test-support/import.tsx';
import { setWindowWidth } from '../test/media-queries.ts';
import { startMockServer } from '../test/mock-server.ts';
import { clearToasts, getToasts } from '../ui/toast-store.ts';
import { MainShell } from './main-shell.tsx';
import { signInAs, writeRuntimeConfig } from './test-support/signed-in.ts';

const server = startMockServer();
const url = '*/api/v1/brands/';
const answer = (results: readonly Brand[]) => server.use(http.get(url, () => HttpResponse.json({ results, member_count: 1 })));

function open(path: string) {
  return renderAt(
    path,
    <Routes>
      <Route element={<MainShell />}>
        <Route
          path="*"
          element={
            <>
              <h1>The page</h1>
              <Link to="?search=wool">Search it</Link>
              <Link to="/brands/1/product-variants/7" state={{ isFromList: true }}>
                Open the panel
              </Link>
            </>
          }
        />
      </Route>
    </Routes>,
  );
}

const navigation = () => within(screen.getByRole('navigation', { name: 'Main navigation' }));

beforeEach(() => {
  writeRuntimeConfig();
  signInAs();
  answer(brandList.results);
  vi.spyOn(signingOut, 'signOut').mockResolvedValue();
  vi.spyOn(signingOut, 'signOutEverywhere').mockResolvedValue();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});

describe('an import that runs while the page is reloaded', () => {
  const importUrl = '*/api/v1/brands/1/imports/7/';
  beforeEach(() => {
    clearToasts();
    sessionStorage.setItem('running-imports', JSON.stringify([{ brandId: 1, importId: 7 }]));
  });
  afterEach(() => sessionStorage.clear());
  const mockApi = (change: Partial<ImportDetail>) => server.use(http.get(importUrl, () => HttpResponse.json(receipt(change))));

  it('is shown in a toast until it has ended', async () => {
    mockApi({ rows_done: 60, rows_total: 100 });
    open('/brands');
    const link = { to: '/brands/1/imports/7' };
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Your import goes on', progress: 60, link }]));
    mockApi({ state: 'done', stage: null, imported: 100, total_rows: 100 });
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: '100 rows imported successfully', link }));
    expect(getToasts().filter((shown) => shown.open)).toHaveLength(1);
    expect(sessionStorage.getItem('running-imports')).toBeNull();
  });

  it('is shown as what it is if it changes many variants', async () => {
    mockApi({ kind: 'unpublish' });
    open('/brands');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Unpublishing is still running' }]));
    mockApi({ kind: 'unpublish', state: 'done', outcome: { changed: 120_134, skipped: [], deletion_id: null } });
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: '120,134 unpublished' }));
    expect(sessionStorage.getItem('running-imports')).toBeNull();
  });

  it('is not shown to a member who has no access to it', async () => {
    let requests = 0;
    server.use(
      http.get(importUrl, () => {
        requests += 1;
        return HttpResponse.json({ code: 'import_not_found' }, { status: 404 });
      }),
    );
    open('/brands');
    await waitFor(() => expect(requests).toBe(1));
    await waitFor(() => expect(sessionStorage.getItem('running-imports')).toBeNull());
    expect(getToasts()).toEqual([]);
  });
});

describe.each([
  ['wide', 1024],
  ['narrow', 1023],
])('the %s shell', (form, width) => {
  beforeEach(() => setWindowWidth(width));

  it('has landmarks, and a first link that skips the sidebar', async () => {
    open('/brands');
    expect(screen.getByRole('banner')).toBeVisible();
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'The page' })).toBeVisible();
    await userEvent.tab();
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
    expect(document.activeElement).toHaveAttribute('href', '#content');
    expect(screen.getByRole('main')).toHaveAttribute('id', 'content');
  });

  it('opens the menus of the sidebar inside a landmark', async () => {
    open('/brands');
    await userEvent.click(screen.getByRole('button', { name: /^(Account|Signed in as)/ }));
    const role = form === 'wide' ? 'menu' : 'dialog';
    expect(within(screen.getByRole('main')).getByRole(role)).toBeVisible();
  });

  // spec: §2 shell sidebar
  it('has a sidebar that stays where it is while the page scrolls, with the logo of the portal', () => {
    open('/brands');
    expect(screen.getByRole('banner')).toHaveClass('fixed', form === 'wide' ? 'w-64' : 'w-16');
    expect(screen.getByRole('banner').querySelector('img[src="/favicon.svg"]')).toBeVisible();
  });

  // spec: §2 shell brand logo
  it('shows the logo of a brand that has one', async () => {
    open('/brands');
    const fjord = await navigation().findByRole('link', { name: 'Fjord & Forest' });
    expect(fjord.querySelector('img')).toHaveAttribute('src', '/demo-logos/fjord.svg');
  });

  // spec: §2 shell dashboard link, §2 shell brand link
  it('links to the dashboard and to every brand, and marks the current one', async () => {
    open('/brands/2/certifications');
    const tiny = await navigation().findByRole('link', { name: 'Tiny' });
    expect(
      navigation()
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Dashboard', '/brands'],
      ['Fjord & Forest', '/brands/1/product-variants'],
      ['Tiny', '/brands/2/product-variants'],
    ]);
    expect(tiny).toHaveAttribute('aria-current', 'page');
    await userEvent.click(navigation().getByRole('link', { name: 'Dashboard' }));
    expect(navigation().getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page');
    expect(tiny).not.toHaveAttribute('aria-current');
  });

  // spec: §2 shell brands list
  it('collapses the brands, and remembers it', async () => {
    const { unmount } = open('/brands');
    const fold = () => screen.getByRole('button', { name: 'Your Brands' });
    const chevron = () => fold().querySelector('.lucide-chevron-down');
    expect(fold()).toHaveAttribute('aria-expanded', 'true');
    expect(chevron()).not.toHaveClass('-rotate-90');
    await screen.findByRole('link', { name: 'Tiny' });
    await userEvent.click(fold());
    expect(fold()).toHaveAttribute('aria-expanded', 'false');
    expect(chevron()).toHaveClass('-rotate-90');
    expect(screen.queryByRole('link', { name: 'Tiny' })).toBeNull();
    unmount();
    open('/brands');
    expect(fold()).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(fold());
    expect(await screen.findByRole('link', { name: 'Tiny' })).toBeInTheDocument();
  });

  // spec: §2 shell brand logo
  it(`shows ${form === 'wide' ? 'an icon' : 'the initials'} of a brand without a logo`, async () => {
    open('/brands');
    const tiny = await navigation().findByRole('link', { name: 'Tiny' });
    expect(tiny.querySelectorAll('svg')).toHaveLength(form === 'wide' ? 1 : 0);
    expect(tiny.querySelectorAll('[data-initials="TI"]')).toHaveLength(form === 'wide' ? 0 : 1);
  });

  // spec: §2 shell brands empty
  it('says that there are no brands yet', async () => {
    answer([]);
    open('/brands');
    expect(await navigation().findByText('No brands yet')).toBeVisible();
  });

  it('shows a placeholder for the brands, an error if they cannot be loaded, and retries', async () => {
    server.use(http.get(url, () => refusal('internal_error'), { once: true }));
    open('/brands');
    expect(screen.getByRole('status', { name: 'Loading your brands…' })).toBeVisible();
    expect(await screen.findByRole('alert')).toHaveTextContent('Server error. Please try again later.');
    await userEvent.click(screen.getByRole('button', { name: 'Load your brands again' }));
    expect(await screen.findByRole('link', { name: 'Tiny' })).toBeInTheDocument();
  });

  // spec: §2 shell color mode, §2 shell support, §2 shell sign-out
  it('offers support by mail, colour modes, languages and signing out', async () => {
    open('/brands');
    expect(screen.getByRole('link', { name: 'Support' })).toHaveAttribute(
      'href',
      'mailto:help@portal.example?subject=Brand%20Portal%20support%20request',
    );
    expect(screen.getByRole('button', { name: 'Switch to dark mode' })).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Language' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(signingOut.signOut).toHaveBeenCalledOnce();
  });

  // spec: §2 shell user
  it('says who is signed in', async () => {
    open('/brands');
    if (form === 'narrow') {
      expect(screen.queryByText('Olivia Lindqvist')).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Signed in as Olivia Lindqvist' }));
    }
    expect(screen.getByText('Olivia Lindqvist')).toBeVisible();
    expect(screen.getByText('olivia.owner@demo.example')).toBeVisible();
  });

  it('links to the password page of the embedded provider, and signs out everywhere', async () => {
    writeRuntimeConfig({ domain: `${window.location.origin}/idp` });
    open('/brands');
    const menu = form === 'wide' ? 'Account' : 'Signed in as Olivia Lindqvist';
    await userEvent.click(screen.getByRole('button', { name: menu }));
    const [link, item] = form === 'wide' ? (['menuitem', 'menuitem'] as const) : (['link', 'button'] as const);
    expect(await screen.findByRole(link, { name: 'Change password' })).toHaveAttribute(
      'href',
      `${window.location.origin}/idp/change-password`,
    );
    await userEvent.click(screen.getByRole(item, { name: 'Sign out everywhere' }));
    expect(signingOut.signOutEverywhere).toHaveBeenCalledOnce();
  });

  // spec: §2 shell widths, §9 layout breakpoint
  it(`has ${form === 'wide' ? 'words' : 'tooltips instead of words'} beside its icons`, async () => {
    open('/brands');
    await userEvent.hover(screen.getByRole('link', { name: 'Dashboard' }));
    if (form === 'wide') {
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(screen.queryByRole('tooltip')).toBeNull();
      expect(screen.getByText('Dashboard')).not.toHaveClass('sr-only');
    } else {
      expect(await screen.findByRole('tooltip')).toHaveTextContent('Dashboard');
      expect(screen.getAllByText('Dashboard')[0]).toHaveClass('sr-only');
    }
  });
});

describe('the shell', () => {
  it('offers no support if no address is configured', () => {
    document.getElementById('runtime-config')?.remove();
    open('/brands');
    expect(screen.queryByRole('link', { name: 'Support' })).toBeNull();
  });

  it('says that the browser is offline, until it is online again', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open('/brands');
    expect(await screen.findByText('You are offline')).toBeVisible();
    expect(screen.getByText('You are offline').closest('[role="status"]')).toHaveClass('fixed');
    onLine.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.queryByText('You are offline')).toBeNull();
  });

  it('has the menus of its drawer on a phone inside the drawer, because the page is hidden from screen readers', async () => {
    setWindowWidth(375);
    open('/brands');
    await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }));
    await userEvent.click(drawer.getByRole('button', { name: 'Account' }));
    expect(drawer.getByRole('menu', { name: 'Account' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(drawer.getByRole('button', { name: 'Account' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Open menu' })).toHaveFocus();
  });

  it('scrolls to the top on a new page', async () => {
    open('/brands');
    expect(window.scrollTo).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole('link', { name: 'Tiny' }));
    await waitFor(() => expect(window.scrollTo).toHaveBeenCalledWith(0, 0));
  });

  it('keeps the scroll position when only the query changes', async () => {
    open('/brands');
    await userEvent.click(screen.getByRole('link', { name: 'Search it' }));
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('keeps the scroll position when a panel opens beside the list', async () => {
    open('/brands/1/product-variants');
    await userEvent.click(screen.getByRole('link', { name: 'Open the panel' }));
    expect(window.scrollTo).not.toHaveBeenCalled();
  });

  it('shows the email of a user without a name', () => {
    signInAs({ id: 2, first_name: '', last_name: '', email: 'new@portal.example' });
    open('/brands');
    expect(screen.getByRole('button', { name: 'Signed in as new@portal.example' })).toBeVisible();
  });
});
