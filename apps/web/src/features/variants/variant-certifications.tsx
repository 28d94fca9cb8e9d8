import type { VariantCertificationAnswer } from '@brand-portal/contract/certificates';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { OverflowList } from '../../ui/overflow-list.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { CertificateBadge, knownStatus, worstFirst } from '../certificates/certificate-badge.exported.tsx';
import { useCertificateReason } from '../certificates/certificate-reason.exported.tsx';

/** Two fit into the column, with or without the number of the others; a single one gets the full width. */
const MAX_BADGES = 2;
const WIDTHS = {
  half: 'max-w-45 max-md:max-w-full! tight:max-w-full!',
  besideNumber: 'max-w-40 max-md:max-w-full! tight:max-w-full!',
};

const certificateKey = ({ certification_name, external_certificate_id }: VariantCertificationAnswer) =>
  `${certification_name} ${external_certificate_id}`;

interface VariantCertificationsProps {
  certifications: readonly VariantCertificationAnswer[];
}

/** The number of collapsed badges has the colour of the worst of them. */
const NUMBER_CLASSES = {
  invalid: 'border-transparent bg-error-bg text-error',
  pending: 'border-transparent bg-warning-bg text-warning',
  validated: 'text-text-secondary hover:bg-background-secondary',
};

export function VariantCertifications({ certifications }: VariantCertificationsProps) {
  const { t } = useTranslation();
  const tabStop = useTabStop();
  if (certifications.length === 0) {
    return <span className="whitespace-nowrap text-text-tertiary">{t('variants.certifications.none')}</span>;
  }
  const hasOverflow = certifications.length > MAX_BADGES;
  const width = certifications.length === 1 ? 'max-w-full' : hasOverflow ? WIDTHS.besideNumber : WIDTHS.half;
  return (
    <OverflowList
      label={t('variants.certifications.label')}
      items={worstFirst(certifications)}
      itemKey={certificateKey}
      limit={MAX_BADGES}
      className="max-md:two-lines tight:two-lines"
      renderItem={(certification) => (
        <span className={clsx('flex', width)}>
          <Tooltip openOnPress content={<CertificateDetails certification={certification} />}>
            <CertificateBadge
              status={certification.status}
              name={certification.certification_name}
              // Focusable, so that keyboard users can read the details.
              tabIndex={tabStop}
              className="touch-area cursor-default in-[[data-opens]]:cursor-pointer"
            />
          </Tooltip>
        </span>
      )}
      renderHidden={(certification) => <CertificateDetails certification={certification} />}
      hiddenClasses={(hidden) => NUMBER_CLASSES[knownStatus(hidden[0]?.status ?? 'validated')]}
      hiddenLabel={(count) => t('variants.certifications.more', { count })}
    />
  );
}

function CertificateDetails({ certification }: { certification: VariantCertificationAnswer }) {
  const { t } = useTranslation();
  const reason = useCertificateReason({
    reason: certification.reason,
    status: certification.status,
    certification: certification.certification_name,
    body: certification.certifying_body_name,
  });
  return (
    <div className="[overflow-wrap:anywhere]">
      <p className="font-semibold">{certification.certification_name}</p>
      <p>{t('variants.certifications.body', { name: certification.certifying_body_name })}</p>
      <p>{t('variants.certifications.id', { id: certification.external_certificate_id })}</p>
      <p>{t('variants.certifications.status', { status: t(`certificate_status.${knownStatus(certification.status)}`) })}</p>
      {reason && <p>{reason}</p>}
    </div>
  );
}
