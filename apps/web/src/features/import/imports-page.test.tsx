import type { ImportReceipt } from '@brand-portal/contract/import';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { setWindowWidth } from '../../test/media-queries.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { brandHandler, cellsOf, importsUrl, listed, openImports, table } from './test-support/imports.tsx';

const server = startMockServer();
beforeEach(() => server.use(brandHandler()));
afterEach(() => changeLanguage('en'));

/** Mocks the list, which the test can change; records the requests. */
function mockApi(...results: ImportReceipt[]) {
  const mocked = { results, requests: [] as string[] };
  server.use(
    http.get(importsUrl, ({ request }) => {
      mocked.requests.push(new URL(request.url).search);
      return HttpResponse.json({ results: mocked.results, count: mocked.results.length });
    }),
  );
  return mocked;
}

describe('the imports', () => {
  it('are listed with file, person, counts and state, each with a link to its page', async () => {
    mockApi(
      listed({ id: 9, file_name: 'b.csv', undoes_import_id: 8, undo_until: null, variants_updated: 3, kept_count: 1 }),
      listed({ id: 8, file_name: 'b.csv', state: 'undone', rejected: 1_200, total_rows: 1_220 }),
      listed({ id: 7, file_name: 'a.csv', state: 'failed', imported_by: null }),
    );
    openImports();
    expect(await screen.findByRole('link', { name: 'Undo of b.csv' })).toHaveAttribute('href', '/brands/1/imports/9');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Imports');
    const when = expect.stringContaining('2026');
    const file = (text: string) => expect.stringMatching(new RegExp(`^${text}`));
    const none = ['–', '–', '–', '–', '–'];
    expect(cellsOf(1)).toEqual([file('Undo of b.csv'), 'Ada Byron', when, ...none, 'Done']);
    expect(cellsOf(1)[0]).toMatch(/3 restored, 0 removed, 1 kept$/);
    expect(cellsOf(2)).toEqual([file('b.csv'), 'Ada Byron', when, '1,220', '1,200', '11', '5', '4', 'Undone']);
    // On a phone, in place of the columns.
    expect(cellsOf(2)[0]).toMatch(/2026.* · Ada Byron11 created, 5 updated, 1,200 rows rejected$/);
    expect(cellsOf(3)).toEqual([file('a.csv'), 'Unknown', when, ...none, 'Failed']);
  });

  it('on a phone have one column, with the state below the name of the file', async () => {
    setWindowWidth(375);
    mockApi(listed({ id: 8, file_name: 'b.csv', state: 'checked' }));
    openImports();
    await screen.findByRole('link', { name: 'b.csv' });
    expect(cellsOf(1)[0]).toMatch(/^b\.csvChecked, not imported/);
    expect(screen.getAllByText('Checked, not imported')).toHaveLength(1);
  });

  it('have counts in the singular and the plural, in Spanish too', async () => {
    await changeLanguage('es');
    mockApi(
      listed({ id: 9, undoes_import_id: 8, variants_updated: 1, variants_removed: 2, kept_count: 1 }),
      listed({ id: 8, variants_created: 1, variants_updated: 0, rejected: 10 }),
    );
    openImports();
    expect(await screen.findByText('1 restaurada, 2 eliminadas, 1 conservada')).toBeInTheDocument();
    expect(screen.getByText('1 creada, 0 actualizadas, 10 filas rechazadas')).toBeInTheDocument();
  });

  it('are searched and paged by the server, with the state of the URL', async () => {
    const mocked = mockApi(listed());
    const { router } = openImports('imports?search=ada&page_size=20');
    await screen.findByRole('link', { name: 'socks.csv' });
    expect(mocked.requests).toEqual(['?page=1&page_size=20&search=ada']);
    await userEvent.clear(screen.getByRole('searchbox', { name: 'Search imports' }));
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search imports' }), 'socks');
    await waitFor(() => expect(router.state.location.search).toBe('?search=socks&page_size=20'));
    await waitFor(() => expect(mocked.requests.at(-1)).toBe('?page=1&page_size=20&search=socks'));
  });

  it('that need attention are listed as the link says, until all are shown again', async () => {
    const mocked = mockApi(listed());
    const { router } = openImports('imports?notice=rejected_rows');
    await screen.findByRole('link', { name: 'socks.csv' });
    expect(mocked.requests).toEqual(['?page=1&page_size=10&notice=rejected_rows']);
    const filter = screen.getByRole('combobox', { name: 'Which imports are shown' });
    expect(filter).toHaveTextContent('Needs attention: rejected rows');
    mocked.results = [];
    await userEvent.click(filter);
    await userEvent.click(screen.getByRole('option', { name: 'Needs attention: failed' }));
    await waitFor(() => expect(router.state.location.search).toBe('?notice=failed'));
    expect(await screen.findByText('No import needs attention here.')).toBeVisible();
    mocked.results = [listed()];
    await userEvent.click(screen.getByRole('button', { name: 'Show all imports' }));
    expect(await screen.findByRole('link', { name: 'socks.csv' })).toBeVisible();
    expect(router.state.location.search).toBe('');
  });

  it('that are running are polled until they have ended, and then the brand is loaded again', async () => {
    const mocked = mockApi(listed({ state: 'running', stage: 'reading', rows_done: 45, rows_total: 100 }));
    const { queryClient } = openImports();
    const variants = [...brandKeys.detail(1), 'variants'];
    queryClient.setQueryData(variants, {});
    expect(await screen.findByText('Running, 45%')).toBeVisible();
    mocked.results = [listed()];
    expect(await screen.findByText('Done')).toBeVisible();
    await waitFor(() => expect(queryClient.getQueryState(variants)?.isInvalidated).toBe(true));
    const query = queryClient.getQueryCache().findAll({ queryKey: [...brandKeys.detail(1), 'imports', 'list'] })[0];
    const interval = query?.observers[0]?.options.refetchInterval;
    expect(typeof interval === 'function' && query && interval(query)).toBe(false);
  });

  it('that are being saved are shown as running, without a percentage', async () => {
    mockApi(
      listed({ state: 'running', stage: 'merging', rows_done: 100, rows_total: 100 }),
      listed({ id: 8, state: 'running', stage: 'reading', rows_done: 100, rows_total: 100 }),
    );
    openImports();
    expect(await screen.findAllByText('Running, saving')).toHaveLength(2);
    expect(screen.queryByText(/100%/)).toBeNull();
  });

  it('distinguish the undo of a file from the undo of its corrected rows', async () => {
    const undo = { undo_until: null, file_name: 'beans.csv' };
    mockApi(
      listed({ id: 10, ...undo, undoes_import_id: 8 }),
      listed({ id: 9, ...undo, undoes_import_id: 7 }),
      listed({ id: 8, file_name: 'beans.csv', corrects_import_id: 7, state: 'undone' }),
      listed({ id: 7, file_name: 'beans.csv', state: 'undone' }),
    );
    openImports();
    expect(await screen.findByRole('link', { name: 'Undo of corrected rows of beans.csv' })).toHaveAttribute(
      'href',
      '/brands/1/imports/10',
    );
    expect(screen.getByRole('link', { name: 'Undo of beans.csv' })).toHaveAttribute('href', '/brands/1/imports/9');
  });

  it('without any entry leave the place to drop the first file', async () => {
    mockApi();
    openImports();
    expect(await screen.findByRole('heading', { name: 'No imports yet' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Choose a file' })).toBeVisible();
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  it('of a search without a match offer to clear it', async () => {
    const mocked = mockApi();
    const { router } = openImports('imports?search=nobody');
    expect(await screen.findByText(/Nothing was found for “nobody”/)).toBeVisible();
    mocked.results = [listed()];
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(await screen.findByRole('link', { name: 'socks.csv' })).toBeVisible();
    expect(router.state.location.search).toBe('');
  });

  it('that cannot be loaded can be tried again', async () => {
    server.use(http.get(importsUrl, () => HttpResponse.json({ code: 'internal_error' }, { status: 500 })));
    openImports();
    expect(await screen.findByRole('alert')).toHaveTextContent('The imports could not be loaded');
    mockApi(listed());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'socks.csv' })).toBeVisible();
  });

  it('that cannot be refreshed stay, and can be tried again', async () => {
    server.use(http.get(importsUrl, () => HttpResponse.json({ results: [listed()], count: 1 })));
    const { queryClient } = openImports();
    await screen.findByRole('table', { name: 'Imports' });
    await screen.findByText('Showing 1 to 1 of 1 results');
    server.use(http.get(importsUrl, () => HttpResponse.error(), { once: true }));
    await queryClient.refetchQueries();
    expect(await screen.findByText('Could not refresh')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Could not refresh')).toBeNull());
  });

  it('are in Spanish', async () => {
    await changeLanguage('es');
    mockApi(listed({ undoes_import_id: 3 }));
    openImports();
    expect(await screen.findByRole('link', { name: 'Se deshizo socks.csv' })).toBeVisible();
    expect(screen.getByRole('table', { name: 'Importaciones' })).toBeVisible();
    await changeLanguage('en');
    expect(table()).toBeVisible();
  });
});
