import '@testing-library/jest-dom/vitest';
import { cleanup, configure, getConfig } from '@testing-library/react';
import React from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { loadTexts, startI18n, TEXT_FILES } from '../lib/i18n.ts';
import { startTheme } from '../lib/theme.ts';
import { clearToasts } from '../ui/toast-store.ts';
import { loadDialogWindow, loadFloating } from '../ui/use-opener.ts';
import { setSystemColorMode } from './media-queries.ts';
import './computed-style.ts';

// Browser APIs that Radix uses and jsdom lacks.
Element.prototype.hasPointerCapture = () => false;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.releasePointerCapture = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// React's development build records a stack for each of the first 10,000 elements of a second, for its warnings. It takes about a sixth of the
// time of all screen tests. Here the number is reached from the start. React reads no other value if a later version renames it.
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (typeof internals === 'object' && internals !== null) {
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined });
}

// While a test waits, each query that finds nothing would print the document into an error that nobody sees. The last one prints it.
const { getElementError } = getConfig();
configure({
  // Screens load their code lazily: a busy machine needs more than the default of one second.
  asyncUtilTimeout: 8_000,
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics')
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});

setSystemColorMode('light');
await startI18n('en');
for (const part of TEXT_FILES) await loadTexts(part);
// Pages load it after their first answers.
await Promise.all([loadFloating(), loadDialogWindow()]);

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // Test files share their modules, and a call of an earlier test may have ended after it.
  clearToasts();
  setSystemColorMode('light');
  // Applies the stored mode, of which there is none, and stops following it.
  startTheme()();
  // Each test begins on a page that was just opened, without a session.
  useAuthStore.setState(useAuthStore.getInitialState(), true);
  window.history.replaceState(null, '', '/');
});

afterEach(() => {
  cleanup();
  // Vitest would do it before the next test. If that is in another file, its mock server has replaced `fetch` by then, and would lose it.
  vi.unstubAllGlobals();
});
