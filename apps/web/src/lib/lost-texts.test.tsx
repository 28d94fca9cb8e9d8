import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { clearToasts, getToasts } from '../ui/toast-store.ts';
import { changeLanguage, loadTexts } from './i18n.ts';

const network = vi.hoisted(() => ({ isDown: true }));
vi.mock('../locales/es/portal.json', async (importOriginal) => {
  if (network.isDown) throw new Error('offline');
  return importOriginal();
});

beforeEach(() => {
  network.isDown = true;
  clearToasts();
});
afterEach(() => changeLanguage('en'));

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
