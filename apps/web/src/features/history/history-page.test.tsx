import type { HistoryEntry } from '@brand-portal/contract/history';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { HistoryPage } from './history-page.tsx';

const server = startMockServer();
const url = '*/api/v1/brands/1/history/';

function makeEntry(id: number, change: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    at: '2026-11-01T08:00:00Z',
    by: { kind: 'person', id: 7, name: 'Ada Byron' },
    action: 'variant.edited',
    text: 'Variant edited: name',
    subjects: [],
    deletion: null,
    ...change,
  };
}

const DELETION = { id: 5, restorable: true, variants: 3, restored: 0 };

const entries = [
  makeEntry(9, {
    action: 'variants.deleted',
    text: 'Variants deleted: 3',
    deletion: DELETION,
    subjects: [{ kind: 'deletion', id: 5, label: 'Oak table, Pine chair and 1 more', exists: false }],
  }),
  makeEntry(8, { subjects: [{ kind: 'variant', id: 4, label: 'Olive oil (61414100)', exists: true }] }),
  makeEntry(7, { subjects: [{ kind: 'variant', id: 3, label: '61414101', exists: false }] }),
  makeEntry(6, {
    by: { kind: 'operator', id: null, name: 'Operator' },
    text: 'Member invited: editor',
    subjects: [{ kind: 'member', id: 2, label: 'luis+x@example.com', exists: true }],
  }),
];

/** Records the queries and the restore requests. */
function mockApi(answers: { results?: HistoryEntry[]; role?: string; kept?: number } = {}) {
  const { results = entries, role = 'owner', kept = 0 } = answers;
  const requests: Record<string, string>[] = [];
  const restored: string[] = [];
  const answerOf = (entry: HistoryEntry) =>
    entry.deletion && restored.length > 0 ? { ...entry, deletion: { ...DELETION, restorable: false, restored: 3 - kept } } : entry;
  server.use(
    http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role })),
    http.get(url, ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      requests.push({ ...query, language: request.headers.get('accept-language') ?? '' });
      const isFirst = !query.before;
      return HttpResponse.json({
        results: (isFirst ? results : results.slice(-1)).map(answerOf),
        older: isFirst ? 6 : null,
        newer: isFirst ? null : 6,
      });
    }),
    http.get(`${url}filters/`, () =>
      HttpResponse.json({
        people: [{ id: 7, name: 'Ada Byron' }],
        actions: [{ action: 'variants.deleted', label: 'Variants deleted' }],
      }),
    ),
    http.post('*/api/v1/brands/1/deletions/:id/restore/', ({ params }) => {
      restored.push(String(params.id));
      return HttpResponse.json({ restored: 3 - kept, kept });
    }),
  );
  return { requests, restored };
}

function Search() {
  return <output aria-label="search">{useLocation().search}</output>;
}

function open(search = '') {
  return renderAt(
    `/brands/1/history${search}`,
    <>
      <Routes>
        <Route path="/brands/:id/history" element={<HistoryPage />} />
        <Route path="*" element={null} />
      </Routes>
      <Search />
    </>,
  );
}

const rows = async () => {
  await screen.findAllByText(/Variant edited|Member invited|Variante/);
  return within(screen.getByRole('table', { name: /History|Historial/ }))
    .getAllByRole('row')
    .slice(1);
};
const addressed = () => screen.getByLabelText('search').textContent;

afterEach(() => changeLanguage('en'));

it('the history shows who did what, with links to what still exists', async () => {
  mockApi();
  open();
  const [deleted, edited, gone, invited] = await rows();
  expect(deleted).toHaveTextContent(/Nov 1, 2026.*Ada Byron.*Variants deleted: 3.*Oak table, Pine chair and 1 more/);
  expect(within(edited as HTMLElement).getByRole('link', { name: 'Olive oil (61414100)' })).toHaveAttribute(
    'href',
    '/brands/1/product-variants/4',
  );
  expect(gone).toHaveTextContent('61414101');
  expect(within(gone as HTMLElement).queryByRole('link')).toBeNull();
  expect(invited).toHaveTextContent('Operator');
  expect(within(invited as HTMLElement).getByRole('link')).toHaveAttribute('href', '/brands/1/team?search=luis%2Bx%40example.com');
});

it('deleted variants are restored from their entry', async () => {
  const { restored } = mockApi({ role: 'editor' });
  open();
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Restore (Variants deleted: 3)' }));
  expect(await screen.findByText('Restored')).toBeVisible();
  expect(restored).toEqual(['5']);
});

