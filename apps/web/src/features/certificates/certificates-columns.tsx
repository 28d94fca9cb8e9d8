import { type CertificateColumn, endsSoon, type ListedCertificationAnswer } from '@brand-portal/contract/certificates';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import type { Column } from '../../ui/data-table-model.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { CertificateBadge, knownStatus } from './certificate-badge.exported.tsx';
import { useCertificateReason } from './certificate-reason.exported.tsx';
import { CertificateMenu } from './certificate-removal.tsx';

const nameClasses = 'leading-4.5 tight:line-clamp-3';

/** All columns fit from 768 px on, where names take up to three lines. On a phone a row is a card, laid out by `rowClasses`. */
export const certificateColumns: Column<ListedCertificationAnswer, CertificateColumn | 'variants'>[] = [
  {
    id: 'certificate_id',
    header: <ColumnLabel text="certificates.columns.certificate_id" />,
    sortable: true,
    cell: ({ certificate_id }) => <ClampedText text={certificate_id} lines={2} className="break-all font-mono leading-4.5" />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:id] max-md:[th&]:px-2! md:w-1/4 md:min-w-36 md:max-w-0 tight:min-w-25 tight:whitespace-normal tight:pr-2 tight:pl-3',
    cellClassName: 'py-0.75!',
  },
  {
    id: 'certifying_body_name',
    header: <ColumnLabel text="certificates.columns.certifying_body_name" />,
    sortable: true,
    cell: ({ certifying_body_name }) => <ClampedText text={certifying_body_name} lines={2} className={nameClasses} />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:body] max-md:[th&]:hidden md:w-2/5 md:min-w-38 md:max-w-0 tight:min-w-24 tight:whitespace-normal tight:px-2',
    cellClassName: 'py-0.75! max-md:text-caption max-md:text-text-secondary',
  },
  {
    id: 'certification_name',
    header: <ColumnLabel text="certificates.columns.certification_name" />,
    sortable: true,
    cell: ({ certification_name }) => <ClampedText text={certification_name} lines={2} className={nameClasses} />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:certification] max-md:[th&]:hidden md:w-7/20 md:min-w-36 md:max-w-0 tight:min-w-26 tight:whitespace-normal tight:px-2',
    cellClassName: 'py-0.75!',
  },
  {
    id: 'expires_on',
    header: <ColumnLabel text="certificates.columns.expires_on" />,
    sortable: true,
    cell: (certificate) => <ExpiryCell certificate={certificate} />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:expires] max-md:[th&]:px-2! md:min-w-38 md:whitespace-nowrap tight:min-w-24 tight:whitespace-normal tight:px-2',
    cellClassName: 'py-0.75! max-md:text-caption',
  },
  {
    id: 'variants',
    header: <ColumnLabel text="certificates.columns.variants" />,
    cell: (certificate) => <VariantsCell certificate={certificate} />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:variants] md:min-w-35 md:whitespace-nowrap tight:min-w-16 tight:whitespace-normal tight:px-1.5',
    cellClassName: 'py-0.75! max-md:text-caption max-md:text-right',
  },
  {
    id: 'overall_status',
    header: <ColumnLabel text="certificates.columns.overall_status" />,
    sortable: true,
    cell: (certificate) => <StatusCell certificate={certificate} />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:status] max-md:[th&]:px-2! md:min-w-47 md:pr-2 tight:min-w-40 tight:pr-0.5 tight:pl-1.5',
    cellClassName: 'py-0.75!',
  },
];

/** The date, and the distance to it below; highlighted if it is soon. */
function ExpiryCell({ certificate: { expires_on, overall_status } }: { certificate: ListedCertificationAnswer }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!expires_on) return <span className="text-text-tertiary">{t('certificates.no_end')}</span>;
  const isSoon = endsSoon(expires_on);
  return (
    <span className="flex gap-x-1.5 leading-4.5 md:flex-col">
      <span>{format.shortDay(expires_on)}</span>{' '}
      <span className={clsx('text-caption', isSoon && overall_status === 'validated' ? 'font-medium text-warning' : 'text-text-secondary')}>
        {format.distance(expires_on)}
      </span>
    </span>
  );
}

/**
 * Such as '214, 12 live'; on a phone, where there is no header, '214 variants, 12 live'. In Spanish '214 (12 en línea)': a comma would make
 * it a decimal.
 */
function VariantsCell({ certificate }: { certificate: ListedCertificationAnswer }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { variants, live_variants = 0, overall_status } = certificate;
  if (variants === undefined) return null;
  // Its variants may be live, but Google is not told of it.
  const live = overall_status === 'validated' ? live_variants : 0;
  return (
    <span className={clsx(live === 0 && 'text-text-secondary')}>
      {format.number(variants)}
      <span className="md:hidden"> {t('certificates.variants', { count: variants })}</span>
      {live > 0 && t('certificates.live', { live: format.number(live) })}
    </span>
  );
}

function StatusCell({ certificate }: { certificate: ListedCertificationAnswer }) {
  const { reason, overall_status, certification_name: certification, certifying_body_name: body } = certificate;
  const status = knownStatus(overall_status);
  const sentence = useCertificateReason({ reason, status: overall_status, certification, body });
  const tabStop = useTabStop();
  return (
    <span className="flex items-center justify-between gap-1">
      <Tooltip openOnPress content={sentence} disabled={sentence === ''}>
        {/* Focusable, so that keyboard users can read the reason. */}
        <CertificateBadge
          status={status}
          tabIndex={sentence === '' ? undefined : tabStop}
          className="touch-area cursor-default in-[[data-opens]]:cursor-pointer"
        />
      </Tooltip>
      <CertificateMenu certificate={certificate} />
    </span>
  );
}
