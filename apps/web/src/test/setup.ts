import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { loadTexts, startI18n, TEXT_FILES } from '../lib/i18n.ts';
import { clearToasts } from '../ui/toast-store.ts';
import { loadDialogWindow, loadFloating } from '../ui/use-opener.ts';
import { setSystemColorMode } from './media-queries.ts';

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

setSystemColorMode('light');
await startI18n('en');
for (const part of TEXT_FILES) await loadTexts(part);
// Pages load it after their first answers.
await Promise.all([loadFloating(), loadDialogWindow()]);

beforeEach(() => {
  localStorage.clear();
  // Test files share their modules, and a call of an earlier test may have ended after it.
  clearToasts();
  setSystemColorMode('light');
});

afterEach(() => {
  cleanup();
  // Vitest would do it before the next test. If that is in another file, its mock server has replaced `fetch` by then, and would lose it.
  vi.unstubAllGlobals();
});
