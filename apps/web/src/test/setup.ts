import '@testing-library/jest-dom/vitest';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { startI18n } from '../lib/i18n.ts';
import { setSystemColorMode } from './system-color-mode.ts';

// What Radix asks of a browser and jsdom does not have.
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

beforeEach(() => {
  localStorage.clear();
  setSystemColorMode('light');
});

afterEach(cleanup);
