import type { RuntimeConfig } from '@brand-portal/contract/identity';

/** Writes what the server writes into the page, and removes what an earlier test wrote. */
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
