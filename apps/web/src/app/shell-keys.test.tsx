import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes, useLocation } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { brandList, renderAt } from '../features/brands/test-support/brands.tsx';
import { makeVariant } from '../features/variants/test-support/variants.tsx';
import { setWindowWidth } from '../test/media-queries.ts';
import { startMockServer } from '../test/mock-server.ts';
import { MainShell } from './main-shell.tsx';
import { signInAs, writeRuntimeConfig } from './test-support/signed-in.ts';

const server = startMockServer();

const Place = () => (
  <>
    <h1>The page</h1>
    <p data-testid="place">{useLocation().pathname}</p>
    <input aria-label="A field" />
    <input type="checkbox" aria-label="A box" />
  </>
);

function open(path: string, width = 1440) {
  setWindowWidth(width);
  renderAt(
    path,
    <Routes>
      <Route element={<MainShell />}>
        <Route path="*" element={<Place />} />
      </Route>
    </Routes>,
  );
}

beforeEach(() => {
  writeRuntimeConfig();
  signInAs();
  server.use(
    http.get('*/api/v1/brands/', () => HttpResponse.json(brandList)),
    http.get('*/api/v1/brands/1/variants/', () => HttpResponse.json({ results: [], count: 0 })),
  );
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});

const place = () => screen.getByTestId('place').textContent;
const second = brandList.results[1];

describe('the palette', () => {
  it.each(['{Control>}k{/Control}', '{Meta>}k{/Meta}'])('opens with %s, and finds a brand by its name', async (keys) => {
    open('/brands/1/product-variants');
    await screen.findByText('The page');
    await userEvent.keyboard(keys);
    const field = await screen.findByRole('combobox', { name: 'Brands, pages, variants and actions' });
    expect(field).toHaveFocus();
    await waitFor(() => expect(screen.getByRole('option', { name: `${second?.name} Brand` })).toBeVisible());
    await userEvent.type(field, second?.name.toUpperCase() ?? '');
    expect(screen.getAllByRole('option')).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(place()).toBe(`/brands/${second?.id}/product-variants`));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says that a pasted text is too long, and does not search for its beginning', async () => {
    const searches: (string | null)[] = [];
    server.use(
      http.get('*/api/v1/brands/1/variants/', ({ request }) => {
        searches.push(new URL(request.url).searchParams.get('search'));
        return HttpResponse.json({ results: [], count: 0 });
      }),
    );
    open('/brands/1/product-variants');
    await screen.findByText('The page');
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.click(await screen.findByRole('combobox'));
    const gtins = Array.from({ length: 20 }, () => '4006381333931').join(' ');
    await userEvent.paste(gtins);
    expect(await screen.findByText('The search takes at most 200 characters. The pasted text has 279.')).toBeVisible();
    await userEvent.clear(screen.getByRole('combobox'));
    await userEvent.paste('4006381333931');
    await waitFor(() => expect(searches).toEqual(['4006381333931']));
  });

  it('is navigated with arrow keys, and says when nothing matches', async () => {
    open('/brands/1/product-variants');
    await screen.findByText('The page');
    await userEvent.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox');
    const current = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
    expect(current()).toHaveTextContent('Dashboard');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(current()).toHaveTextContent('Certificates');
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(current()).toHaveTextContent('Sign out');
    await userEvent.type(field, 'zzz');
    expect(await screen.findByText('Nothing is called that.')).toBeVisible();
    await userEvent.clear(field);
    await userEvent.type(field, 'certif');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(place()).toBe('/brands/1/certifications'));
  });

  it('finds variants of the brand like the list, at most five, and opens their panel', async () => {
    const requests: Record<string, string>[] = [];
    server.use(
      http.get('*/api/v1/brands/1/variants/', ({ request }) => {
        const query = Object.fromEntries(new URL(request.url).searchParams);
        requests.push(query);
        const results = query.search === 'FSC-C1' ? [makeVariant(7)] : [];
        return HttpResponse.json({ results, count: results.length });
      }),
    );
    open('/brands/1/certifications');
    await screen.findByText('The page');
    await userEvent.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox');
    await userEvent.type(field, 'FSC-C1');
    expect(await screen.findByRole('option', { name: 'Wool socks 7 · 4006381000007 Variant' })).toBeVisible();
    expect(requests).toEqual([{ search: 'FSC-C1', page_size: '5' }]);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(place()).toBe('/brands/1/product-variants/7'));
  });

  it('says that it is searching, and then that nothing was found', async () => {
    server.use(http.get('*/api/v1/brands/1/variants/', () => HttpResponse.json({ results: [], count: 0 })));
    open('/brands/1/certifications');
    await screen.findByText('The page');
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox'), 'zz');
    expect(screen.getByText('Loading…')).toBeVisible();
    expect(await screen.findByText('Nothing is called that.')).toBeVisible();
  });

  it('does not open while somebody types', async () => {
    open('/brands');
    await userEvent.type(await screen.findByRole('textbox', { name: 'A field' }), '?{Control>}k{/Control}');
    expect(screen.getByRole('textbox', { name: 'A field' })).toHaveValue('?');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it('the question mark shows the keyboard shortcuts', async () => {
  open('/brands');
  await screen.findByText('The page');
  await userEvent.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(dialog.getByText('Go to the search')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('the shortcuts work in a checkbox too, in which nothing is typed', async () => {
  open('/brands');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'A box' }));
  await userEvent.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('dialog', { name: 'Go to' })).toBeVisible();
});

describe('on a phone', () => {
  it('the drawer closes when the link of the present page is followed', async () => {
    open('/brands', 375);
    await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }));
    await userEvent.click(drawer.getByRole('link', { name: 'Dashboard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('the sidebar is in a drawer that closes when a link is followed', async () => {
    open('/brands/1/product-variants', 375);
    await screen.findByText('The page');
    expect(screen.queryByRole('navigation', { name: 'Main navigation' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }));
    await userEvent.click(drawer.getByRole('link', { name: 'Dashboard' }));
    await waitFor(() => expect(place()).toBe('/brands'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('between 768 and 1023 px the sidebar of icons stays', async () => {
    open('/brands', 768);
    await screen.findByText('The page');
    expect(screen.getByRole('banner')).toHaveClass('w-16');
  });
});
