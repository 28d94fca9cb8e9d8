import { render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { toast } from '../ui/toast-store.ts';
import { App } from './app.tsx';
import { Providers } from './providers.tsx';

function Address() {
  return <output aria-label="address">{useLocation().pathname}</output>;
}

function open(path: string) {
  render(
    <Providers queryClient={createQueryClient()}>
      <MemoryRouter initialEntries={[path]}>
        <App />
        <Address />
      </MemoryRouter>
    </Providers>,
  );
}

const address = () => screen.getByRole('status', { name: 'address' }).textContent;
const unavailable = 'This part of the portal is not available yet';

describe('the routes', () => {
  it.each([
    '/callback',
    '/verify-email',
    '/setup-password',
    '/login',
    '/brands',
    '/brands/7/product-variants',
    '/brands/7/certifications',
  ])('know %s', async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { level: 1, name: unavailable })).toBeVisible();
    expect(address()).toBe(path);
  });

  it('lead from the root to the brands', async () => {
    open('/');
    await screen.findByRole('heading', { level: 1 });
    expect(address()).toBe('/brands');
  });

  it('lead from a brand to its product variants', async () => {
    open('/brands/7');
    await screen.findByRole('heading', { level: 1 });
    expect(address()).toBe('/brands/7/product-variants');
  });

  it.each(['/nowhere', '/brands/7/nothing'])('say that %s does not exist, and offer a way on', async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the start page' })).toHaveAttribute('href', '/');
  });
});

describe('the app', () => {
  it('shows a toast from wherever it was asked for', async () => {
    open('/login');
    toast({ title: 'Saved', variant: 'success' });
    expect(await screen.findByText('Saved')).toBeVisible();
  });

  it('says so when a page fails, and offers to reload it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.doMock('./not-found-page.tsx', () => {
      throw new Error('gone');
    });
    vi.resetModules();
    const fresh = await import('./app.tsx');
    render(
      <MemoryRouter initialEntries={['/nowhere']}>
        <fresh.App />
      </MemoryRouter>,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('This page could not be shown');
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeEnabled();
    vi.doUnmock('./not-found-page.tsx');
  });
});
