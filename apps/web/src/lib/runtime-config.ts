import type { RuntimeConfig } from '@brand-portal/contract/identity';

const EMPTY: RuntimeConfig = { domain: '', client_id: '', support_email: '' };

/** What the server wrote into the page; empty values where it wrote nothing readable. */
export function readRuntimeConfig(): RuntimeConfig {
  const text = document.getElementById('runtime-config')?.textContent ?? '';
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...EMPTY, ...parsed } : EMPTY;
  } catch {
    return EMPTY;
  }
}
