import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import type { ImportForMember } from '@brand-portal/contract/import';
import {
  importCorrected,
  MAX_CORRECTION_LENGTH,
  REJECTED_ROW_STATES,
  type RejectedRowCounts,
} from '@brand-portal/contract/import-corrections';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { importPath } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { clampPageIndex } from '../../ui/data-table-model.ts';
import { DataTablePagination } from '../../ui/data-table-pagination.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import {
  type CorrectionsView,
  correctionsQuery,
  FIRST_PAGE,
  isContradiction,
  useCorrectAll,
  useCorrectCell,
  useImportCorrected,
} from './corrections-queries.ts';
import { type CellCorrection, CorrectionsTable, columnName } from './corrections-table.tsx';
import { RetryButton } from './dialog-parts.tsx';
import { failureDetail } from './upload-failure.ts';

interface CorrectionsProps {
  brandId: number;
  receipt: ImportForMember;
}

interface Offer extends CellCorrection {
  rows: number;
}

/** The rejected rows, which can be corrected in place. */
export function Corrections({ brandId, receipt }: CorrectionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const importId = receipt.id;
  const deniedReason = useDeniedReason(brandId);
  const denied = receipt.may_edit ? undefined : (deniedReason(importCorrected) ?? t('denied.ask_admin'));
  const [view, setView] = useState(FIRST_PAGE);
  const { data, error, isPlaceholderData, refetch } = useQuery(correctionsQuery(brandId, importId, view));
  const correctCell = useCorrectCell(brandId, importId, view);
  const correctAll = useCorrectAll(brandId, importId);
  const [offer, setOffer] = useState<Offer>();
  /** What is still wrong with the last corrected cell, for screen readers: its description changes without a word. */
  const [stillWrong, setStillWrong] = useState('');
  /** Number of imports started here: they include rows that an earlier offer counts. */
  const imports = useRef(0);
  const summaryRef = useRef<HTMLParagraphElement>(null);
  /** The counts, which stay if another page or filter cannot be loaded. */
  const [latest, setLatest] = useState(data);
  if (data && data !== latest) setLatest(data);

  const showFailure = (failure: unknown) =>
    toast({ variant: 'error', title: t('imports.fix.failed'), description: failureDetail(failure, t, language) });
  /** Not for GTINs, because one GTIN cannot belong to several products; not for truncated values, which cannot be compared. */
  const columnAt = (wanted: number) => data?.columns.find(({ place }) => place === wanted);
  const mayReplaceAll = ({ place, from }: CellCorrection) => from.length < MAX_CORRECTION_LENGTH && columnAt(place)?.field !== 'gtin';
  const correct = async (row: number, correction: CellCorrection) => {
    setOffer(undefined);
    setStillWrong('');
    const before = imports.current;
    try {
      const { same, row: corrected } = await correctCell.mutateAsync({ row, ...correction });
      const messages = corrected.errors.filter(({ place }) => place === correction.place).map(({ message }) => message);
      const column = columnName(columnAt(correction.place) ?? { ...correction, name: '' }, t);
      const cell = t('imports.fix.cell', { column, row });
      if (messages.length > 0) setStillWrong(`${cell}: ${messages.join(' ')}`);
      // A contradiction may be just what the same correction in the other rows resolves.
      const isWrong = corrected.errors.some(({ place, code }) => place === correction.place && !isContradiction(code));
      const isCurrent = imports.current === before;
      if (same > 0 && !isWrong && isCurrent && mayReplaceAll(correction)) setOffer({ ...correction, rows: same });
    } catch (failure) {
      const isOthers = failure instanceof ApiError && failure.code === 'import_row_changed';
      const typed = correction.to && t('imports.fix.typed', { text: correction.to });
      if (isOthers) toast({ variant: 'warning', title: errorMessage(failure, t), description: typed });
      else {
        showFailure(failure);
        throw failure;
      }
    }
  };
  const applyToAll = ({ place, from, to }: Offer) =>
    correctAll.mutate(
      { place, from, to },
      {
        onSuccess: () => {
          setOffer(undefined);
          summaryRef.current?.focus();
        },
        onError: showFailure,
      },
    );

  const failure = error && (
    <Alert tone="error">
      <p className="font-medium">{t('imports.fix.error')}</p>
      <p>{errorMessage(error, t)}</p>
      <RetryButton onRetry={() => void refetch()} className="mt-2" />
    </Alert>
  );
  const known = data ?? latest;
  if (!known) {
    return (
      failure ?? (
        <div role="status">
          <span className="sr-only">{t('ui.loading')}</span>
          <Skeleton className="h-64 w-full" />
        </div>
      )
    );
  }
  const { counts, count } = known;
  const pageCount = Math.ceil(count / view.pageSize);
  const pagination = { pageSize: view.pageSize, pageCount, totalCount: count };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Summary ref={summaryRef} counts={counts} advice={denied ?? t('imports.fix.how')} />
        <StateFilter view={view} counts={counts} onChange={setView} />
      </div>
      <p role="status" className="sr-only">
        {stillWrong}
      </p>
      {/* Stays in view: the offer is for a row that may be far down. */}
      <div className="-my-2 top-0 z-22 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 bg-surface py-2 max-md:top-14 tall:sticky">
        <ImportCorrectedButton
          brandId={brandId}
          importId={importId}
          ready={counts.ready}
          denied={denied}
          onStart={() => {
            imports.current += 1;
            setOffer(undefined);
          }}
        />
        {offer && <ReplaceOffer offer={offer} isBusy={correctAll.isPending} onApply={() => applyToAll(offer)} />}
      </div>
      <div className="overflow-hidden rounded-card border bg-surface">
        {!data ? (
          <div className="p-4">{failure}</div>
        ) : data.results.length === 0 ? (
          <p className="px-4 py-10 text-center text-small text-text-secondary">{t('imports.fix.none')}</p>
        ) : (
          <CorrectionsTable brandId={brandId} page={data} mayEdit={receipt.may_edit} isOutdated={isPlaceholderData} onCorrect={correct} />
        )}
        {count > 0 && known.view.state === view.state && (
          <DataTablePagination
            {...pagination}
            label={t('imports.errors.title')}
            pageIndex={clampPageIndex(view.page - 1, pageCount)}
            pageSizes={VARIANT_PAGE_SIZES}
            isLoading={false}
            onChange={({ pageIndex, pageSize }) => setView({ ...view, page: pageIndex + 1, pageSize })}
          />
        )}
      </div>
    </div>
  );
}

