import type { VariantCertificationAnswer } from '@brand-portal/contract/certificates';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { FoldingList } from '../../ui/folding-list.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { CertificateBadge, knownStatus } from '../certificates/certificate-badge.exported.tsx';
import { useCertificateReason } from '../certificates/certificate-reason.exported.tsx';

/** With or without the number of the others they fill the column; one that is alone has all of it. */
const BADGES_IN_SIGHT = 2;
const WIDTHS = {
  half: 'max-w-52 @max-[68rem]:max-w-45 @max-[38rem]:max-w-56 tight:max-w-full!',
  besideNumber: 'max-w-46 @max-[68rem]:max-w-40 @max-[38rem]:max-w-52 tight:max-w-full!',
};

const certificateKey = ({ certification_name, external_certificate_id }: VariantCertificationAnswer) =>
  `${certification_name} ${external_certificate_id}`;

interface VariantCertificationsProps {
  certifications: readonly VariantCertificationAnswer[];
}

export function VariantCertifications({ certifications }: VariantCertificationsProps) {
  const { t } = useTranslation();
  if (certifications.length === 0) {
    return <span className="whitespace-nowrap text-text-tertiary">{t('variants.certifications.none')}</span>;
  }
  const isFolded = certifications.length > BADGES_IN_SIGHT;
  const width = certifications.length === 1 ? 'max-w-full' : isFolded ? WIDTHS.besideNumber : WIDTHS.half;
  return (
    <FoldingList
      label={t('variants.certifications.label')}
      items={certifications}
      itemKey={certificateKey}
      limit={BADGES_IN_SIGHT}
      className="tight:two-lines"
      renderItem={(certification) => (
        <span className={clsx('flex', width)}>
          <Tooltip openOnPress content={<CertificateDetails certification={certification} />}>
            <CertificateBadge
              status={certification.status}
              name={certification.certification_name}
              // The keyboard's only way to the details.
              tabIndex={0}
              className="touch-area cursor-default"
            />
          </Tooltip>
        </span>
      )}
      renderFolded={(certification) => <CertificateDetails certification={certification} />}
      foldedLabel={(count) => t('variants.certifications.more', { count })}
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
      <p>
        {t('variants.certifications.status', { status: t(`certificate_status.${knownStatus(certification.status)}`) })}
      </p>
      {reason && <p>{reason}</p>}
    </div>
  );
}
