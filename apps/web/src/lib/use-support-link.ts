import { useTranslation } from 'react-i18next';
import { readRuntimeConfig } from './runtime-config.ts';

/** A mail to whoever helps, if the portal names somebody. */
export function useSupportLink(): string | undefined {
  const { t } = useTranslation();
  const { support_email: address } = readRuntimeConfig();
  return address ? `mailto:${address}?subject=${encodeURIComponent(t('app.support_subject'))}` : undefined;
}
