import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { setSystemColorMode } from '../test/media-queries.ts';
import { ColorModeToggle } from '../ui/color-mode-toggle.tsx';
import { startTheme } from './theme.ts';

const shownMode = () => document.documentElement.dataset.theme;

function writeFromAnotherTab(mode: string | null) {
  if (mode === null) localStorage.removeItem('color-mode');
  else localStorage.setItem('color-mode', mode);
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'color-mode', newValue: mode }));
  });
}

describe('the colour mode', () => {
  let stop: () => void = () => undefined;
  afterEach(() => stop());

  // spec: §3 color mode
  it('is the stored choice, whatever the system prefers', () => {
    localStorage.setItem('color-mode', 'light');
    setSystemColorMode('dark');
    stop = startTheme();
    expect(shownMode()).toBe('light');
    expect(document.documentElement.style.colorScheme).toBe('light');
  });

  // spec: §3 color mode default
  it('is the system preference when nothing, or nonsense, is stored', () => {
    localStorage.setItem('color-mode', 'purple');
    setSystemColorMode('dark');
    stop = startTheme();
    expect(shownMode()).toBe('dark');
  });

  // spec: §4 theme follows the system
  it('follows the system while no choice is stored', () => {
    stop = startTheme();
    expect(shownMode()).toBe('light');
    act(() => setSystemColorMode('dark'));
    expect(shownMode()).toBe('dark');
    expect(localStorage.getItem('color-mode')).toBeNull();
  });

  // spec: §1 color modes, §3 color mode, §4 theme follows the system, §9 storage keys
  it('stops following the system once the member has chosen', async () => {
    stop = startTheme();
    render(<ColorModeToggle />);
    await userEvent.click(screen.getByRole('button', { name: 'Switch to dark mode' }));
    expect(shownMode()).toBe('dark');
    expect(localStorage.getItem('color-mode')).toBe('dark');

    act(() => setSystemColorMode('dark'));
    act(() => setSystemColorMode('light'));
    expect(shownMode()).toBe('dark');
  });

  it('follows a choice made in another tab', () => {
    stop = startTheme();
    render(<ColorModeToggle />);
    writeFromAnotherTab('dark');
    expect(shownMode()).toBe('dark');
    expect(screen.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  });

  it('follows the system again when another tab removes the choice', () => {
    localStorage.setItem('color-mode', 'dark');
    stop = startTheme();
    writeFromAnotherTab(null);
    expect(shownMode()).toBe('light');
  });
});
