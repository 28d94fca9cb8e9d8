import { describe, expect, it } from 'vitest';
import source from './palette.css?raw';

const NAMES = [
  'primary',
  'primary-hover',
  'text',
  'text-secondary',
  'text-tertiary',
  'background',
  'background-secondary',
  'surface',
  'surface-hover',
  'border',
  'border-focus',
  'success',
  'success-bg',
  'warning',
  'warning-bg',
  'error',
  'error-bg',
];

const BACKGROUNDS = ['background', 'background-secondary', 'surface', 'surface-hover'];
const TEXT_PAIRS: [string, string][] = [
  ...['text', 'text-secondary', 'text-tertiary'].flatMap((text) => BACKGROUNDS.map((on): [string, string] => [text, on])),
  ['primary', 'background'],
  ['primary', 'surface'],
  ['primary', 'primary-bg'],
  ['on-primary', 'primary'],
  ['on-primary', 'primary-hover'],
  ['on-error', 'error'],
  ['success', 'success-bg'],
  ['success', 'surface'],
  ['warning', 'warning-bg'],
  ['warning', 'surface'],
  ['error', 'error-bg'],
  ['error', 'surface'],
  ['error', 'surface-hover'],
  // Tooltips swap text and background colours.
  ['background', 'text'],
];
/** Contrast of graphics, not text: borders of fields and focus rings. */
const GRAPHIC_PAIRS: [string, string][] = [
  ['text-tertiary', 'surface'],
  ['border-focus', 'surface'],
  ['border-focus', 'background'],
];

function colours(block: string): Map<string, string> {
  return new Map([...block.matchAll(/--color-([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [name ?? '', hex ?? '']));
}

const [lightBlock = '', darkBlock = ''] = source.split('[data-theme="dark"]');
const palette = { light: colours(lightBlock), dark: colours(darkBlock) };

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(mode: 'light' | 'dark', first: string, second: string): number {
  const [one, other] = [first, second].map((name) => {
    const hex = palette[mode].get(name);
    if (!hex) throw new Error(`${mode} has no colour ${name}`);
    return luminance(hex);
  });
  const [lighter, darker] = [Math.max(one ?? 0, other ?? 0), Math.min(one ?? 0, other ?? 0)];
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s palette', (mode) => {
  // spec: §1 color modes, §3 palette
  it('has all seventeen colours', () => {
    expect([...palette[mode].keys()]).toEqual(expect.arrayContaining(NAMES));
  });

  it.each(TEXT_PAIRS)('is readable: %s on %s has a contrast of at least 4.5', (text, ground) => {
    expect(contrast(mode, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(GRAPHIC_PAIRS)('shows its edges: %s on %s has a contrast of at least 3', (edge, ground) => {
    expect(contrast(mode, edge, ground)).toBeGreaterThanOrEqual(3);
  });
});
