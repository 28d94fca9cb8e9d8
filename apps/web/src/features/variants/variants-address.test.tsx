import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import {
  listUrl,
  makeCertification,
  makeVariant,
  manyVariants,
  mockVariants,
  names,
  openVariants,
  searchBox,
  table,
} from './test-support/variants.tsx';

const server = startMockServer();

async function open(query = '', variants = manyVariants(45)) {
  const { handlers, requests } = mockVariants(variants);
  server.use(...handlers);
  const page = openVariants(query);
  await screen.findByText(/^Showing/);
  return { ...page, requests, lastRequest: () => requests.at(-1) };
}

const showing = (text: string) => screen.findByText(text);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const sortHeader = () => screen.getByRole('columnheader', { name: 'Product Variant' });

async function choose(box: string, option: string) {
  await userEvent.click(screen.getByRole('combobox', { name: box }));
  await userEvent.click(screen.getByRole('option', { name: option }));
}

describe('searching', () => {
  // spec: §2 variants search, §4 search resets the page
  it('waits for the end of typing and starts at the first page', async () => {
    const { requests, lastRequest, query } = await open('?page=2');
    expect(searchBox()).toHaveAttribute('placeholder', 'Search by GTIN or product variant name...');
    await userEvent.type(searchBox(), 'socks 3');
    await showing('Showing 1 to 10 of 11 results');
    expect(query()).toBe('?search=socks+3');
    expect(lastRequest()).toEqual({ page: '1', page_size: '10', ordering: '-created_at', search: 'socks 3' });
    expect(requests).toHaveLength(2);
  });

  it('adds one history entry, and the back button leads to the page before it', async () => {
    const { router, query } = await open();
    await press('Next page');
    await showing('Showing 11 to 20 of 45 results');
    await userEvent.type(searchBox(), 'socks');
    await waitFor(() => expect(query()).toBe('?search=socks'));
    await userEvent.type(searchBox(), ' 3');
    await showing('Showing 1 to 10 of 11 results');
    await act(() => router.navigate(-1));
    await showing('Showing 11 to 20 of 45 results');
    expect(query()).toBe('?page=2');
    expect(searchBox()).toHaveValue('');
    await act(() => router.navigate(1));
    await showing('Showing 1 to 10 of 11 results');
    expect(searchBox()).toHaveValue('socks 3');
  });

  it('adds another history entry when started on another page, or after a search from the URL', async () => {
    const { router, query } = await open('?search=wool');
    await userEvent.type(searchBox(), ' socks');
    await waitFor(() => expect(query()).toBe('?search=wool+socks'));
    await press('Next page');
    await showing('Showing 11 to 20 of 45 results');
    await userEvent.type(searchBox(), ' 3');
    await showing('Showing 1 to 10 of 11 results');
    const way: string[] = [];
    for (let step = 0; step < 3; step += 1) {
      await act(() => router.navigate(-1));
      way.push(query());
    }
    expect(way).toEqual(['?search=wool+socks&page=2', '?search=wool+socks', '?search=wool']);
  });

  it('finds a GTIN', async () => {
    await open();
    await userEvent.type(searchBox(), '4006381000042');
    await showing('Showing 1 to 1 of 1 results');
    expect(names()).toEqual(['Wool socks 42']);
  });

  it('is focused by / and cleared by Escape', async () => {
    const { query } = await open('?search=socks+3');
    await userEvent.keyboard('/');
    expect(searchBox()).toHaveFocus();
    expect(searchBox()).toHaveValue('socks 3');
    await userEvent.keyboard('{Escape}');
    expect(searchBox()).toHaveValue('');
    await showing('Showing 1 to 10 of 45 results');
    expect(query()).toBe('');
  });
});

describe('filtering', () => {
  const variants = [
    makeVariant(1, { certifications: [makeCertification('FSC')] }),
    makeVariant(2, { published: true }),
    makeVariant(3, { published: true, certifications: [makeCertification('GOTS')] }),
    makeVariant(4),
  ];

  // spec: §2 variants filter
  it.each([
    ['With certifications', '?filter=with_certifications', { has_certs: 'true' }, [1, 3]],
    ['Without certifications', '?filter=without_certifications', { has_certs: 'false' }, [2, 4]],
    ['Published only', '?filter=published', { published: 'true' }, [2, 3]],
    ['Unpublished only', '?filter=unpublished', { published: 'false' }, [1, 4]],
  ])('by %s', async (option, address, expected, ids) => {
    const { query, lastRequest } = await open('', variants);
    await choose('Filter', option);
    await showing('Showing 1 to 2 of 2 results');
    expect(names()).toEqual(ids.map((id) => `Wool socks ${id}`));
    expect(lastRequest()).toEqual({ page: '1', page_size: '10', ordering: '-created_at', ...expected });
    expect(query()).toBe(address);
    await choose('Filter', 'All variants');
    await showing('Showing 1 to 4 of 4 results');
    expect(query()).toBe('');
  });

  // spec: §4 filter resets the page
  it('starts at the first page, and the back button leads to the page before', async () => {
    const { router, query } = await open('?page=3');
    await choose('Filter', 'Unpublished only');
    await showing('Showing 1 to 10 of 45 results');
    expect(query()).toBe('?filter=unpublished');
    await act(() => router.navigate(-1));
    await showing('Showing 21 to 30 of 45 results');
  });
});

