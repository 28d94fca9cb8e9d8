import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as session from '../features/auth/use-session.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { setWindowWidth } from '../test/media-queries.ts';
import { startMockServer } from '../test/mock-server.ts';
import { clearToasts } from '../ui/toast-store.ts';
import { App } from './app.tsx';
import { Providers } from './providers.tsx';
import { signInAs, writeRuntimeConfig } from './test-support/signed-in.ts';

const server = startMockServer();

/** Only the fields that the specification names. */
const brand = {
  id: 1,
  name: 'Fjord & Forest',
  logo: null,
  website: null,
  status: 'active',
  opted_in_for_trial: true,
  description: null,
  member_count: 3,
  owner: null,
};
const badge = {
  certification_name: 'FSC Mix',
  certifying_body_name: 'Forest Stewardship Council',
  status: 'pending',
  external_certificate_id: 'FSC-C000001',
};
const socks = {
  id: 1,
  gtin: '4006381333931',
  name: 'Wool socks',
  published: true,
  created_at: '2025-10-01T08:00:00Z',
  certifications: [badge],
};
const scarf = { ...socks, id: 2, gtin: '5901234123457', name: 'Silk scarf', published: false, certifications: [] };
const certificate = {
  certificate_id: 'FSC-C000001',
  certifying_body_code: 'FSC',
  certifying_body_name: 'Forest Stewardship Council',
  certification_name: 'FSC Mix',
  overall_status: 'pending',
};
const headers = { columns: ['gtin', 'shelf'], required_columns: ['gtin'], optional_columns: ['shelf'] };

const mockApi = (answers: { brand?: object; variants?: object[]; certificates?: object[]; upload?: object } = {}) => {
  const { brand: one = brand, variants = [socks, scarf], certificates = [certificate], upload = {} } = answers;
  server.use(
    http.get('*/api/v1/brands/', () => HttpResponse.json({ results: [one], member_count: 3 })),
    http.get('*/api/v1/brands/1/', () => HttpResponse.json(one)),
    http.get('*/api/v1/brands/1/variants/', () => HttpResponse.json({ results: variants, count: variants.length })),
    http.get('*/api/v1/brands/1/certifications/', () => HttpResponse.json(certificates)),
    http.get('*/api/v1/certifications/', () => HttpResponse.json([{ id: 1, name: 'FSC Mix' }])),
    http.get('*/api/v1/variant-certifications/csv-headers/', () => HttpResponse.json(headers)),
    http.post('*/api/v1/brands/1/variant-certifications/upload/', () => HttpResponse.json(upload)),
  );
};

