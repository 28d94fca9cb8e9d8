import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { fjord, refusal } from '../brands/test-support/brands.tsx';
import { connectionQuery } from '../settings/channel-queries.ts';
import {
  bodyRows,
  listUrl,
  makeVariant,
  manyVariants,
  mockVariants,
  names,
  openVariants,
  searchBox,
  table,
} from './test-support/variants.tsx';
import { variantKeys } from './variants-queries.ts';

const server = startMockServer();

function mockApi(...args: Parameters<typeof mockVariants>) {
  const { handlers, requests } = mockVariants(...args);
  server.use(...handlers);
  return requests;
}

afterEach(() => changeLanguage('en'));

describe('the page of product variants', () => {
  // spec: §2 route variants, §2 variants title, §2 variants columns, §9 page size
  it('has a title, a subtitle and the rows of the first page', async () => {
    const requests = mockApi(manyVariants(25));
    openVariants();
    expect(screen.getByRole('heading', { level: 1, name: 'Product Variants & Publishing' })).toBeVisible();
    expect(screen.getByText('See what is certified, and choose what goes live on your channels.')).toBeVisible();
    expect(await screen.findByRole('cell', { name: 'Wool socks 10' })).toBeVisible();
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      'GTIN',
      'Product Variant',
      'Certifications',
      'Published',
      'Actions',
    ]);
    expect(table()).toHaveAccessibleName('Product variants');
    expect(bodyRows()).toHaveLength(10);
    expect(screen.getByText('Showing 1 to 10 of 25 results')).toBeVisible();
    expect(requests).toEqual([{ page: '1', page_size: '10', ordering: '-created_at' }]);
  });

  // spec: §2 variants trial badge
  it('says that the trial is active only for a brand that has opted in', async () => {
    mockApi(manyVariants(1));
    openVariants();
    expect(await screen.findByText('Free trial active')).toBeVisible();
  });

  // spec: §2 variants trial badge
  it('does not say so for a brand that has not', async () => {
    mockApi(manyVariants(1), { ...fjord, opted_in_for_trial: false });
    openVariants();
    await screen.findByRole('cell', { name: 'Wool socks 1' });
    expect(screen.queryByText('Free trial active')).toBeNull();
  });

  it('announces politely to screen readers how many were found, and only once', async () => {
    mockApi(manyVariants(1_234));
    openVariants();
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said()).toContain('Loading…');
    await waitFor(() => expect(said()).toContain('Product variants found: 1,234. Page 1 of 124'));
    expect(screen.getByText('Showing 1 to 10 of 1,234 results')).not.toHaveAttribute('aria-live');
    await userEvent.type(searchBox(), '1234');
    await waitFor(() => expect(said()).toContain('Product variants found: 1'));
    await userEvent.type(searchBox(), 'x');
    await waitFor(() => expect(said()).toContain('Product variants found: 0'));
  });

  it('shows placeholders until the rows are loaded', async () => {
    mockApi(manyVariants(3));
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    server.use(http.get(listUrl, () => isReleased, { once: true }));
    openVariants();
    expect(await screen.findByRole('table')).toHaveAttribute('aria-busy', 'true');
    expect(bodyRows()).toHaveLength(10);
    release();
    await screen.findByRole('cell', { name: 'Wool socks 3' });
    expect(table()).toHaveAttribute('aria-busy', 'false');
  });

  it('shows no table until the connection is known, because the notice above would shift it', async () => {
    mockApi(manyVariants(3));
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    server.use(http.get('*/api/v1/brands/1/channel/', () => isReleased, { once: true }));
    const { queryClient } = openVariants();
    await waitFor(() => expect(queryClient.isFetching()).toBe(1));
    expect(screen.queryByRole('table')).toBeNull();
    expect(searchBox()).toBeVisible();
    release();
    expect(await screen.findByRole('cell', { name: 'Wool socks 3' })).toBeVisible();
  });

  it('keeps the previous rows, dimmed, while the next ones are loading', async () => {
    mockApi(manyVariants(25));
    openVariants();
    await screen.findByRole('cell', { name: 'Wool socks 10' });
    server.use(http.get(listUrl, () => delay('infinite')));
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(table()).toHaveAttribute('aria-busy', 'true'));
    expect(names()[0]).toBe('Wool socks 1');
    expect(table().querySelector('tbody')).toHaveClass('opacity-55');
  });
});

