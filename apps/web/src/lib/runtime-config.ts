import type { RuntimeConfig } from '@brand-portal/contract/identity';
import { useTranslation } from 'react-i18next';

declare global {
  // Read by get-nonce: Radix's scroll lock sets this nonce on the <style> elements it inserts.
  var __webpack_nonce__: string | undefined;
}

const EMPTY: RuntimeConfig = { domain: '', client_id: '', support_email: '' };

/** The configuration that the server embedded in the page; empty values if it is missing or invalid. */
export function readRuntimeConfig(): RuntimeConfig {
  const text = document.getElementById('runtime-config')?.textContent ?? '';
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...EMPTY, ...parsed } : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** A mailto link to support, if the portal has an address for it. */
export function useSupportLink(): string | undefined {
  const { t } = useTranslation();
  const { support_email: address } = readRuntimeConfig();
  return address ? `mailto:${address}?subject=${encodeURIComponent(t('app.support_subject'))}` : undefined;
}

/** The nonce of this response, from the meta element that Vite adds to the page. */
export function readCspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
}

export function shareCspNonce(): void {
  globalThis.__webpack_nonce__ = readCspNonce();
}
