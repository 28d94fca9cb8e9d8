import { describe, expect, it, vi } from 'vitest';
import page from '../../index.html?raw';
import { setSystemColorMode } from '../test/system-color-mode.ts';
import { preferredLanguage } from './i18n.ts';

function runInlineScript() {
  const scripts = new DOMParser().parseFromString(page, 'text/html').querySelectorAll('script:not([src]):not([type])');
  expect(scripts).toHaveLength(1);
  new Function(scripts[0]?.textContent ?? '')();
  return document.documentElement;
}

describe('the script in index.html that runs before the first paint', () => {
  it('applies the stored colour mode', () => {
    localStorage.setItem('color-mode', 'dark');
    const root = runInlineScript();
    expect(root.dataset.theme).toBe('dark');
    expect(root.style.colorScheme).toBe('dark');
  });

  it('applies the system preference when nothing is stored', () => {
    setSystemColorMode('dark');
    expect(runInlineScript().dataset.theme).toBe('dark');
    setSystemColorMode('light');
    expect(runInlineScript().dataset.theme).toBe('light');
  });

  it('still works where storage is refused', () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    setSystemColorMode('dark');
    expect(runInlineScript().dataset.theme).toBe('dark');
  });

  it.each([
    { stored: 'es', browser: ['en-US'], language: 'es' },
    { stored: 'en', browser: ['es'], language: 'en' },
    { stored: null, browser: ['es-MX', 'en'], language: 'es' },
    { stored: null, browser: ['en-GB', 'es'], language: 'en' },
    { stored: null, browser: ['est'], language: 'en' },
    { stored: 'fr', browser: ['de'], language: 'en' },
    { stored: null, browser: [], language: 'en' },
  ])('chooses $language, as the app does, for stored $stored and browser languages $browser', (example) => {
    if (example.stored) localStorage.setItem('language', example.stored);
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(example.browser);
    expect(runInlineScript().lang).toBe(example.language);
    expect(preferredLanguage()).toBe(example.language);
  });
});
