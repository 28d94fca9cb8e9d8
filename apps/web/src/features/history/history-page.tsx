import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { type HistoryEntry, NO_PERSON } from '@brand-portal/contract/history';
import { listMembers } from '@brand-portal/contract/members';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { History } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import { useBrandId } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DataTableSteps } from '../../ui/data-table-pagination.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { Select } from '../../ui/select.tsx';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { historyColumns } from './history-columns.tsx';
import { exportShownHistory, type HistoryView, historyFiltersQuery, historyQuery, isNarrowed, useHistoryView } from './history-queries.ts';

const noRows: readonly HistoryEntry[] = [];
const rowId = ({ id }: HistoryEntry) => String(id);
/** On a phone a card: who and when in one line, then what, then the action. */
const rowClasses = clsx(
  'max-md:grid max-md:h-auto max-md:min-h-22 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-center max-md:gap-x-2 max-md:gap-y-1 max-md:px-3 max-md:py-2.5',
  "max-md:[grid-template-areas:'who_when'_'what_what'_'restore_restore']",
);

/** The cursors for another page size, with the first visible row still on the page. */
function withFirstRow({ before, after }: HistoryView, rows: readonly HistoryEntry[] = noRows, pageSize: number) {
  const next = rows[pageSize];
  return { before, after: after && next ? String(next.id) : after };
}

/** Rendered inside the brand's shell, so the brand exists. */
export function HistoryPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  const language = useLanguage();
  const { view, changeView, clearFilter } = useHistoryView();
  const { data: list, error, isPlaceholderData, refetch } = useQuery(historyQuery(brandId, view, language));
  // Viewers and editors do not see entries about data that they may not read.
  const isPartial = useDeniedReason(brandId)(listMembers) !== undefined;
  const isEmpty = list?.results.length === 0 && !isNarrowed(list.view) && !list.view.before && !list.view.after;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('history.title')} subtitle={isPartial ? t('history.subtitle_partial') : t('history.subtitle')} />
      <p role="status" className="sr-only">
        {list && t('history.found', { count: list.results.length })}
      </p>
      <HistoryFilter brandId={brandId} view={view} onChange={changeView} canExport={!isEmpty && !(error && !list)} />
      {error && !list ? (
        <QueryErrorCard title={t('history.error')} error={error} refetch={refetch} />
      ) : isEmpty ? (
        <Card>
          <EmptyState icon={History} title={t('history.empty.title')} description={t('history.empty.text')} />
        </Card>
      ) : (
        <DataTable
          label={t('history.table')}
          columns={historyColumns}
          rows={list?.results ?? noRows}
          rowId={rowId}
          isMainList
          rowClassName={rowClasses}
          isLoading={list === undefined}
          isFetching={isPlaceholderData}
          hint={{
            text: t('history.no_matches.text'),
            action: <ClearButton onClick={clearFilter} />,
          }}
          footer={
            <DataTableSteps
              pageSize={view.pageSize}
              pageSizes={VARIANT_PAGE_SIZES}
              isLoading={list === undefined}
              onPageSizeChange={(pageSize) => changeView({ ...withFirstRow(view, list?.results, pageSize), pageSize })}
              steps={[
                {
                  label: t('history.newest'),
                  direction: 'first',
                  onSelect: view.before || view.after ? () => changeView({}) : undefined,
                },
                {
                  label: t('history.newer'),
                  direction: 'previous',
                  onSelect: list?.newer ? () => changeView({ after: String(list.newer) }) : undefined,
                },
                {
                  label: t('history.older'),
                  direction: 'next',
                  onSelect: list?.older ? () => changeView({ before: String(list.older) }) : undefined,
                },
              ]}
            />
          }
        />
      )}
    </div>
  );
}

function ClearButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const buttonRef = useMoveFocusOnUnmount('section');
  return (
    <Button ref={buttonRef} onClick={onClick}>
      {t('history.no_matches.clear')}
    </Button>
  );
}

interface HistoryFilterProps {
  brandId: number;
  view: HistoryView;
  onChange: (change: Partial<HistoryView>) => void;
  canExport: boolean;
}

function HistoryFilter({ brandId, view, onChange, canExport }: HistoryFilterProps) {
  const { t } = useTranslation();
  const { data } = useQuery(historyFiltersQuery(brandId, useLanguage()));
  const people = [
    { value: '', label: t('history.filter.everybody') },
    ...(data?.people ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    { value: String(NO_PERSON), label: t('history.filter.nobody') },
  ];
  const actions = [
    { value: '', label: t('history.filter.everything') },
    ...(data?.actions ?? []).map(({ action, label }) => ({ value: action, label })),
  ];
  /** The URL may have a value that is not among the options: adds it. */
  const withChosen = (options: typeof people, value: string) =>
    options.some((option) => option.value === value) ? options : [...options, { value, label: '–' }];
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label={t('history.filter.person')}
        value={view.person}
        options={withChosen(people, view.person)}
        onChange={(person) => onChange({ person })}
        className="min-w-0 max-w-full max-md:basis-full md:w-56"
      />
      <Select
        label={t('history.filter.action')}
        value={view.action}
        options={withChosen(actions, view.action)}
        onChange={(action) => onChange({ action })}
        className="min-w-0 max-w-full max-md:basis-full md:w-56"
      />
      <DayField
        label={t('history.filter.from')}
        value={view.from}
        max={view.to || undefined}
        isInline
        onChange={(from) => from !== undefined && onChange({ from })}
      />
      <DayField
        label={t('history.filter.to')}
        value={view.to}
        min={view.from || undefined}
        isInline
        onChange={(to) => to !== undefined && onChange({ to })}
      />
      {canExport && <ExportMenu onExport={exportShownHistory(brandId, view)} className="max-md:basis-full md:ml-auto" />}
    </div>
  );
}
