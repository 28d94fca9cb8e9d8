import { TOAST_DURATION_MS } from '@brand-portal/contract/constants';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  makeCertificate,
  mockCertificates,
  openCertificates,
} from '../features/certificates/test-support/certificates.tsx';
import { manyVariants, mockVariants, openVariants } from '../features/variants/test-support/variants.tsx';
import { changeLanguage, loadTexts } from '../lib/i18n.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { startMockServer } from '../test/mock-server.ts';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { clearToasts, getToasts, toast } from '../ui/toast-store.ts';
import { Providers } from './providers.tsx';

const network = vi.hoisted(() => ({ isDown: true }));
vi.mock('../locales/es/portal.json', async (importOriginal) => {
  if (network.isDown) throw new Error('offline');
  return importOriginal();
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
  expect(await screen.findByRole('alert', {}, { timeout: 10_000 })).toHaveTextContent(
    'Something went wrong Try again.',
  );
  expect(screen.getByText('The page')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2 * TOAST_DURATION_MS));
  expect(screen.queryByRole('alert')).toBeNull();
});
