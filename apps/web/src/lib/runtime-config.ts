import type { RuntimeConfig } from '@brand-portal/contract/identity';
import { useTranslation } from 'react-i18next';

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
