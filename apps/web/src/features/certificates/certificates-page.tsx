import { CERTIFICATE_FILTERS, type ListedCertificationAnswer } from '@brand-portal/contract/certificates';
import { useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { Suspense, useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { lazyFrom, useHasBeen } from '../../lib/lazy.ts';
import { certificationPath, productVariantsPath, useBrandId } from '../../lib/paths.ts';
import { useSearchField } from '../../lib/use-debounced-search.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { CertificateCoverage } from './certificate-coverage.tsx';
import { CertificateRemoval } from './certificate-removal.tsx';
import { certificateListQuery, exportShownCertificates } from './certificates-queries.ts';
import { CertificatesTable } from './certificates-table.tsx';
import { isNarrowed, useCertificatesView } from './certificates-view.ts';

/** Loaded after the page: most visits start with the list. */
const loadPanel = () => import('./certificate-panel.tsx');
const CertificatePanel = lazyFrom(loadPanel, 'CertificatePanel');

const FILTERS = ['all', ...CERTIFICATE_FILTERS] as const;

/** Rendered inside the brand's shell, so the brand exists. */
export function CertificatesPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('certificates.title')} subtitle={t('certificates.subtitle')} />
      <CertificateRemoval brandId={brandId}>
        <Certificates brandId={brandId} />
      </CertificateRemoval>
      <CertificateCoverage brandId={brandId} />
    </div>
  );
}

function Certificates({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { view, changeView, changeSearch } = useCertificatesView();
  const query = useQuery(certificateListQuery(brandId, view));
  const { data: list, error, isPlaceholderData, refetch } = query;
  const searchField = useSearchField(view.search, changeSearch);
  const isEmpty = list?.count === 0 && !isNarrowed(list.view);
  const hasFailed = error !== null && !list;

  const navigate = useNavigate();
  const { search } = useLocation();
  const open = useCallback(
    ({ id }: ListedCertificationAnswer) => {
      // A server that sends no id has no detail page either.
      if (id !== undefined) void navigate(certificationPath(brandId, id) + search, { state: { isFromList: true } });
    },
    [navigate, brandId, search],
  );
  useEffect(() => {
    loadPanel().catch(() => undefined);
  }, []);
  const hasPanel = useHasBeen(useParams().certificateId !== undefined);

  const clear = (what: 'search' | 'filter') => {
    searchField[what === 'search' ? 'clear' : 'focus']();
    changeView(what === 'search' ? { search: '' } : { status: 'all' });
  };

  return (
    <>
      <div className="flex flex-wrap gap-2 md:flex-nowrap">
        <SearchField
          label={t('certificates.search.label')}
          placeholder={t('certificates.search.placeholder')}
          {...searchField.field}
          className="min-w-0 flex-1 basis-full md:basis-0"
        />
        <Select
          label={t('certificates.filter.label')}
          value={view.status}
          options={FILTERS.map((value) => ({ value, label: t(`certificates.filter.${value}`) }))}
          onChange={(status) => changeView({ status })}
          className="max-md:flex-1 md:min-w-44"
        />
        {/* Visible while loading, to avoid a layout shift; hidden if there is nothing to export. */}
        {!isEmpty && !hasFailed && <ExportMenu onExport={exportShownCertificates(brandId, view, list?.count)} className="max-md:flex-1" />}
      </div>
      {hasFailed ? (
        <QueryErrorCard title={t('certificates.error')} error={error} refetch={refetch} />
      ) : isEmpty ? (
        <NoCertificates brandId={brandId} />
      ) : (
        <CertificatesTable
          brandId={brandId}
          list={list}
          query={query}
          isOutdated={isPlaceholderData}
          view={view}
          onChange={changeView}
          onClear={clear}
          onOpen={open}
        />
      )}
      <Suspense>{hasPanel && <CertificatePanel brandId={brandId} list={list} />}</Suspense>
    </>
  );
}

function NoCertificates({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={BadgeCheck}
        title={t('certificates.empty.title')}
        description={t('certificates.empty.description')}
        action={
          <Button asChild variant="primary">
            <Link to={productVariantsPath(brandId)}>{t('certificates.empty.action')}</Link>
          </Button>
        }
      />
    </Card>
  );
}
