import type { PlatformBrand } from '@brand-portal/contract/platform';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { ReactElement } from 'react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { useAuthStore } from '../auth/auth-store.ts';
import { refusal, renderAt } from '../brands/test-support/brands.tsx';
import { PlatformBrandsPage } from './platform-brands-page.tsx';
import { FailuresPage, JobsPage, RegistriesPage } from './platform-pages.tsx';

const server = startMockServer();
const base = '*/api/v1/platform/';
const notFound = <p>No such page</p>;
const open = (page: ReactElement, search = '') => renderAt(`/platform/x${search}`, page);
const dialog = () => screen.findByRole('dialog');
const inDialog = async (name: string) => within(await dialog()).getByRole('button', { name });

/** Mocks a call and records its bodies. */
function mockApi(method: 'post' | 'patch' | 'delete', path: string, answer: object | null = null) {
  const sent: { path: string; body: unknown }[] = [];
  server.use(
    http[method](path.startsWith('*') ? path : base + path, async ({ request }) => {
      const text = await request.text();
      sent.push({ path: new URL(request.url).pathname, body: text ? JSON.parse(text) : undefined });
      return answer ? HttpResponse.json(answer) : new HttpResponse(null, { status: 204 });
    }),
  );
  return sent;
}

const acme: PlatformBrand = {
  id: 7,
  name: 'Acme',
  status: 'pending',
  created_at: '2026-01-02T00:00:00Z',
  opted_in_for_trial: false,
  ...{
    member_count: 2,
    shares_name: false,
    owner: { email: 'olivia@example.com', name: 'Olivia Lindqvist', is_invited: true },
  },
};

function mockBrands(results: PlatformBrand[] = [acme], count = results.length) {
  const requests: Record<string, string>[] = [];
  server.use(
    http.get(`${base}brands/`, ({ request }) => {
      requests.push(Object.fromEntries(new URL(request.url).searchParams));
      const sharing_names = results.filter(({ shares_name }) => shares_name).length;
      return HttpResponse.json({ results, count, sharing_names });
    }),
  );
  return requests;
}

afterEach(() => {
  clearToasts();
  useAuthStore.setState({ user: null });
  return changeLanguage('en');
});

it('brands are listed, searched, filtered and paged with the state of the URL', async () => {
  const requests = mockBrands([acme], 300);
  open(<PlatformBrandsPage notFound={notFound} />, '?search=ac&page=3&status=pending');
  const row = within(await screen.findByRole('table', { name: 'All brands' })).getAllByRole('row')[1];
  await waitFor(() => expect(row).toBeDefined());
  expect(await screen.findByText(/^Olivia Lindqvist/)).toBeVisible();
  expect(screen.getByText(/olivia@example\.com · invited/)).toBeVisible();
  expect(requests).toEqual([{ search: 'ac', page: '3', page_size: '10', status: 'pending' }]);
  await userEvent.click(screen.getByRole('combobox', { name: 'Status' }));
  await userEvent.click(screen.getByRole('option', { name: 'All statuses' }));
  await waitFor(() => expect(requests.at(-1)).toEqual({ search: 'ac', page: '1', page_size: '10' }));
});

