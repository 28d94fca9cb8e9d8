import { useQuery } from '@tanstack/react-query';
import { PackagePlus } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { lazyFrom, useHasBeen, withTexts } from '../../lib/lazy.ts';
import { settingsPath, useBrandId } from '../../lib/paths.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { TableSkeleton } from '../../ui/skeleton.tsx';
import { attentionQuery } from '../attention/attention-queries.ts';
import { TrialBadge } from '../brands/brand-badges.exported.tsx';
import { useBrand } from '../brands/brands-queries.ts';
import { connectionQuery, type Waiting, whyWaiting } from '../settings/channel-queries.ts';
import { WaitingContext } from './published-badge.tsx';
import { loadChannelDialog } from './use-publishing.tsx';
import { useVariantDeletion } from './variant-deletion.exported.tsx';
import { SelectionProvider, useClearWithFilter, useSelectionStore } from './variant-selection.tsx';
import { AddVariantButton, VariantActionsProvider } from './variants-actions.tsx';
import { exportShownVariants, isInProgress, variantListQuery } from './variants-queries.ts';
import { VariantStates } from './variants-states.tsx';
import { VariantsTable } from './variants-table.tsx';
import { type SearchHandle, VariantsToolbar } from './variants-toolbar.tsx';
import { isNarrowed, toFilter, useOpenVariant, useVariantsView, type VariantsView } from './variants-view.ts';

/** Loaded after the page: most visits start with the list. */
const loadPanel = withTexts(() => import('./variant-panel.tsx'), 'variant-panel');
const VariantPanel = lazyFrom(loadPanel, 'VariantPanel');

