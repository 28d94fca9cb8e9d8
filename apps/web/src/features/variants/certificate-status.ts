import { CERTIFICATE_STATUSES, type CertificateStatus } from '@brand-portal/contract/certificates';

/** Whatever is neither validated nor pending is invalid, also a word that only a newer server knows. */
export function knownStatus(status: string): CertificateStatus {
  return CERTIFICATE_STATUSES.find((known) => known === status) ?? 'invalid';
}
