import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Store } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { startQuery } from '../../lib/query-client.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader, PageTitle } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { AttentionNotice } from '../attention/attention-notice.exported.tsx';
import { ownAttentionQuery } from '../attention/attention-queries.ts';
import { BrandGrid } from './brand-grid.tsx';
import { BrandStats } from './brand-stats.tsx';
import { brandListQuery } from './brands-queries.ts';
import { DeletedBrands } from './deleted-brands.tsx';
import { OwnInvitations } from './own-invitations.tsx';

/** What the page waits for, started before it renders. */
export function prefetchBrands(queryClient: QueryClient): void {
  startQuery(queryClient, brandListQuery());
  startQuery(queryClient, ownAttentionQuery());
}

export function BrandsPage() {
  const { t } = useTranslation();
  const { data: list, error, refetch } = useQuery(brandListQuery());
  // Both appear at the same time, so that neither pushes down the other. Not `!isPending`: after a failure the notice asks
  // again when it appears, and must not hide the brands meanwhile.
  const { isFetched } = useQuery(ownAttentionQuery());
  const isReady = list !== undefined && isFetched;
  return (
    <div className="@container flex flex-col gap-6">
      <PageTitle parts={[t('brands.title')]} />
      <PageHeader title={t('brands.title')} subtitle={t('brands.subtitle')} />
      <OwnInvitations />
      {/* If a refetch fails, the cached list stays. */}
      {error && !list ? (
        <QueryErrorCard title={t('brands.error.title')} error={error} refetch={refetch} />
      ) : (
        <>
          <BrandStats list={list} />
          {isReady ? (
            <>
              <AttentionNotice />
              <section aria-labelledby="brand-list-title" className="flex flex-col gap-3">
                <h2 id="brand-list-title" className="font-semibold text-heading">
                  {t('brands.list_title')}
                </h2>
                <BrandGrid
                  brands={list.results}
                  empty={
                    <Card>
                      <EmptyState icon={Store} heading="h3" title={t('brands.empty.title')} description={t('brands.empty.description')} />
                    </Card>
                  }
                />
              </section>
            </>
          ) : (
            <BrandGrid brands={undefined} />
          )}
          <DeletedBrands />
        </>
      )}
    </div>
  );
}