/** Rendered inside the brand's shell, so the brand exists. */
export function VariantsPage({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation();
  const brandId = useBrandId();
  const { data: brand } = useBrand(brandId);
  return (
    <VariantActionsProvider brandId={brandId} onAdd={onAdd}>
      {/* Space at the end for a toast below the list, where it covers no row. */}
      <div className="flex flex-col gap-4 pb-28">
        <PageHeader
          title={t('variants.title')}
          subtitle={t('variants.subtitle')}
          status={brand?.opted_in_for_trial && <TrialBadge />}
          actions={<AddVariantButton />}
        />
        <SelectionProvider key={brandId}>
          <VariantList brandId={brandId} />
        </SelectionProvider>
      </div>
    </VariantActionsProvider>
  );
}

function VariantList({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { view, changeView, changeSearch } = useVariantsView();
  const query = useQuery(variantListQuery(brandId, view));
  const { data: list, error, isPlaceholderData, refetch } = query;
  const isInWork = list?.results.some(isInProgress) ?? false;
  const { data: connection, isFetched } = useQuery({
    ...connectionQuery(brandId),
    retry: false,
    // It may be what the variants wait for.
    refetchInterval: ({ state }) => refreshAfter(state, (read) => isInWork || read.state !== 'connected'),
  });
  const { data: brand } = useBrand(brandId);
  const waiting = whyWaiting(brand?.status, connection?.state);
  const searchRef = useRef<SearchHandle>(null);
  const open = useOpenVariant(brandId);
  const hasPanel = useHasBeen(useParams().variantId !== undefined);
  const hasList = list !== undefined;
  useEffect(() => {
    if (hasList) Promise.all([loadPanel(), loadChannelDialog()]).catch(() => undefined);
  }, [hasList]);
  const selection = useSelectionStore();
  // Here, because the bar is unmounted when the list cannot be loaded.
  useClearWithFilter(toFilter(view));
  // Here, because the table is unmounted when there are no variants left.
  const deletion = useVariantDeletion(brandId);
  useLayoutEffect(() => {
    if (!list) return;
    const { ordering, pageSize, page } = list.view;
    selection.show(list.results, `${ordering} ${pageSize} ${page}`, JSON.stringify(toFilter(list.view)));
  }, [selection, list]);

  const clear = (what: 'search' | 'filter') => {
    changeView(what === 'search' ? { search: '' } : { filter: 'all', reason: '', issue: '', certificate: 0, state: '' });
    // The pressed button may be gone.
    searchRef.current?.[what === 'search' ? 'clear' : 'focus']();
  };

  return (
    <WaitingContext value={waiting}>
      {list?.count === 0 && !isNarrowed(list.view) ? (
        <NoVariants />
      ) : (
        <>
          <VariantsToolbar
            search={view.search}
            onSearch={changeSearch}
            searchRef={searchRef}
            filter={view.filter}
            onFilterChange={(filter) => changeView({ filter })}
            shown={list && isNarrowed(list.view) ? list.count : undefined}
            filtersOn={Number(view.filter !== 'all') + Number(view.state !== '') + Number(view.issue !== '')}
            states={<VariantStates brandId={brandId} view={view} onChange={changeView} />}
          >
            <ExportMenu onExport={exportShownVariants(brandId, view, list?.count)} className="max-md:flex-1 md:ml-auto" />
          </VariantsToolbar>
          <ChosenReason
            brandId={brandId}
            view={view}
            onClear={() => {
              changeView({ reason: '', issue: '', certificate: 0 });
              // The pressed button is gone.
              searchRef.current?.focus();
            }}
          />
          <ChannelNotice brandId={brandId} waiting={waiting} />
          {error && !list ? (
            <QueryErrorCard title={t('variants.error')} error={error} refetch={refetch} />
          ) : !isFetched ? (
            // No table yet: the notice above would shift it down.
            <div role="status">
              <span className="sr-only">{t('ui.loading')}</span>
              <TableSkeleton />
            </div>
          ) : (
            <VariantsTable
              list={list}
              query={query}
              brandId={brandId}
              isOutdated={isPlaceholderData}
              view={view}
              onChange={changeView}
              onClear={clear}
              onOpen={open}
              onDelete={deletion.ask}
            />
          )}
        </>
      )}
      <Suspense>{hasPanel && <VariantPanel brandId={brandId} list={list} onDelete={deletion.ask} />}</Suspense>
      {deletion.dialog}
    </WaitingContext>
  );
}

/** Explains why the list is filtered, after a link from the attention page. */
function ChosenReason({
  brandId,
  view: { reason, issue, certificate, state },
  onClear,
}: {
  brandId: number;
  view: VariantsView;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  // The reasons of refusals are listed below the strip.
  const isIssue = reason === '' && certificate === 0 && issue !== '' && state !== 'refused';
  // For the issue's title, which the attention page has loaded already.
  const { data } = useQuery({ ...attentionQuery(brandId), enabled: isIssue, staleTime: 'static', retry: false });
  if (reason === '' && certificate === 0 && !isIssue) return null;
  const text =
    certificate !== 0
      ? t('variants.only_certificate')
      : reason === ''
        ? t('attention.only_issue', { issue: data?.issues.find(({ type }) => type === issue)?.title || issue })
        : t('attention.only', { reason: t(`attention.reasons.${reason}.title`) });
  return (
    <Alert tone="info">
      {text}{' '}
      <Button variant="ghost" size="dense" onClick={onClear}>
        {t('attention.all')}
      </Button>
    </Alert>
  );
}

function NoVariants() {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={PackagePlus}
        title={t('variants.empty.title')}
        description={t('variants.empty.description')}
        action={<AddVariantButton isFirst />}
      />
    </Card>
  );
}

/** Why published variants are not sent to Google; nothing if they are. */
function ChannelNotice({ brandId, waiting }: { brandId: number; waiting: Waiting | undefined }) {
  const { t } = useTranslation();
  if (!waiting) return null;
  if (waiting === 'inactive') return <Alert tone="info">{t('variants.connection.inactive')}</Alert>;
  return (
    <Alert tone={waiting === 'refused' ? 'warning' : 'info'}>
      {t(`variants.connection.${waiting}`)}{' '}
      <Link to={settingsPath(brandId)} className="font-medium underline underline-offset-2">
        {t('variants.connection.link')}
      </Link>
    </Alert>
  );
}
