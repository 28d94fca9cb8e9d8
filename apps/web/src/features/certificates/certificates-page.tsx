import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CertificateCoverage } from './certificate-coverage.tsx';
import { CertificateRemoval } from './certificate-removal.tsx';
import { NoCertificates } from './certificates-empty.tsx';
import { brandCertificatesQuery } from './certificates-queries.ts';
import { CertificatesTable } from './certificates-table.tsx';

/** Stands inside the brand's shell, which knows that the brand exists. */
export function CertificatesPage() {
  const { t } = useTranslation();
  const brandId = Number(useParams().id);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('certificates.title')} subtitle={t('certificates.subtitle')} />
      <CertificateList brandId={brandId} />
      <CertificateCoverage brandId={brandId} />
    </div>
  );
}

function CertificateList({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(brandCertificatesQuery(brandId));
  const failure = error && !data && (
    <Card>
      <ErrorState title={t('certificates.error')} description={errorMessage(error, t)} onRetry={() => void refetch()} />
    </Card>
  );
  const empty = data?.length === 0 && <NoCertificates brandId={brandId} />;
  return (
    <CertificateRemoval brandId={brandId}>
      <CertificatesTable brandId={brandId} certificates={data} instead={failure || empty} />
    </CertificateRemoval>
  );
}