describe('sorting by name', () => {
  // spec: §2 variants name, §3 ordering, §4 sort cycle
  it('goes up, then down, then back to the newest first, each time from the first page', async () => {
    const { query, lastRequest } = await open('?page=2');
    expect(sortHeader()).toHaveAttribute('aria-sort', 'none');
    await press('Product Variant');
    await waitFor(() => expect(sortHeader()).toHaveAttribute('aria-sort', 'ascending'));
    await waitFor(() => expect(lastRequest()).toMatchObject({ ordering: 'name', page: '1' }));
    expect(query()).toBe('?ordering=name');
    await press('Product Variant');
    await waitFor(() => expect(sortHeader()).toHaveAttribute('aria-sort', 'descending'));
    await waitFor(() => expect(names()[0]).toBe('Wool socks 9'));
    expect(lastRequest()).toMatchObject({ ordering: '-name', page: '1' });
    expect(query()).toBe('?ordering=-name');
    await press('Product Variant');
    await waitFor(() => expect(sortHeader()).toHaveAttribute('aria-sort', 'none'));
    await waitFor(() => expect(lastRequest()).toMatchObject({ ordering: '-created_at', page: '1' }));
    expect(query()).toBe('');
  });
});

describe('paging', () => {
  it('adds a history entry for each page', async () => {
    const { router, query, requests } = await open();
    await press('Next page');
    await showing('Showing 11 to 20 of 45 results');
    expect(query()).toBe('?page=2');
    // The next page is prefetched, because the pointer is still on the button.
    expect(requests[1]).toMatchObject({ page: '2', page_size: '10' });
    await press('Last page');
    await showing('Showing 41 to 45 of 45 results');
    await act(() => router.navigate(-1));
    await showing('Showing 11 to 20 of 45 results');
    await act(() => router.navigate(-1));
    await showing('Showing 1 to 10 of 45 results');
    await act(() => router.navigate(2));
    await showing('Showing 41 to 45 of 45 results');
    await press('First page');
    expect(query()).toBe('');
  });

  it.each([
    ['another page', () => press('Next page'), 'Showing 31 to 40 of 45 results'],
    ['another size', () => choose('Per page:', '20'), 'Showing 1 to 20 of 45 results'],
    ['a search', () => userEvent.type(searchBox(), 'socks 3'), 'Showing 1 to 10 of 11 results'],
    ['a search without matches', () => userEvent.type(searchBox(), 'tea'), 'No data available'],
  ])('changes the footer together with the rows: %s', async (_what, ask, text) => {
    const { requests } = await open('?page=3');
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(http.get(listUrl, () => held.then(() => undefined)));
    await ask();
    await waitFor(() => expect(table()).toHaveAttribute('aria-busy', 'true'));
    expect(names()[0]).toBe('Wool socks 21');
    expect(screen.getByText('Showing 21 to 30 of 45 results')).toBeVisible();
    expect(screen.getByText('Page 3 of 5')).toBeVisible();
    expect(requests).toHaveLength(1);
    answer();
    await showing(text);
  });

  it('continues from the requested page, before its rows are loaded', async () => {
    const { query } = await open();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(http.get(listUrl, () => held.then(() => undefined)));
    await press('Next page');
    await press('Next page');
    expect(query()).toBe('?page=3');
    answer();
    await showing('Showing 21 to 30 of 45 results');
  });

  // spec: §2 variants pagination, §4 page size resets the page, §9 page sizes
  it('offers 10, 20, 50 and 100 rows, and another size starts at the first page', async () => {
    const { query, lastRequest } = await open('?page=3');
    await userEvent.click(screen.getByRole('combobox', { name: 'Per page:' }));
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['10', '20', '50', '100']);
    await userEvent.click(screen.getByRole('option', { name: '20' }));
    await showing('Showing 1 to 20 of 45 results');
    expect(query()).toBe('?page_size=20');
    expect(lastRequest()).toMatchObject({ page: '1', page_size: '20' });
  });

  it('redirects from a page past the end to the last one, without a history entry', async () => {
    const { router, query } = await open('?page=99&page_size=20');
    await showing('Showing 41 to 45 of 45 results');
    expect(query()).toBe('?page=3&page_size=20');
    await act(() => router.navigate(-1));
    expect(router.state.location.pathname).toBe('/brands');
  });

  it('does not show an empty list during that redirect', async () => {
    server.use(...mockVariants(manyVariants(45)).handlers);
    server.use(
      http.get(listUrl, async ({ request }) => {
        if (new URL(request.url).searchParams.get('page') === '5') await delay(50);
      }),
    );
    const seen: string[] = [];
    const observer = new MutationObserver(() => seen.push(document.body.textContent));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    openVariants('?page=99');
    await showing('Showing 41 to 45 of 45 results');
    observer.disconnect();
    expect(seen.join()).not.toMatch(/No products yet|No data available/);
  });

  it('removes the page from the URL if a search finds nothing', async () => {
    server.use(...mockVariants(manyVariants(3)).handlers);
    const { router, query } = openVariants('?search=tea&page=4');
    await screen.findByText('No data available');
    await waitFor(() => expect(query()).toBe('?search=tea'));
    await act(() => router.navigate(-1));
    expect(router.state.location.pathname).toBe('/brands');
  });
});

describe('a link', () => {
  it('opens the list as it was', async () => {
    const { lastRequest } = await open('?search=socks&filter=unpublished&ordering=-name&page=2&page_size=20');
    expect(lastRequest()).toEqual({
      search: 'socks',
      published: 'false',
      ordering: '-name',
      page: '2',
      page_size: '20',
    });
    expect(searchBox()).toHaveValue('socks');
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveTextContent('Unpublished only');
    expect(sortHeader()).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByText('Showing 21 to 40 of 45 results')).toBeVisible();
  });

  it('with invalid parameters opens the default list', async () => {
    const { lastRequest } = await open('?filter=some&ordering=price&page=-2&page_size=7');
    expect(lastRequest()).toEqual({ page: '1', page_size: '10', ordering: '-created_at' });
  });
});
