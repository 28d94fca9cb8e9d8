import { afterEach, describe, expect, it } from 'vitest';
import page from '../../index.html?raw';
import { readCspNonce, shareCspNonce } from './csp-nonce.ts';

describe('the nonce of the page', () => {
  afterEach(() => {
    document.head.innerHTML = '';
    globalThis.__webpack_nonce__ = undefined;
  });

  it('is read from the meta element and passed to the code that inserts styles', () => {
    const meta = document.createElement('meta');
    meta.setAttribute('property', 'csp-nonce');
    meta.nonce = 'abc';
    document.head.append(meta);
    shareCspNonce();
    expect(readCspNonce()).toBe('abc');
    expect(globalThis.__webpack_nonce__).toBe('abc');
  });

  it('is absent where the page has none', () => {
    shareCspNonce();
    expect(globalThis.__webpack_nonce__).toBeUndefined();
  });

  it('is enough for the page itself: index.html has no inline styles or handlers', () => {
    const html = new DOMParser().parseFromString(page, 'text/html');
    expect(html.querySelectorAll('style, [style], [onload], [onclick]')).toHaveLength(0);
    expect(page).toContain('<script type="application/json" id="runtime-config">__RUNTIME_CONFIG__</script>');
  });
});
