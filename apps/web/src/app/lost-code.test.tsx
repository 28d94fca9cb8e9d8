import { TOAST_DURATION_MS } from '@brand-portal/contract/constants';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as session from '../features/auth/use-session.ts';
import { brandList } from '../features/brands/test-support/brands.tsx';
import { makeCertificate, mockCertificates, openCertificates } from '../features/certificates/test-support/certificates.tsx';
import { manyVariants, mockVariants, openVariants } from '../features/variants/test-support/variants.tsx';
import { changeLanguage, loadTexts } from '../lib/i18n.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { startMockServer } from '../test/mock-server.ts';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { clearToasts, getToasts, toast } from '../ui/toast-store.ts';
import { App } from './app.tsx';
import { Providers } from './providers.tsx';
import { signInAs, writeRuntimeConfig } from './test-support/signed-in.ts';

const network = vi.hoisted(() => ({ isDown: true }));
vi.mock('../locales/es/portal.json', async (importOriginal) => {
  if (network.isDown) throw new Error('offline');
  return importOriginal();
});
vi.mock('./not-found-page.tsx', () => {
  throw new Error('gone with the last release');
});
vi.mock('../ui/toaster.tsx', () => {
  throw new Error('gone with the last release');
});
vi.mock('../features/certificates/certificate-panel.tsx', () => {
  throw new Error('offline');
});
vi.mock('../features/variants/variant-panel.tsx', () => {
  throw new Error('offline');
});

const server = startMockServer();

beforeEach(() => {
  network.isDown = true;
  clearToasts();
});
afterEach(() => {
  vi.useRealTimers();
  clearToasts();
  return changeLanguage('en');
});

describe('the list stays if the code of its panel cannot be loaded', () => {
  it('of certificates', async () => {
    server.use(mockCertificates([makeCertificate('FSC-C104882')]).handler);
    openCertificates();
    await screen.findByText(/^Showing/);
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByRole('cell', { name: 'FSC-C104882' })).toBeVisible();
  });

  it('of variants', async () => {
    server.use(...mockVariants(manyVariants(1)).handlers);
    openVariants();
    await screen.findByText(/^Showing/);
    await act(() => vi.dynamicImportSettled());
    expect(screen.getByRole('cell', { name: 'Wool socks 1' })).toBeVisible();
  });
});

it('a page whose code cannot be loaded shows an error with a reload button, and the sidebar stays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(session, 'useSession').mockReturnValue();
  writeRuntimeConfig();
  signInAs();
  server.use(http.get('*/api/v1/brands/', () => HttpResponse.json(brandList)));
  render(
    <Providers queryClient={createQueryClient()}>
      <MemoryRouter initialEntries={['/nowhere']}>
        <App />
      </MemoryRouter>
    </Providers>,
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('This page could not be shown');
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeEnabled();
  expect(screen.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
});

describe('texts that cannot be fetched', () => {
  it('make the page fail that needs them', async () => {
    i18next.language = 'es';
    await expect(loadTexts('portal')).rejects.toThrow();
  });

  it('keep the language and show an error, and can be fetched later', async () => {
    render(<LanguageSwitch />);
    const choose = () => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'Español');
    await choose();
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The language could not be changed' }]));
    expect(screen.getByRole('combobox', { name: 'Language' })).toHaveValue('en');
    expect(localStorage.getItem('language')).toBeNull();
    expect(i18next.language).toBe('en');

    network.isDown = false;
    await choose();
    expect(await screen.findByRole('combobox', { name: 'Idioma' })).toHaveValue('es');
    expect(i18next.t('shell.dashboard')).toBe('Panel');
  });
});

it('a toast whose code cannot be loaded is shown as a plain text for a while, and the page stays', async () => {
  render(
    <Providers queryClient={createQueryClient()}>
      <p>The page</p>
    </Providers>,
  );
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await act(async () => void toast({ title: 'Something went wrong', description: 'Try again.' }));
  expect(await screen.findByRole('alert', {}, { timeout: 10_000 })).toHaveTextContent('Something went wrong Try again.');
  expect(screen.getByText('The page')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2 * TOAST_DURATION_MS));
  expect(screen.queryByRole('alert')).toBeNull();
});
