import { describe, expect, it } from 'vitest';
import { parseWebsite, websiteLabel } from './brand-card.tsx';

describe('a website', () => {
  it.each(['https://fjord.example', 'http://fjord.example/shop?x=1'])('is linked: %s', (address) => {
    expect(parseWebsite(address)?.href).toContain(address);
  });

  it.each(['', 'fjord.example', '/shop', 'javascript:alert(1)', 'data:text/html,x', 'mailto:a@b.example', 'ftp://a.example'])(
    'is not linked: "%s"',
    (address) => {
      expect(parseWebsite(address)).toBeUndefined();
    },
  );

  it.each([
    ['https://www.fjord.example/', 'fjord.example'],
    ['http://fjord.example:8080/shop/?x=1', 'fjord.example:8080/shop'],
  ])('%s is shown as %s', (address, label) => {
    expect(websiteLabel(new URL(address))).toBe(label);
  });
});