interface SummaryProps {
  ref: Ref<HTMLParagraphElement>;
  counts: RejectedRowCounts;
  /** How to correct, or why the member may not. */
  advice: string;
}

function Summary({ ref, counts, advice }: SummaryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = REJECTED_ROW_STATES.filter((state) => counts[state] > 0 || state === 'wrong').map((state) =>
    t(`imports.fix.counts.${state}`, { count: counts[state], number: format.number(counts[state]) }),
  );
  return (
    <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
      <p ref={ref} tabIndex={-1} role="status" className="font-medium tabular-nums outline-none">
        {parts.join(' · ')}
      </p>
      <p className="text-pretty text-small text-text-secondary">{advice}</p>
    </div>
  );
}

interface StateFilterProps {
  view: CorrectionsView;
  counts: RejectedRowCounts;
  onChange: (view: CorrectionsView) => void;
}

function StateFilter({ view, counts, onChange }: StateFilterProps) {
  const { t } = useTranslation();
  const labelId = useId();
  const { state, ...rest } = view;
  const offered = REJECTED_ROW_STATES.filter((each) => counts[each] > 0 || each === state);
  const options = [
    { value: 'all', label: t('imports.fix.filter.all') },
    ...offered.map((each) => ({ value: each, label: t(`imports.fix.filter.${each}`) })),
  ];
  return (
    <div className="flex items-center gap-2 text-small">
      <span id={labelId}>{t('imports.fix.filter.label')}</span>
      <Select
        size="dense"
        labelledBy={labelId}
        value={state ?? 'all'}
        options={options}
        onChange={(value) => {
          const next = REJECTED_ROW_STATES.find((each) => each === value);
          onChange({ ...rest, page: 1, ...(next && { state: next }) });
        }}
      />
    </div>
  );
}

function ReplaceOffer({ offer, isBusy, onApply }: { offer: Offer; isBusy: boolean; onApply: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { from, to, rows } = offer;
  const empty = t('imports.changes.empty');
  const count = { count: rows, number: format.number(rows) };
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 max-sm:w-full">
      <Button busy={isBusy} busyLabel={t('imports.fix.applying')} onClick={onApply} className="max-sm:w-full">
        {t('imports.fix.apply', count)}
      </Button>
      <p role="status" className="min-w-0 wrap-anywhere text-small">
        {t('imports.fix.replaced', { from: shorten(from) || empty, to: shorten(to) || empty, ...count })}
      </p>
    </div>
  );
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

interface ImportCorrectedButtonProps {
  brandId: number;
  importId: number;
  ready: number;
  denied: string | undefined;
  onStart: () => void;
}

function ImportCorrectedButton({ brandId, importId, ready, denied, onStart }: ImportCorrectedButtonProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const language = useLanguage();
  const { mutate, isPending } = useImportCorrected(brandId, importId);
  const hasImported = useRef(false);
  const start = () => {
    onStart();
    mutate(undefined, {
      onSuccess: ({ imported, import_id }) => {
        hasImported.current = true;
        toast({
          variant: 'success',
          title: t('imports.fix.imported', { count: imported, number: format.number(imported) }),
          link: { to: importPath(brandId, import_id), label: t('imports.fix.see') },
        });
      },
      onError: (error) => {
        // The second click of a double click: the first has already imported all rows.
        if (hasImported.current && error instanceof ApiError && error.code === 'import_nothing_corrected') return;
        toast({
          variant: 'error',
          title: t('imports.fix.import_failed'),
          description: failureDetail(error, t, language),
        });
      },
    });
  };
  return (
    <ExplainedButton
      variant="primary"
      busy={isPending}
      busyLabel={t('imports.fix.importing')}
      hint={denied}
      // Not `disabled`: the button keeps the focus after the last row has been imported.
      disabledReason={ready === 0 ? (denied ?? t('imports.fix.none_ready')) : undefined}
      onClick={start}
      className="max-sm:w-full"
    >
      {t('imports.fix.import')}
    </ExplainedButton>
  );
}
