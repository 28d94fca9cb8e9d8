import { afterEach, describe, expect, it } from 'vitest';
import { readRuntimeConfig } from './runtime-config.ts';

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