it('brands that share a name are pointed out, and shown by one click', async () => {
  const requests = mockBrands([
    { ...acme, shares_name: true },
    { ...acme, id: 8, name: 'ACME', shares_name: true },
  ]);
  open(<PlatformBrandsPage notFound={notFound} />, '?search=ac');
  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent('2 brands have the name of another one.');
  expect(screen.getAllByText('Same name as another brand')).toHaveLength(2);
  await userEvent.click(within(notice).getByRole('button', { name: 'Show them' }));
  await waitFor(() => expect(requests.at(-1)).toEqual({ shares_name: 'true', page: '1', page_size: '10' }));
  expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Same name as another brand');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a search without a matching brand says so, and can be cleared', async () => {
  mockBrands([]);
  open(<PlatformBrandsPage notFound={notFound} />, '?search=zzz&status=active');
  expect(await screen.findByText('No brand was found for “zzz”.')).toBeVisible();
  const requests = mockBrands();
  await userEvent.click(screen.getByRole('button', { name: 'Show all brands' }));
  expect(await screen.findByText('Acme')).toBeVisible();
  expect(requests).toEqual([{ page: '1', page_size: '10' }]);
  expect(screen.getByRole('searchbox', { name: 'Search brands' })).toHaveFocus();
});

it('that nothing matches is said of the search whose rows are shown, while another one runs', async () => {
  mockBrands([]);
  open(<PlatformBrandsPage notFound={notFound} />, '?search=zzz');
  expect(await screen.findByText('No brand was found for “zzz”.')).toBeVisible();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get(`${base}brands/`, async () => {
      await held;
      return HttpResponse.json({ results: [], count: 0, sharing_names: 0 });
    }),
  );
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search brands' }), 'y');
  await waitFor(() => expect(screen.getByRole('table', { name: 'All brands' })).toHaveAttribute('aria-busy', 'true'));
  expect(screen.getByText('No brand was found for “zzz”.')).toBeVisible();
  answer();
  expect(await screen.findByText('No brand was found for “zzzy”.')).toBeVisible();
});

