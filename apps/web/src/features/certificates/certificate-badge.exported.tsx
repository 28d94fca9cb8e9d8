import { CERTIFICATE_STATUSES, type CertificateStatus } from '@brand-portal/contract/certificates';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/badge.tsx';

const tones = { validated: 'success', pending: 'warning', invalid: 'error' } as const;

/** Unknown statuses, which only a newer server has, count as invalid. */
export function knownStatus(status: string): CertificateStatus {
  return CERTIFICATE_STATUSES.find((known) => known === status) ?? 'invalid';
}

const SEVERITY: Record<CertificateStatus, number> = { invalid: 0, pending: 1, validated: 2 };

/** Sorts by severity; a stable sort, so the order is kept otherwise. */
export function worstFirst<Item extends { status: string }>(certificates: readonly Item[]): Item[] {
  return certificates.toSorted((a, b) => SEVERITY[knownStatus(a.status)] - SEVERITY[knownStatus(b.status)]);
}

interface CertificateBadgeProps extends Omit<ComponentProps<'span'>, 'children'> {
  status: CertificateStatus;
  /** Name of the certification, if the badge must show it. It is truncated before the status. */
  name?: string;
}

/** A certificate's status as colour, icon and text. */
export function CertificateBadge({ status, name, ...rest }: CertificateBadgeProps) {
  const { t } = useTranslation();
  const known = knownStatus(status);
  const word = t(`certificate_status.${known}`);
  return (
    <Badge tone={tones[known]} {...rest}>
      {name === undefined ? (
        word
      ) : (
        <span className="flex gap-1.5">
          <span className="truncate">{name} </span>
          <span className="shrink-0 font-normal">{word}</span>
        </span>
      )}
    </Badge>
  );
}