it.each([
  [1, '2 of 3 restored', '2 variants restored', /^1 was not restored: its GTIN was created again/],
  [3, '0 of 3 restored', '0 variants restored', /^3 were not restored: their GTINs were created again/],
])('%i of 3 deleted variants that do not come back are counted, with the reason', async (kept, state, title, reason) => {
  onTestFinished(clearToasts);
  mockApi({ kept });
  open();
  await userEvent.click(await screen.findByRole('button', { name: /^Restore/ }));
  expect(await screen.findByText(state)).toBeVisible();
  expect(getToasts()).toMatchObject([{ variant: 'warning', title, description: expect.stringMatching(reason) }]);
});

it('the focus moves to the list when the button disappears after a restore', async () => {
  mockApi();
  open();
  (await screen.findByRole('button', { name: /^Restore/ })).focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Restored');
  expect(screen.getByRole('region', { name: 'History' })).toHaveFocus();
});

it('the focus moves to the list when filters are cleared there', async () => {
  mockApi({ results: [] });
  open('?person=7');
  const clear = await screen.findByRole('button', { name: 'Show everything' });
  mockApi();
  await userEvent.click(clear);
  await rows();
  expect(screen.getByRole('region', { name: 'History' })).toHaveFocus();
});

it('viewers see what is hidden from them, and which role a restore needs', async () => {
  mockApi({ role: 'viewer' });
  open();
  expect(await screen.findByText(/Entries about members and keys are shown to admins and owners/)).toBeVisible();
  await userEvent.hover(await screen.findByRole('button', { name: /^Restore/ }));
  expect(await screen.findByRole('tooltip')).toHaveTextContent(/Your role in this brand is Viewer/);
});

it('filters and position are in the URL, and a changed filter starts at the newest entry', async () => {
  const { requests } = mockApi();
  open();
  await rows();
  await userEvent.click(screen.getByRole('button', { name: 'Older' }));
  await waitFor(() => expect(addressed()).toBe('?before=6'));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Older' })).toBeDisabled());
  await userEvent.click(screen.getByRole('combobox', { name: 'Person' }));
  await userEvent.click(screen.getByRole('option', { name: 'Ada Byron' }));
  await waitFor(() => expect(addressed()).toBe('?person=7'));
  await userEvent.click(screen.getByRole('combobox', { name: 'Action' }));
  await userEvent.click(screen.getByRole('option', { name: 'Variants deleted' }));
  await userEvent.type(screen.getByLabelText('From'), '11/1/2026');
  await userEvent.type(screen.getByLabelText('To'), '2026-11-02');
  expect(addressed()).toBe('?person=7&action=variants.deleted&from=2026-11-01&to=2026-11-02');
  await waitFor(() =>
    expect(requests.at(-1)).toEqual({
      person: '7',
      action: 'variants.deleted',
      page_size: '10',
      language: 'en',
      // Dates are in the user's time zone, and the last day is included.
      from: new Date('2026-11-01T00:00:00').toISOString(),
      to: new Date('2026-11-03T00:00:00').toISOString(),
    }),
  );
});

it.each([
  ['?page_size=20', '10', ''],
  ['?before=6', '20', '?before=6&page_size=20'],
  ['?page_size=20&before=40', '10', '?before=40'],
  ['?page_size=20&after=3', '50', '?page_size=50&after=3'],
  // The page ends above the eleventh row, so it has the first ten.
  ['?page_size=20&after=3', '10', '?after=12'],
])('%s with %s rows per page keeps the first visible row', async (before, size, after) => {
  mockApi({ results: Array.from({ length: 20 }, (_, index) => makeEntry(22 - index)) });
  open(before);
  await rows();
  await userEvent.click(screen.getByRole('combobox', { name: 'Per page:' }));
  await userEvent.click(screen.getByRole('option', { name: size }));
  await waitFor(() => expect(addressed()).toBe(after));
});

it('invalid parameters in the URL are ignored', async () => {
  const { requests } = mockApi();
  open('?person=x&action=%27&from=2026-99-99&before=-1');
  await rows();
  expect(requests).toEqual([{ page_size: '10', language: 'en' }]);
});

it('an empty result says so, and the filters can be cleared', async () => {
  const { requests } = mockApi({ results: [] });
  open('?person=7');
  expect(await screen.findByText('Nothing in the history matches this filter.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(await screen.findByText('Nothing has happened yet')).toBeVisible();
  expect(requests.map(({ person }) => person)).toEqual(['7', undefined]);
});

it('a history that cannot be loaded can be loaded again, in Spanish too', async () => {
  await changeLanguage('es');
  const { requests } = mockApi();
  server.use(http.get(url, () => refusal('internal_error'), { once: true }));
  open();
  expect(await screen.findByText('No se ha podido cargar el historial')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Intentar de nuevo' }));
  expect(await rows()).toHaveLength(4);
  expect(requests.at(-1)?.language).toBe('es');
  expect(screen.getByRole('columnheader', { name: 'Quién' })).toBeVisible();
});