function open(path: string) {
  render(
    <Providers queryClient={createQueryClient()}>
      <MemoryRouter initialEntries={[path]}>
        <App />
      </MemoryRouter>
    </Providers>,
  );
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const choose = async (name: string, item: string) => {
  await userEvent.click(within(await row(name)).getByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};
const confirm = async (name: string) => userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

beforeEach(() => {
  clearToasts();
  // The session is what the store says; other tests cover the provider.
  vi.spyOn(session, 'useSession').mockReturnValue();
  writeRuntimeConfig();
  signInAs();
  mockApi();
});

describe('with answers of exactly the fields that the specification names', () => {
  it.each([1024, 1023])('the dashboard shows a brand that has nothing but its name, at %d px', async (width) => {
    setWindowWidth(width);
    open('/brands');
    expect(await screen.findByRole('heading', { name: 'Fjord & Forest' })).toBeVisible();
    const main = within(screen.getByRole('main'));
    expect(main.getByText('No owner yet')).toBeVisible();
    expect(main.getByText('No website yet')).toBeVisible();
    expect(main.queryByRole('link', { name: /Visit website/ })).not.toBeInTheDocument();
    const sidebar = within(screen.getByRole('navigation', { name: 'Main navigation' }));
    expect(await sidebar.findByRole('link', { name: 'Fjord & Forest' })).toBeVisible();
  });

  it('the variants are shown with their badges, and without details that were not answered', async () => {
    open('/brands/1/product-variants');
    expect(within(await row('Wool socks')).getAllByRole('cell')[4]).toHaveTextContent(/^Published$/);
    expect(within(await row('Silk scarf')).getAllByRole('cell')[4]).toHaveTextContent(/^Unpublished$/);
    const shown = within(await row('Wool socks')).getByRole('listitem');
    expect(shown).toHaveTextContent('FSC Mix Pending Review');
    await userEvent.hover(within(shown).getByText('FSC Mix'));
    const tooltip = await screen.findByRole('tooltip');
    expect(tooltip).toHaveTextContent('Certificate: FSC-C000001');
    expect(tooltip).not.toHaveTextContent('It has just arrived');
  });

  it('the certificates are shown', async () => {
    open('/brands/1/certifications');
    const cells = within(await row('FSC-C000001')).getAllByRole('cell');
    expect(cells.map((cell) => cell.textContent)).toEqual(['FSC-C000001', 'Forest Stewardship Council', 'FSC Mix', 'Pending Review']);
  });

  it('a partial upload lists its errors, and offers no download of rejected rows', async () => {
    mockApi({ upload: { errors: [{ row: 3, message: 'Wrong check digit' }], imported: 1, total_rows: 2 } });
    open('/brands/1/product-variants');
    await userEvent.click(await screen.findByRole('button', { name: 'Add Product Variant' }));
    const file = new File(['gtin\n1\n'], 'socks.csv', { type: 'text/csv' });
    await userEvent.upload(await screen.findByLabelText('CSV file'), file);
    await confirm('Upload File');
    expect(await screen.findByText('Validation error in your CSV')).toBeVisible();
    expect(screen.getByText('1 of 2 rows imported successfully')).toBeVisible();
    expect(screen.getByText('Row 3: Wrong check digit')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download rejected rows' })).not.toBeInTheDocument();
  });

  it('an upload without errors succeeds', async () => {
    mockApi({ upload: { errors: [], imported: 2, total_rows: 2 } });
    open('/brands/1/product-variants');
    await userEvent.click(await screen.findByRole('button', { name: 'Add Product Variant' }));
    const file = new File(['gtin\n1\n'], 'socks.csv', { type: 'text/csv' });
    await userEvent.upload(await screen.findByLabelText('CSV file'), file);
    await confirm('Upload File');
    expect(await screen.findByText('2 rows imported successfully')).toBeVisible();
  });
});

describe('with answers whose content the specification leaves open', () => {
  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['the requested state', { id: 2, published: true }],
  ])('publishing a variant shows it as published when the answer is %s', async (_what, answer) => {
    server.use(
      http.patch('*/api/v1/variants/2/publish/', () => {
        mockApi({ variants: [socks, { ...scarf, published: true }] });
        return HttpResponse.json(answer);
      }),
    );
    open('/brands/1/product-variants');
    await choose('Silk scarf', 'Publish');
    await confirm('Publish');
    expect(await screen.findByText('Variant published successfully')).toBeVisible();
    expect(within(await row('Silk scarf')).getAllByRole('cell')[4]).toHaveTextContent(/^Published$/);
  });

  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['a message', { detail: 'The trial has started.' }],
  ])('the trial starts when the answer is %s', async (_what, answer) => {
    mockApi({ brand: { ...brand, opted_in_for_trial: false } });
    server.use(
      http.post('*/api/v1/brands/1/opt-in-trial/', () => {
        mockApi();
        return HttpResponse.json(answer);
      }),
    );
    open('/brands/1/product-variants');
    await userEvent.click(await screen.findByRole('button', { name: 'Start Free Trial' }));
    await confirm('Start Free Trial');
    expect(await screen.findByText('Free trial started successfully')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Start Free Trial' })).not.toBeInTheDocument());
    expect(screen.getByRole('main')).toHaveTextContent('Fjord & Forest');
    expect(screen.getByRole('main')).toHaveTextContent('Free trial active');
  });
});

it('additional fields are ignored, even if they have names that we use', async () => {
  const more = { created_by: { id: 9 }, reason: 7, channel: 'google', tags: ['a'] };
  mockApi({
    brand: { ...brand, ...more },
    variants: [{ ...socks, ...more, certifications: [{ ...badge, ...more }] }],
    certificates: [{ ...certificate, ...more }],
  });
  open('/brands/1/product-variants');
  expect(within(await row('Wool socks')).getAllByRole('cell')[4]).toHaveTextContent(/^Published$/);
  await userEvent.click(screen.getByRole('link', { name: 'Certificates' }));
  expect(await row('FSC-C000001')).toHaveTextContent('Pending Review');
});
