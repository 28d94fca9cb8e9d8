import type { RuntimeConfig } from '@brand-portal/contract/identity';

/** Embeds the configuration in the page as the server does, and removes that of an earlier test. */
export function writeRuntimeConfig(config: Partial<RuntimeConfig> = {}): void {
  document.getElementById('runtime-config')?.remove();
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = 'runtime-config';
  const complete = {
    domain: 'http://localhost:3000/idp',
    client_id: 'web',
    support_email: 'help@example.com',
    ...config,
  };
  block.textContent = JSON.stringify(complete);
  document.head.append(block);
}
