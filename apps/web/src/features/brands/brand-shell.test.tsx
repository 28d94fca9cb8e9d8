import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { getToasts } from '../../ui/toast-store.ts';
import { BrandShell } from './brand-shell.tsx';
import { brandKeys, deletedBrandsQuery } from './brands-queries.ts';
import { brandList, fjord, refusal, renderAt, tiny } from './test-support/brands.tsx';

const server = startMockServer();
const url = '*/api/v1/brands/:id/';

function Dashboard() {
  return (
    <>
      <h1>The dashboard</h1>
      <Link to="/brands/1/product-variants">To Fjord</Link>
    </>
  );
}

function open(path: string) {
  return renderAt(
    path,
    <main tabIndex={-1}>
      <Routes>
        <Route path="/brands/:id" element={<BrandShell notFound={<h1>Page not found</h1>} pageError={<h1>Broken</h1>} />}>
          <Route path="product-variants" element={<h1>The variants</h1>} />
          <Route path="certifications" element={<h1>The certificates</h1>} />
          <Route path="attention" element={<h1>What needs attention</h1>} />
        </Route>
        <Route path="/brands" element={<Dashboard />} />
      </Routes>
    </main>,
  );
}

describe('the shell of a brand', () => {
  // spec: §2 brand shell header
  it('shows its logo, name and status above the page', async () => {
    server.use(http.get(url, () => HttpResponse.json(fjord)));
    const { container } = open('/brands/1/product-variants');
    expect(await screen.findByRole('heading', { level: 1, name: 'The variants' })).toBeVisible();
    expect(container.querySelector('header img')).toHaveAttribute('src', '/demo-logos/fjord.svg');
    expect(screen.getByText('Fjord & Forest')).toBeVisible();
    expect(screen.getByText('Active')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Start Free Trial' })).toBeNull();
    expect(document.title).toBe('Product Variants & Publishing · Fjord & Forest · Brand Portal');
  });

  // spec: §2 brand shell status, §3 brand status
  it.each([
    ['active', 'Active'],
    ['inactive', 'Inactive'],
    ['pending', 'Pending Review'],
  ] as const)('calls the status %s "%s"', async (status, label) => {
    server.use(http.get(url, () => HttpResponse.json({ ...tiny, status })));
    open('/brands/2/product-variants');
    expect(await screen.findByText(label)).toBeVisible();
  });

  // spec: §2 brand shell back, §2 brand shell menu
  it('links to the two pages of the brand, marks the current one, and links back to the brands', async () => {
    server.use(http.get(url, () => HttpResponse.json(fjord)));
    open('/brands/1/product-variants');
    await screen.findByRole('heading', { name: 'The variants' });
    const variants = screen.getByRole('link', { name: 'Product Variants & Publishing' });
    const certificates = screen.getByRole('link', { name: 'Certificates' });
    expect(variants).toHaveAttribute('aria-current', 'page');
    expect(certificates).not.toHaveAttribute('aria-current');
    await userEvent.click(certificates);
    expect(await screen.findByRole('heading', { name: 'The certificates' })).toBeVisible();
    expect(certificates).toHaveAttribute('aria-current', 'page');
    expect(document.title).toBe('Certificates · Fjord & Forest · Brand Portal');
    await userEvent.click(screen.getByRole('link', { name: 'Needs attention' }));
    expect(document.title).toBe('Needs attention · Fjord & Forest · Brand Portal');
    await userEvent.click(screen.getByRole('link', { name: 'Back to brands' }));
    expect(screen.getByRole('heading', { name: 'The dashboard' })).toBeVisible();
    expect(document.title).toBe('Brand Portal');
  });

  it('shows the brand at once if it is in the cached list', async () => {
    server.use(http.get(url, () => new Promise<never>(() => undefined)));
    const { queryClient } = open('/brands');
    queryClient.setQueryData(brandKeys.list(), brandList);
    await userEvent.click(screen.getByRole('link', { name: 'To Fjord' }));
    expect(screen.getByText('Fjord & Forest')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'The variants' })).toBeVisible();
  });

  it('keeps the data of the list if the brand itself cannot be read', async () => {
    server.use(http.get(url, () => HttpResponse.error()));
    const { queryClient } = open('/brands');
    queryClient.setQueryData(brandKeys.list(), brandList);
    await userEvent.click(screen.getByRole('link', { name: 'To Fjord' }));
    await waitFor(() => expect(queryClient.getQueryState(brandKeys.detail(1))?.error).not.toBeNull());
    expect(screen.getByRole('heading', { name: 'The variants' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it("shows another's brand as not found", async () => {
    server.use(http.get(url, () => refusal('brand_not_found')));
    open('/brands/9/product-variants');
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Certificates' })).toBeNull();
  });

  it('stays not found while the calls of its page are refused too', async () => {
    let calls = 0;
    server.use(
      http.get(url, () => {
        calls += 1;
        return refusal('brand_not_found');
      }),
    );
    const { queryClient } = open('/brands/9/product-variants');
    const heading = await screen.findByRole('heading', { level: 1, name: 'Page not found' });
    const failed = new ApiError({ code: 'brand_not_found', status: 404 });
    await queryClient.fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(failed) }).catch(() => undefined);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(heading).toBeVisible();
    expect(calls).toBe(1);
  });

  it('of a deleted brand links its owner to where it can be restored, and says nothing to others', async () => {
    const deletedBrands = (id: number) =>
      http.get('*/api/v1/users/me/deleted-brands/', () =>
        HttpResponse.json({ results: [{ id, name: 'Fjord & Forest', restorable_until: '2026-11-23T10:00:00Z' }] }),
      );
    server.use(
      http.get(url, () => refusal('brand_not_found')),
      deletedBrands(1),
    );
    const { queryClient } = open('/brands/1/product-variants');
    expect(await screen.findByText(/^Fjord & Forest was deleted/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Restore it on the dashboard' })).toHaveAttribute('href', '/brands');
    expect(screen.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    server.use(deletedBrands(2));
    await queryClient.refetchQueries({ queryKey: brandKeys.deleted() });
    await waitFor(() => expect(screen.queryByText(/was deleted/)).toBeNull());
  });

  it('tells a removed member so after the next failed call, and leads to the remaining brands', async () => {
    server.use(http.get(url, () => HttpResponse.json(fjord)));
    const { queryClient } = open('/brands/1/product-variants');
    await screen.findByRole('heading', { name: 'The variants' });
    queryClient.setQueryData(brandKeys.deleted(), { results: [] });
    const results = [{ id: 1, name: fjord.name, restorable_until: '2026-11-23T10:00:00Z' }];
    server.use(
      http.get(url, () => refusal('brand_not_found')),
      http.get('*/api/v1/users/me/deleted-brands/', () => HttpResponse.json({ results })),
      http.get('*/api/v1/brands/', () => HttpResponse.json({ results: [tiny], member_count: 1 })),
    );
    // Any call of a page inside, here a mutation.
    const failed = new ApiError({ code: 'variant_not_found', status: 404 });
    const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn: () => Promise.reject(failed) });
    await mutation.execute(undefined).catch(() => undefined);
    expect(await screen.findByRole('heading', { name: 'The dashboard' })).toBeVisible();
    expect(getToasts()).toMatchObject([{ title: 'You no longer have access to Fjord & Forest' }]);
    expect(queryClient.getQueryData(brandKeys.detail(1))).toBeUndefined();
    // It may have been deleted: its owners can restore it on the dashboard.
    await expect(queryClient.fetchQuery({ ...deletedBrandsQuery(), staleTime: 60_000 })).resolves.toEqual({ results });
  });

  it('stays on the page if a call finds nothing although the brand exists', async () => {
    server.use(http.get(url, () => HttpResponse.json(fjord)));
    const { queryClient } = open('/brands/1/product-variants');
    await screen.findByRole('heading', { name: 'The variants' });
    const failed = new ApiError({ code: 'variant_not_found', status: 404 });
    await queryClient.fetchQuery({ queryKey: ['x'], queryFn: () => Promise.reject(failed) }).catch(() => undefined);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByRole('heading', { name: 'The variants' })).toBeVisible();
    expect(getToasts()).toEqual([]);
  });

  it.each(['seven', '0', '-1', '1e3'])('does not call the server for an invalid brand id: %s', (id) => {
    open(`/brands/${id}/product-variants`);
    expect(screen.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  });

  it('shows other errors, and retries on request', async () => {
    server.use(http.get(url, () => HttpResponse.error(), { once: true }));
    open('/brands/1/product-variants');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The brand could not be loaded');
    expect(alert).toHaveTextContent('Network error. Please check your connection.');
    expect(screen.getByRole('link', { name: 'Back to brands' })).toHaveAttribute('href', '/brands');
    server.use(http.get(url, () => HttpResponse.json(fjord)));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'The variants' })).toBeVisible();
  });

  it('starts the trial: the button disappears, and the focus is not lost', async () => {
    const started = { ...tiny, opted_in_for_trial: true };
    server.use(http.get(url, () => HttpResponse.json(tiny), { once: true }));
    open('/brands/2/product-variants');
    await userEvent.click(await screen.findByRole('button', { name: 'Start Free Trial' }));
    server.use(
      http.post('*/api/v1/brands/2/opt-in-trial/', () => HttpResponse.json(started)),
      http.get(url, () => HttpResponse.json(started)),
    );
    expect(await screen.findByRole('dialog', { name: 'Start Free Trial' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Start Free Trial' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('button', { name: 'Start Free Trial' })).toBeNull();
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });
});
