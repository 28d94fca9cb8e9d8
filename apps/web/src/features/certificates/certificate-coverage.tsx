import type { Coverage } from '@brand-portal/contract/coverage';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { coverageQuery, exportMissing, isNotCounted } from './certificates-queries.ts';

/** Shows which certifications cover only some variants of a group. Computed on request, because it is slow for a large brand. */
export function CertificateCoverage({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card>
      <section aria-labelledby={id}>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-72">
            <h2 id={id} className="font-semibold text-heading">
              {t('coverage.title')}
            </h2>
            <p className="mt-1 max-w-prose text-pretty text-text-secondary">{t('coverage.description')}</p>
          </div>
          <Button
            aria-expanded={isOpen}
            icon={<ChevronDown className={isOpen ? 'size-4 rotate-180' : 'size-4'} />}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'coverage.hide' : 'coverage.show')}
          </Button>
        </div>
        {isOpen && <Counted brandId={brandId} />}
      </section>
    </Card>
  );
}

function Counted({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useQuery(coverageQuery(brandId));
  if (error && !data) {
    return <QueryError title={t('coverage.error')} error={error} refetch={refetch} />;
  }
  if (!data || isNotCounted(data)) {
    return (
      <div aria-busy="true" className="mt-4 flex flex-col gap-3">
        <span role="status" className="sr-only">
          {t('coverage.loading')}
        </span>
        {data && <p>{t('coverage.first_count')}</p>}
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="h-5 w-1/2" />
      </div>
    );
  }
  const { results, counted_at } = data;
  const missing = results.reduce((sum, { siblings_without }) => sum + siblings_without, 0);
  return (
    <>
      {results.length === 0 ? (
        <p className="mt-4">{t('coverage.none')}</p>
      ) : (
        <ul aria-label={t('coverage.title')} className="mt-4">
          {results.map((coverage) => (
            <Row key={coverage.certification_id} coverage={coverage} />
          ))}
        </ul>
      )}
      {counted_at && <p className="mt-2 text-small text-text-secondary">{t('coverage.counted', { time: format.time(counted_at) })}</p>}
      {missing > 0 && (
        <div className="mt-4">
          <ExportMenu subject={t('coverage.export')} onExport={exportMissing(brandId, missing)} />
        </div>
      )}
    </>
  );
}

function Row({ coverage }: { coverage: Coverage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { certification_name, variants, siblings_without: without } = coverage;
  const share = Math.floor((100 * variants) / (variants + without));
  return (
    <li className="border-t py-2.5">
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-0.5">
        <span className="wrap-anywhere font-medium">{certification_name}</span>
        <span className="text-text-secondary tabular-nums">
          {t('coverage.with', { count: variants, number: format.number(variants) })} ·{' '}
          {without === 0 ? t('coverage.complete') : t('coverage.without', { count: without, number: format.number(without) })}
        </span>
      </div>
      {/* Decorative: the numbers say the same. */}
      <div aria-hidden="true" className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-surface-hover">
        <div className="h-full rounded-full bg-primary" style={{ width: `${share}%` }} />
      </div>
    </li>
  );
}
