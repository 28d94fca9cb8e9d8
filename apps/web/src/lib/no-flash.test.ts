import { STORAGE_KEYS } from '@brand-portal/contract/constants';
import { PAGES } from '@brand-portal/contract/pages';
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import page from '../../index.html?raw';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { hasStoredProviderSession } from '../features/auth/provider-client.ts';
import { restoreSignInFailure } from '../features/auth/sign-in-failure.ts';
import { renderFirstPaint } from '../first-paint.tsx';
import { setSystemColorMode } from '../test/media-queries.ts';
import { writeRuntimeConfig } from '../test/runtime-config-block.ts';
import { preferredLanguage } from './i18n.ts';

const scripts = [...new DOMParser().parseFromString(page, 'text/html').querySelectorAll('script:not([src]):not([type])')];

function runInlineScript(place: 'head' | 'body' = 'head') {
  const [script, ...others] = scripts.filter((script) => script.closest(place));
  expect(others).toEqual([]);
  new Function(script?.textContent ?? '')();
  return document.documentElement;
}

const user = { id: 1, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' };

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

  describe('shows the sign-in page’s HTML', () => {
    const isShown = () => {
      const { screen } = runInlineScript().dataset;
      // Everybody else sees a spinner, never a blank page.
      expect(screen).toMatch(/^(sign-in|loading|completing)$/);
      return screen === 'sign-in';
    };

    beforeEach(() => {
      writeRuntimeConfig();
      sessionStorage.clear();
      window.history.replaceState(null, '', '/brands/7/product-variants');
    });

    it('to a signed-out user', () => {
      expect(isShown()).toBe(true);
      useAuthStore.getState().logOut();
      expect(localStorage.getItem(STORAGE_KEYS.auth)).not.toBeNull();
      expect(isShown()).toBe(true);
    });

    it('not to a signed-in user', () => {
      useAuthStore.getState().logIn({ access: 'a', refresh: 'r', user });
      expect(isShown()).toBe(false);
      useAuthStore.getState().logOut();
    });

    it('not while there may be a session at the provider', () => {
      localStorage.setItem('@@auth0spajs@@::web', '{}');
      expect(hasStoredProviderSession()).toBe(true);
      expect(isShown()).toBe(false);
    });

    it('not when a sign-in failure has to be shown too', () => {
      sessionStorage.setItem('sign-in-failure', 'provider_unavailable');
      expect(isShown()).toBe(false);
      restoreSignInFailure();
      expect(useAuthStore.getState().error).toBe('provider_unavailable');
    });

    it('not when sign-in is not configured', () => {
      writeRuntimeConfig({ domain: '' });
      expect(isShown()).toBe(false);
    });

    it.each([PAGES.callback, PAGES.verifyEmail, PAGES.setupPassword])('not at %s', (path) => {
      window.history.replaceState(null, '', `${path}?token=1`);
      expect(isShown()).toBe(false);
    });

    it('but a spinner with a text after the redirect from the provider', () => {
      window.history.replaceState(null, '', '/callback?code=1');
      expect(runInlineScript().dataset.screen).toBe('completing');
    });

    it('not when storage is refused', () => {
      vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
        throw new DOMException('refused', 'SecurityError');
      });
      expect(isShown()).toBe(false);
    });
  });

  it.each([
    ['/brands', 'en', 'Welcome to Brand Portal'],
    ['/brands', 'es', 'Te damos la bienvenida a Brand Portal'],
    ['/verify-email', 'en', 'Loading…'],
    ['/callback', 'es', 'Completando el inicio de sesión...'],
  ])('keeps one screen of the prerendered HTML, at %s in %s', async (path, language, title) => {
    writeRuntimeConfig();
    sessionStorage.clear();
    window.history.replaceState(null, '', path);
    localStorage.setItem('language', language);
    document.body.innerHTML = await renderFirstPaint();
    expect(screen.queryByRole('heading')).toBeNull();
    runInlineScript();
    runInlineScript('body');
    expect(screen.getByRole('heading')).toHaveTextContent(title);
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    document.body.innerHTML = '';
  });

  describe('with a click on the sign-in button before the app is loaded', () => {
    const button = () => document.querySelector('main button') as HTMLButtonElement;
    const isRemembered = () => document.documentElement.hasAttribute('data-sign-in-pressed');

    beforeEach(async () => {
      writeRuntimeConfig();
      window.history.replaceState(null, '', PAGES.brands);
      document.body.innerHTML = await renderFirstPaint();
      runInlineScript();
      runInlineScript('body');
      return () => {
        document.documentElement.removeAttribute('data-sign-in-pressed');
        document.body.innerHTML = '';
      };
    });

    it('remembers the click, and shows it', () => {
      expect(isRemembered()).toBe(false);
      fireEvent.click(button().querySelector('svg') as Element);
      expect(isRemembered()).toBe(true);
      expect(button()).toBeDisabled();
      expect(button()).toHaveTextContent('Signing in...');
    });

    it('executes the click if the app replaces the button between pointer down and up', () => {
      fireEvent.pointerDown(button());
      document.body.innerHTML = '<div id="root"><main><button>Sign in</button></main></div>';
      const signIn = vi.fn();
      button().addEventListener('click', signIn);
      fireEvent.pointerUp(button());
      expect(signIn).toHaveBeenCalled();
      signIn.mockClear();
      fireEvent.pointerDown(button());
      fireEvent.pointerUp(button());
      expect(signIn, 'the browser itself makes a click of it').not.toHaveBeenCalled();
    });

    it('remembers the focus, also when the app replaces the button', () => {
      const isFocused = () => document.documentElement.hasAttribute('data-sign-in-focused');
      expect(isFocused()).toBe(false);
      button().focus();
      document.body.innerHTML = '<main><button>Sign in</button></main>';
      expect(isFocused()).toBe(true);
      button().focus();
      expect(isFocused()).toBe(false);
    });

    it('remembers no click elsewhere', () => {
      fireEvent.click(document.querySelector('h1') as Element);
      expect(isRemembered()).toBe(false);
      expect(button()).toHaveTextContent('Sign in');
    });

    it('discards the click when the app fails to load, and reloads the page on the next one', () => {
      fireEvent.click(button());
      const script = document.body.appendChild(document.createElement('script'));
      fireEvent.error(document.querySelector('img') as Element);
      expect(button()).toBeDisabled();
      fireEvent.error(script);
      expect(isRemembered()).toBe(false);
      expect(button()).toBeEnabled();
      expect(button()).toHaveTextContent('Sign in');
      const reload = vi.fn();
      vi.stubGlobal('location', { reload });
      fireEvent.click(button());
      // Also called by the scripts of all tests before.
      expect(reload).toHaveBeenCalled();
    });
  });

  describe('when the app or its texts cannot be loaded', () => {
    const fail = () => fireEvent.error(document.head.appendChild(document.createElement('script')));
    const openAt = async (path: string, language: string) => {
      writeRuntimeConfig();
      sessionStorage.clear();
      window.history.replaceState(null, '', path);
      localStorage.setItem('language', language);
      document.body.innerHTML = await renderFirstPaint();
      runInlineScript();
      runInlineScript('body');
      return () => {
        document.body.innerHTML = '';
      };
    };

    it.each([
      ['en', 'Network error. Please check your connection.', 'Sign in'],
      ['es', 'Error de red. Comprueba tu conexión.', 'Iniciar sesión'],
    ])('says so above the sign-in button, once, in %s', async (language, text, button) => {
      const close = await openAt('/brands', language);
      fail();
      fail();
      expect(screen.getByRole('alert')).toHaveTextContent(text);
      expect(screen.getByRole('button', { name: button })).toBeEnabled();
      close();
    });

    it('offers to reload instead of an endless spinner', async () => {
      const close = await openAt('/verify-email', 'en');
      fail();
      expect(screen.queryByText('Loading…')).toBeNull();
      expect(screen.getByRole('alert')).toHaveTextContent('This page could not be shown');
      const reload = vi.fn();
      vi.stubGlobal('location', { reload });
      fireEvent.click(screen.getByRole('button', { name: 'Reload the page' }));
      expect(reload).toHaveBeenCalled();
      close();
    });
  });

  describe('fetches the app', () => {
    const codeOfPage = () => document.head.querySelector('link[href="/app.js"]');
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const files = {
      shell: ['/shell.js'],
      brands: ['/brands.js'],
      brand: ['/brand.js'],
      variants: ['/variants.js'],
      en: ['/en.js'],
      es: ['/es.js'],
    };
    const preloaded = () => [...document.head.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href'));

    beforeEach(() => {
      writeRuntimeConfig();
      window.history.replaceState(null, '', PAGES.brands);
      document.body.innerHTML = `<script type="application/json" id="page-files">${JSON.stringify(files)}</script>
        <template id="code"><link rel="modulepreload" href="/app.js"></template>`;
      return () => {
        for (const link of document.head.querySelectorAll('link[rel=modulepreload]')) link.remove();
        document.body.innerHTML = '';
      };
    });

    it('at once for a signed-in user', () => {
      localStorage.setItem('@@auth0spajs@@::web', '{}');
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
      runInlineScript();
      expect(codeOfPage()).not.toBeNull();
    });

    it.each([
      ['/brands', ['/brands.js']],
      ['/account', []],
      ['/brands/7/certifications', ['/brand.js']],
      ['/brands/7', ['/brand.js', '/variants.js']],
      ['/brands/7/product-variants/3', ['/brand.js', '/variants.js']],
    ])('with the code and texts of the member’s page at %s', (path, page) => {
      localStorage.setItem('@@auth0spajs@@::web', '{}');
      window.history.replaceState(null, '', path);
      runInlineScript();
      expect(preloaded()).toEqual(['/app.js', '/shell.js', '/en.js', ...page]);
    });

    it('for a visitor when the sign-in page’s HTML is painted', async () => {
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
      runInlineScript();
      await nextFrame();
      expect(codeOfPage()).toBeNull();
      document.dispatchEvent(new Event('DOMContentLoaded'));
      expect(codeOfPage()).toBeNull();
      await nextFrame();
      await nextFrame();
      expect(codeOfPage()).not.toBeNull();
    });

    it('at once for a visitor in a hidden tab', () => {
      vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
      runInlineScript();
      expect(preloaded()).toEqual(['/app.js']);
    });
  });
});
