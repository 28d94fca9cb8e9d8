import type { BrandCertificationAnswer } from '@brand-portal/contract/certificates';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { dataTableColumnHelper } from '../../ui/data-table-model.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { CertificateBadge } from './certificate-badge.exported.tsx';
import { useCertificateReason } from './certificate-reason.exported.tsx';
import { CertificateMenu } from './certificate-removal.tsx';

const helper = dataTableColumnHelper<BrandCertificationAnswer>();

/** On a phone the two in the middle scroll away: what it is and how it stands are always in sight. */
export const certificateColumns = helper.columns([
  helper.accessor('certificate_id', {
    header: () => <ColumnLabel text="certificates.columns.certificate_id" />,
    enableSorting: true,
    cell: ({ row }) => <IdCell certificate={row.original} />,
    meta: { className: 'w-3/10 min-w-32 max-w-0 max-md:px-3! @max-2xl:whitespace-normal md:min-w-36' },
  }),
  helper.accessor('certifying_body_name', {
    header: () => <ColumnLabel text="certificates.columns.certifying_body_name" />,
    enableSorting: true,
    cell: ({ getValue }) => <ClampedText text={getValue()} lines={2} className="leading-4.5" />,
    meta: { className: 'w-7/20 min-w-38 max-w-0', cellClassName: 'py-0.75!' },
  }),
  helper.accessor('certification_name', {
    header: () => <ColumnLabel text="certificates.columns.certification_name" />,
    enableSorting: true,
    cell: ({ getValue }) => <ClampedText text={getValue()} lines={2} className="leading-4.5" />,
    meta: { className: 'w-7/20 min-w-38 max-w-0', cellClassName: 'py-0.75!' },
  }),
  helper.accessor('overall_status', {
    header: () => <ColumnLabel text="certificates.columns.overall_status" />,
    enableSorting: true,
    cell: ({ row }) => <StatusCell certificate={row.original} />,
    meta: {
      sticky: true,
      className: 'min-w-42 max-md:px-2! md:min-w-47 md:pr-2! @max-lg:sticky-edge',
      cellClassName: 'py-0.75!',
    },
  }),
]);

/** Where the column of certifications is out of sight, the certification stands below the id. */
function IdCell({ certificate: { certificate_id, certification_name } }: { certificate: BrandCertificationAnswer }) {
  return (
    <span
      data-certification={certification_name}
      className="block after:text-caption after:text-text-secondary @max-lg:max-w-26 @max-lg:after:block @max-lg:after:content-[attr(data-certification)]"
    >
      <ClampedText text={certificate_id} className="font-mono max-md:text-caption" />
    </span>
  );
}

function StatusCell({ certificate }: { certificate: BrandCertificationAnswer }) {
  const { reason, overall_status: status, certification_name: certification, certifying_body_name: body } = certificate;
  const sentence = useCertificateReason({ reason, status, certification, body });
  return (
    <span className="flex items-center justify-between gap-1">
      <Tooltip openOnPress content={sentence} disabled={sentence === ''}>
        {/* The keyboard's only way to the reason. */}
        <CertificateBadge
          status={status}
          tabIndex={sentence === '' ? undefined : 0}
          className="touch-area cursor-default"
        />
      </Tooltip>
      <CertificateMenu certificate={certificate} />
    </span>
  );
}