it('a brand is created once, and a missing field is named', async () => {
  mockBrands();
  const sent = mockApi('post', '*/api/v1/brands/', { id: 8 });
  open(<PlatformBrandsPage notFound={notFound} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Create brand' }));
  await userEvent.type(within(await dialog()).getByRole('textbox', { name: 'Name' }), ' Casa Verde ');
  await userEvent.click(await inDialog('Create brand'));
  const email = within(await dialog()).getByRole('textbox', { name: 'Owner’s email address' });
  expect(email).toHaveAccessibleDescription('Please fill this in.');
  expect(sent).toEqual([]);
  expect(within(await dialog()).getByRole('textbox', { name: 'Owner’s email address' })).toHaveFocus();
  await userEvent.type(email, 'ana');
  await userEvent.click(await inDialog('Create brand'));
  expect(email).toHaveAccessibleDescription('Enter an email address.');
  await userEvent.clear(email);
  await userEvent.type(email, 'ana@casaverde.example');
  await userEvent.dblClick(await inDialog('Create brand'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.map(({ body }) => body)).toEqual([{ name: 'Casa Verde', owner_email: 'ana@casaverde.example' }]);
  expect(getToasts()).toMatchObject([{ title: 'Casa Verde is created' }]);
});

it('a status is changed and an owner added; a refusal is shown in its dialog', async () => {
  mockBrands();
  const changed = mockApi('patch', 'brands/7/', acme);
  open(<PlatformBrandsPage notFound={notFound} />);
  const menu = () => screen.findByRole('button', { name: 'Actions for Acme' });
  await userEvent.click(await menu());
  await userEvent.click(screen.getByRole('menuitem', { name: 'Set to Active' }));
  await waitFor(() => expect(changed.map(({ body }) => body)).toEqual([{ status: 'active' }]));
  await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Acme: Active' }]));

  server.use(http.post(`${base}brands/7/owners/`, () => refusal('already_member'), { once: true }));
  await userEvent.click(await menu());
  await userEvent.click(screen.getByRole('menuitem', { name: 'Add an owner' }));
  await userEvent.type(within(await dialog()).getByRole('textbox'), 'ana@example.com');
  await userEvent.click(await inDialog('Add an owner'));
  expect(await within(await dialog()).findByRole('alert')).toBeVisible();
  const added = mockApi('post', 'brands/7/owners/', acme);
  await userEvent.click(await inDialog('Add an owner'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(added.map(({ body }) => body)).toEqual([{ email: 'ana@example.com' }]);
});

const delivery = {
  brand_id: 7,
  brand_name: 'Acme',
  variant_id: 3,
  gtin: '61414100',
  state: 'queued',
  attempts: 3,
  reason: 'Quota exceeded',
  since: '2026-11-01T08:00:00Z',
  next_attempt_at: '2026-11-01T09:00:00Z',
};

it('failures are shown with brand and reason, and a delivery is retried', async () => {
  const failed = {
    brand_id: 7,
    brand_name: 'Acme',
    id: 1,
    file_name: 'a.csv',
    reason: 'Stopped',
    created_at: '2026-11-01T08:00:00Z',
  };
  server.use(
    http.get(`${base}deliveries/`, () => HttpResponse.json({ results: [delivery], count: 140 })),
    http.get(`${base}imports/`, () => refusal('internal_error'), { once: true }),
    http.get(`${base}imports/`, () => HttpResponse.json({ results: [failed], count: 120 })),
  );
  const sent = mockApi('post', 'deliveries/retry/', { deliveries: 1 });
  open(<FailuresPage notFound={notFound} />);
  const list = within(await screen.findByRole('list', { name: 'Deliveries to Google' }));
  expect(list.getByRole('listitem')).toHaveTextContent(/Acme · 61414100.*Quota exceeded.*3 failed tries.*next try/);
  expect(screen.getByText('These are the oldest 1 of 140.')).toBeVisible();
  await userEvent.click(list.getByRole('button', { name: 'Retry Acme · 61414100' }));
  await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The delivery is tried again' }]));
  expect(sent.map(({ body }) => body)).toEqual([{ brand_id: 7, variant_id: 3 }]);
  expect(await screen.findByText('These are the newest 1 of 120.')).toBeVisible();
});

it('a delivery that disappears from the list after its retry is confirmed, and the focus is not lost', async () => {
  server.use(
    http.get(`${base}deliveries/`, () => HttpResponse.json({ results: [delivery], count: 1 }), { once: true }),
    http.get(`${base}deliveries/`, () => HttpResponse.json({ results: [], count: 0 })),
    http.get(`${base}imports/`, () => HttpResponse.json({ results: [], count: 0 }), { once: true }),
    // Slower than the list that the delivery disappears from.
    http.get(`${base}imports/`, () => new Promise(() => undefined)),
  );
  mockApi('post', 'deliveries/retry/', { deliveries: 1 });
  open(
    <main tabIndex={-1}>
      <FailuresPage notFound={notFound} />
    </main>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Retry Acme · 61414100' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry Acme · 61414100' })).toBeNull());
  expect(screen.getByRole('main')).toHaveFocus();
  expect(getToasts()).toMatchObject([{ title: 'The delivery is tried again' }]);
});

it('a registry is rolled back after a preview of the changes', async () => {
  const registry = {
    certification_name: 'FSC',
    entries: 1_200,
    loaded_at: '2026-11-01T08:00:00Z',
    can_roll_back: true,
  };
  server.use(http.get(`${base}registries/`, () => HttpResponse.json({ results: [registry] })));
  const effects = [{ from: 'validated', to: 'invalid', certificates: 12, brands: 3 }];
  const sent = mockApi('post', 'registries/rollback/', { loaded_at: null, brands: 0, effects });
  open(<RegistriesPage notFound={notFound} />);
  expect(await screen.findByText('1,200 entries')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Roll back FSC' }));
  expect(await within(await dialog()).findByText('12 certificates: Validated → Invalid (brands: 3)')).toBeVisible();
  expect(await dialog()).toHaveTextContent('It was the first load');
  expect(sent.map(({ body }) => body)).toEqual([{ certification: 'FSC', preview: true }]);
  await userEvent.click(await inDialog('Roll back'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.at(-1)?.body).toEqual({ certification: 'FSC', preview: false });
});

it('jobs are refreshed, but not asked for again by somebody who may not see them', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let requests = 0;
  const mockJobs = (answer: () => Response) =>
    server.use(
      http.get(`${base}jobs/`, () => {
        requests += 1;
        return answer();
      }),
    );
  mockJobs(() => HttpResponse.json({ kinds: [], failing: [] }));
  open(<JobsPage notFound={notFound} />);
  await waitFor(() => expect(requests).toBe(1));
  mockJobs(() => refusal('permission_denied'));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await screen.findByText('No such page')).toBeVisible();
  expect(requests).toBe(2);
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(requests).toBe(2);
});

it('jobs are counted by kind, and failing ones are retried and deleted', async () => {
  const failing = {
    id: '5',
    task: 'send_invitation',
    attempts: 25,
    max_attempts: 25,
    last_error: 'No mail server',
    created_at: '2026-11-01T08:00:00Z',
    run_at: null,
  };
  const kinds = [{ task: 'deliver', waiting: 2, scheduled: 0, running: 1, retrying: 0, failed: 0 }];
  server.use(http.get(`${base}jobs/`, () => HttpResponse.json({ kinds, failing: [failing] })));
  const retried = mockApi('post', 'jobs/5/retry/');
  const deleted = mockApi('delete', 'jobs/5/');
  open(<JobsPage notFound={notFound} />);
  expect(await screen.findByText('2 waiting · 1 running')).toBeVisible();
  expect(screen.getByText(/25 failed tries.*given up/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Retry send_invitation #5' }));
  await waitFor(() => expect(retried).toHaveLength(1));
  const ask = async () => userEvent.click(await screen.findByRole('button', { name: 'Delete send_invitation #5' }));
  await ask();
  expect(await dialog()).toHaveAccessibleName('Delete send_invitation #5?');
  expect(await dialog()).toHaveTextContent('Its work is not done');
  await userEvent.click(await inDialog('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  server.use(http.delete(`${base}jobs/5/`, () => refusal('not_found'), { once: true }));
  await ask();
  await userEvent.click(await inDialog('Delete'));
  await waitFor(() => expect(getToasts().map(({ title }) => title)).toContain('That did not work'));
  expect(deleted).toEqual([]);
  await ask();
  await userEvent.click(await inDialog('Delete'));
  await waitFor(() => expect(deleted).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it.each([
  ['brands/', <PlatformBrandsPage key="b" notFound={notFound} />],
  ['deliveries/', <FailuresPage key="f" notFound={notFound} />],
  ['registries/', <RegistriesPage key="r" notFound={notFound} />],
  ['jobs/', <JobsPage key="j" notFound={notFound} />],
])('%s is not found for anybody but staff', async (path, page) => {
  server.use(
    http.get(`${base}imports/`, () => refusal('permission_denied')),
    http.get(base + path, () => refusal('permission_denied')),
  );
  open(page);
  expect(await screen.findByText('No such page')).toBeVisible();
  expect(screen.queryByRole('navigation')).toBeNull();
});

it('all pages have one menu, in Spanish too, and show loading errors', async () => {
  const user = { id: 1, first_name: '', last_name: '', email: 's@example.com', is_staff: true };
  useAuthStore.setState({ user });
  await changeLanguage('es');
  server.use(http.get(`${base}jobs/`, () => refusal('internal_error')));
  open(<JobsPage notFound={notFound} />);
  const menu = within(await screen.findByRole('navigation', { name: 'Plataforma' }));
  expect(menu.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Todas las marcas', '/platform/brands'],
    ['Revisiones', '/platform/reviews'],
    ['Fallos', '/platform/failures'],
    ['Registros', '/platform/registries'],
    ['Tareas', '/platform/jobs'],
  ]);
  expect(await screen.findAllByText('No se ha podido cargar la lista')).toHaveLength(2);
});

it.each([
  ['Create brand', 'button', 'Name'],
  ['Add an owner', 'menuitem', 'Owner’s email address'],
])('“%s” asks before Escape loses what was typed', async (action, role, field) => {
  mockBrands();
  open(<PlatformBrandsPage notFound={notFound} />);
  await screen.findByText('Acme');
  if (role === 'menuitem') await userEvent.click(screen.getByRole('button', { name: /Acme/ }));
  await userEvent.click(screen.getByRole(role, { name: action }));
  const typed = within(await dialog()).getByRole('textbox', { name: field });
  await userEvent.type(typed, 'x{Escape}');
  await screen.findByRole('dialog', { name: 'Discard your changes?' });
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(typed).toHaveValue('x');
});
