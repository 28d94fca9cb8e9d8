import { afterEach, describe, expect, it } from 'vitest';
import page from '../../index.html?raw';
import { readCspNonce, readRuntimeConfig, shareCspNonce } from './runtime-config.ts';

function writeBlock(text: string) {
  document.getElementById('runtime-config')?.remove();
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = 'runtime-config';
  block.textContent = text;
  document.body.append(block);
}

describe('the runtime configuration', () => {
  afterEach(() => document.getElementById('runtime-config')?.remove());

  it('is what the server wrote into the page', () => {
    writeBlock('{"domain":"id.example.com","client_id":"abc","support_email":"help@example.com"}');
    expect(readRuntimeConfig()).toEqual({
      domain: 'id.example.com',
      client_id: 'abc',
      support_email: 'help@example.com',
    });
  });

  it.each(['__RUNTIME_CONFIG__', '', 'null', '{}'])('is empty when the page says %j', (text) => {
    writeBlock(text);
    expect(readRuntimeConfig()).toEqual({ domain: '', client_id: '', support_email: '' });
  });
});

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
