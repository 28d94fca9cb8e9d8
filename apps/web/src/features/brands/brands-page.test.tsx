import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { ownAttentionQuery } from '../attention/attention-queries.ts';
import { BrandsPage } from './brands-page.tsx';
import { brandList, refusal, renderAt } from './test-support/brands.tsx';

const server = startMockServer();
const url = '*/api/v1/brands/';
const answer = (list: object) => server.use(http.get(url, () => HttpResponse.json(list)));
const stat = (label: string) => screen.getByText(label).parentElement;

afterEach(() => changeLanguage('en'));

describe('the dashboard', () => {
  // spec: §2 dashboard counts
  it('counts the brands, those with a trial, and the people', async () => {
    answer(brandList);
    renderAt('/brands', <BrandsPage />);
    expect(screen.getByRole('heading', { level: 1, name: 'Brands' })).toBeVisible();
    await screen.findByRole('heading', { level: 3, name: 'Tiny' });
    expect(stat('Total brands')).toHaveTextContent('Total brands2');
    expect(stat('Active brands')).toHaveTextContent('Active brands1with a free trial');
    expect(stat('Team members')).toHaveTextContent('Team members1,234');
    expect(document.title).toBe('Brands · Brand Portal');
  });

  it('shows placeholders while loading', async () => {
    answer(brandList);
    renderAt('/brands', <BrandsPage />);
    expect(screen.getByText('Total brands')).toBeVisible();
    expect(screen.getByRole('status', { name: 'Loading brands…' }).children).toHaveLength(6);
    await screen.findByRole('heading', { level: 3, name: 'Tiny' });
    expect(screen.queryByRole('status', { name: 'Loading brands…' })).toBeNull();
  });

  it('shows what needs attention before the list of brands, both at the same time', async () => {
    const { promise: isAnswered, resolve: showAttention } = Promise.withResolvers<void>();
    const trouble = {
      brand_id: 7,
      name: 'Fjord & Forest',
      connection: null,
      refused: 1,
      certificates: 0,
      ends_soon: 0,
      imports: 0,
    };
    let asked = 0;
    answer(brandList);
    server.use(
      http.get('*/api/v1/users/me/attention/', async () => {
        asked += 1;
        await isAnswered;
        return HttpResponse.json({ results: [trouble] });
      }),
    );
    const { queryClient } = renderAt('/brands', <BrandsPage />);
    await waitFor(() => expect(stat('Total brands')).toHaveTextContent('Total brands2'));
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
    showAttention();
    await screen.findByRole('heading', { level: 3, name: 'Tiny' });
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings).toEqual(['Needs attention', 'All brands']);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(asked).toBe(1);
  });

  it('shows the brands even if what needs attention cannot be loaded, and while it is asked for again', async () => {
    const attention = '*/api/v1/users/me/attention/';
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    answer(brandList);
    server.use(http.get(attention, () => refusal('internal_error')));
    const { queryClient } = renderAt('/brands', <BrandsPage />);
    const tiny = await screen.findByRole('heading', { level: 3, name: 'Tiny' });
    server.use(
      http.get(attention, () => {
        ask();
        return new Promise<never>(() => undefined);
      }),
    );
    void queryClient.refetchQueries(ownAttentionQuery());
    await isAsked;
    expect(tiny).toBeVisible();
  });

  // spec: §2 dashboard empty
  it('tells a user without brands whom to ask', async () => {
    answer({ results: [], member_count: 0 });
    renderAt('/brands', <BrandsPage />);
    expect(await screen.findByRole('heading', { name: 'No brands yet' })).toBeVisible();
    expect(screen.getByText('Contact your administrator to get access to brands')).toBeVisible();
    expect(stat('Total brands')).toHaveTextContent('Total brands0');
  });

  it('shows an error, and retries on request', async () => {
    answer(brandList);
    server.use(http.get(url, () => refusal('internal_error'), { once: true }));
    renderAt('/brands', <BrandsPage />);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The brands could not be loaded');
    expect(alert).toHaveTextContent('Server error. Please try again later.');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Fjord & Forest' })).toBeVisible();
  });

  it('keeps showing the brands when they cannot be refreshed', async () => {
    server.use(http.get(url, () => HttpResponse.json(brandList), { once: true }));
    const { queryClient } = renderAt('/brands', <BrandsPage />);
    await screen.findByRole('heading', { name: 'Tiny' });
    server.use(http.get(url, () => refusal('internal_error')));
    await queryClient.refetchQueries();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByRole('heading', { name: 'Tiny' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is in Spanish', async () => {
    await changeLanguage('es');
    answer(brandList);
    renderAt('/brands', <BrandsPage />);
    expect(await screen.findByRole('link', { name: 'Gestionar Fjord & Forest' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Marcas' })).toBeVisible();
    expect(stat('Miembros del equipo')).toHaveTextContent('1234');
    expect(stat('Marcas activas')).toHaveTextContent('Marcas activas1con prueba gratuita');
    expect(screen.getByText('3 miembros')).toBeVisible();
  });
});
