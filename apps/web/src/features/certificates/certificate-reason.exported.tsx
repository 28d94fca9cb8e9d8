import { type CertificateStatus, parseReason } from '@brand-portal/contract/certificates';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';

interface Certificate {
  reason?: string;
  status: CertificateStatus;
  certification: string;
  body: string;
}

/** Why a certificate has its status, as a sentence; empty for a reason that is unknown here. */
export function useCertificateReason({ reason, status, certification, body }: Certificate): string {
  const { t } = useTranslation();
  const format = useFormat();
  const { code, detail } = parseReason(reason) ?? { code: undefined, detail: '' };
  const date = Number.isNaN(Date.parse(detail)) ? detail : format.day(detail);
  switch (code) {
    case undefined:
      return isUnchecked({ status, reason }) ? t('certificate_reason.unchecked') : '';
    case 'listed':
      return detail === '' ? t('certificate_reason.listed') : t('certificate_reason.listed_until', { date });
    case 'no_registry':
      return detail === ''
        ? t('certificate_reason.no_registry', { certification })
        : t('certificate_reason.no_registry_since', { certification, date });
    case 'expired':
      return t('certificate_reason.expired', { date });
    case 'approved':
    case 'rejected':
      return t(`certificate_reason.${code}`, { note: detail });
    default:
      return t(`certificate_reason.${code}`, { certification, body });
  }
}

/**
 * Just imported and not validated yet: validation follows a moment after the import and always sets a reason. A server
 * that sends no reasons cannot tell.
 */
export function isUnchecked({ status, reason }: { status: CertificateStatus; reason?: string }): boolean {
  return status === 'pending' && reason === '';
}