describe('a brand without variants', () => {
  // spec: §2 variants empty
  it('says so, offers to add the first, and has no search', async () => {
    mockApi([]);
    openVariants();
    expect(await screen.findByRole('heading', { name: 'No products yet' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add your first product variant' })).toBeVisible();
    expect(screen.queryByRole('searchbox')).toBeNull();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('looks different from a search without matches', async () => {
    mockApi(manyVariants(3));
    const { query } = openVariants('?search=tea&filter=published');
    expect(await screen.findByText('No data available')).toBeVisible();
    const searched = 'Nothing matches “tea” in name, GTIN, certificate or certification';
    expect(screen.getByText(`${searched} with the filter “Published only”.`)).toBeVisible();
    expect(screen.queryByText('No products yet')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(await screen.findByText(`${searched}.`)).toBeVisible();
    expect(query()).toBe('?search=tea');
    expect(searchBox()).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(await screen.findByRole('cell', { name: 'Wool socks 1' })).toBeVisible();
    expect(searchBox()).toHaveValue('');
    expect(searchBox()).toHaveFocus();
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveTextContent('All variants');
    expect(query()).toBe('');
  });

  it.each([
    ['?search=tea', 'Nothing matches “tea” in name, GTIN, certificate or certification.', 'Clear search'],
    ['?filter=published', 'Nothing fits the filter “Published only”.', 'Clear filter'],
    ['?certificate=7', 'Nothing fits the filter “With one certificate”.', 'Clear filter'],
  ])('looks different from %s without matches', async (query, text, clear) => {
    mockApi(manyVariants(3));
    openVariants(query);
    expect(await screen.findByText(text)).toBeVisible();
    expect(within(table()).getByText('No data available')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: clear }));
    expect(await screen.findByRole('cell', { name: 'Wool socks 1' })).toBeVisible();
  });
});

describe('a list that cannot be read', () => {
  it('shows an error, and can be loaded again', async () => {
    mockApi(manyVariants(3));
    server.use(http.get(listUrl, () => refusal('internal_error'), { once: true }));
    openVariants();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The product variants could not be loaded');
    expect(alert).toHaveTextContent('Server error. Please try again later.');
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('cell', { name: 'Wool socks 3' })).toBeVisible();
  });

  it('that cannot be refreshed says so below its rows, until trying again succeeds', async () => {
    mockApi(manyVariants(3));
    const { queryClient } = openVariants();
    await screen.findByRole('cell', { name: 'Wool socks 3' });
    server.use(http.get(listUrl, () => HttpResponse.error(), { once: true }));
    await queryClient.refetchQueries({ queryKey: variantKeys.lists(1) });
    expect(await screen.findByText('Could not refresh')).toHaveRole('status');
    expect(screen.getByRole('cell', { name: 'Wool socks 3' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Could not refresh')).toBeNull());
  });

  it('keeps the rows while a connection that could not be read is asked for again', async () => {
    mockApi(manyVariants(3));
    const connection = '*/api/v1/brands/1/channel/';
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    server.use(http.get(connection, () => HttpResponse.error()));
    const { queryClient } = openVariants();
    const cell = await screen.findByRole('cell', { name: 'Wool socks 3' });
    server.use(
      http.get(connection, () => {
        ask();
        return new Promise<never>(() => undefined);
      }),
    );
    void queryClient.refetchQueries({ queryKey: connectionQuery(1).queryKey });
    await isAsked;
    // Time to render.
    await userEvent.click(searchBox());
    expect(cell).toBeVisible();
  });

  it('says that the network is unavailable, and keeps the search', async () => {
    mockApi(manyVariants(3));
    server.use(http.get(listUrl, () => HttpResponse.error()));
    openVariants('?search=wool');
    expect(await screen.findByRole('alert')).toHaveTextContent('Network error. Please check your connection.');
    expect(searchBox()).toHaveValue('wool');
  });
});

describe('in Spanish', () => {
  it('everything is in Spanish, including numbers', async () => {
    await changeLanguage('es');
    mockApi([makeVariant(1, { published: true }), ...manyVariants(12_345).slice(1)]);
    openVariants();
    expect(await screen.findByText('Mostrando 1–10 de 12.345 resultados')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Variantes de producto y publicación' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Añadir variante de producto' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Publicar todo en los canales' })).toBeVisible();
    expect(screen.getByPlaceholderText('Buscar por GTIN o nombre de la variante...')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Filtro' })).toHaveTextContent('Todas las variantes');
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      'GTIN',
      'Variante',
      'Certificaciones',
      'Publicada',
      'Acciones',
    ]);
    expect(screen.getAllByText('Sin certificaciones')).toHaveLength(10);
  });
});
