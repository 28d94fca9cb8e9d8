import type { RuntimeConfig } from '@brand-portal/contract/identity';
import { useTranslation } from 'react-i18next';

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

/** A mail to whoever helps, if the portal names somebody. */
export function useSupportLink(): string | undefined {
  const { t } = useTranslation();
  const { support_email: address } = readRuntimeConfig();
  return address ? `mailto:${address}?subject=${encodeURIComponent(t('app.support_subject'))}` : undefined;
}
