import type { ImportReceipt, ImportState } from '@brand-portal/contract/import';
import clsx from 'clsx';
import { Ban, CircleAlert, CircleCheck, Clock, Eye, LoaderCircle, type LucideIcon, Undo2 } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { importPath, useBrandId } from '../../lib/paths.ts';
import { useLayout } from '../../lib/use-layout.ts';
import { Badge } from '../../ui/badge.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import type { Column } from '../../ui/data-table-model.ts';
import type { ListedImport } from './imports-queries.ts';

type Count = 'total_rows' | `variants_${'created' | 'updated' | 'unchanged'}` | 'rejected';

function countColumn(field: Count): Column<ListedImport> {
  return {
    id: field,
    header: <ColumnLabel text={`imports.columns.${field}`} />,
    cell: (receipt) => <CountCell receipt={receipt} field={field} />,
    align: 'end',
    className: 'px-2.5! max-md:hidden',
  };
}

/** On a phone there is one column: the file, with lines in place of the other columns. */
export const importColumns: Column<ListedImport>[] = [
  {
    id: 'file_name',
    header: <ColumnLabel text="imports.columns.file_name" />,
    cell: (receipt) => <FileCell receipt={receipt} />,
    className: 'max-w-0 max-md:px-3! md:w-3/5 md:min-w-44',
    cellClassName: 'py-0.75! max-md:py-2!',
  },
  {
    id: 'imported_by',
    header: <ColumnLabel text="imports.columns.imported_by" />,
    cell: (receipt) => <PersonCell receipt={receipt} />,
    className: 'w-2/5 min-w-32 max-w-0 px-2.5! max-md:hidden',
    cellClassName: 'py-0.75!',
  },
  {
    id: 'created_at',
    header: <ColumnLabel text="imports.columns.created_at" />,
    cell: ({ created_at }) => <TimeCell time={created_at} />,
    className: 'whitespace-nowrap px-2.5! max-md:hidden',
  },
  countColumn('total_rows'),
  countColumn('rejected'),
  countColumn('variants_created'),
  countColumn('variants_updated'),
  countColumn('variants_unchanged'),
  {
    id: 'state',
    header: <ColumnLabel text="imports.columns.state" />,
    cell: (receipt) => <StateCell receipt={receipt} />,
    sticky: true,
    className: 'min-w-31 max-md:hidden @max-4xl:md:sticky-edge',
  },
];

/** The name of an import: an undo is named after the import that it undid, corrected rows after their file. */
export function useImportName() {
  const { t } = useTranslation();
  return ({ file_name: file, undoes_import_id, corrects_import_id }: ImportReceipt, undone?: ImportReceipt) => {
    if (undoes_import_id !== null) {
      return t(undone?.corrects_import_id ? 'imports.undo_of_corrected' : 'imports.undo_of', { file });
    }
    return corrects_import_id === null ? file : t('imports.corrected_of', { file });
  };
}

export function useUploader() {
  const { t } = useTranslation();
  return ({ imported_by: person }: Pick<ImportReceipt, 'imported_by'>) =>
    person ? `${person.first_name} ${person.last_name}`.trim() || person.email : t('imports.unknown_person');
}

function FileCell({ receipt }: { receipt: ListedImport }) {
  const brandId = useBrandId();
  const format = useFormat();
  const nameOf = useImportName();
  const uploaderOf = useUploader();
  const outcome = useOutcome(receipt);
  const isPhone = useLayout() === 'phone';
  return (
    <>
      <Link
        to={importPath(brandId, receipt.id)}
        className="touch-area line-clamp-2 wrap-anywhere rounded-sm font-medium text-primary leading-4.5 hover:underline"
      >
        {nameOf(receipt, receipt.undone)}
      </Link>
      {isPhone && (
        <p className="my-1">
          <ImportBadge receipt={receipt} />
        </p>
      )}
      <p className="wrap-anywhere text-caption text-text-secondary md:hidden">
        {format.time(receipt.created_at)} · {uploaderOf(receipt)}
      </p>
      {outcome && <p className={clsx('wrap-anywhere text-caption text-text-secondary', !isUndo(receipt) && 'md:hidden')}>{outcome}</p>}
    </>
  );
}

const isImported = ({ state }: ImportReceipt) => state === 'done' || state === 'undone';
const isUndo = ({ undoes_import_id }: ImportReceipt) => undoes_import_id !== null;

/** One count of an import or undo, such as “3 created”. */
export function useImportCount() {
  const { t } = useTranslation();
  const format = useFormat();
  return (kind: 'created' | 'updated' | 'rejected' | 'restored' | 'removed' | 'kept', count: number) =>
    t(`imports.outcome.${kind}`, { count, number: format.number(count) });
}

/** The result of an import or undo in one line. There are no columns for the counts of an undo. */
function useOutcome(receipt: ImportReceipt): string | undefined {
  const counted = useImportCount();
  if (!isImported(receipt)) return undefined;
  const { variants_created, variants_updated, variants_removed, kept_count, rejected } = receipt;
  if (isUndo(receipt)) {
    const parts = [counted('restored', variants_updated), counted('removed', variants_removed)];
    return [...parts, counted('kept', kept_count)].join(', ');
  }
  const parts = [counted('created', variants_created), counted('updated', variants_updated)];
  return [...parts, counted('rejected', rejected)].join(', ');
}

/** On a phone the state is in the cell of the file. */
function StateCell({ receipt }: { receipt: ImportReceipt }) {
  return useLayout() === 'phone' ? null : <ImportBadge receipt={receipt} />;
}

function PersonCell({ receipt }: { receipt: ImportReceipt }) {
  const uploaderOf = useUploader();
  return <ClampedText text={uploaderOf(receipt)} lines={2} className="leading-4.5" />;
}

function TimeCell({ time }: { time: string }) {
  const format = useFormat();
  return <time dateTime={time}>{format.time(time)}</time>;
}

/** Empty for an undo, which has other counts, and for an import that has none yet. */
function CountCell({ receipt, field }: { receipt: ImportReceipt; field: Count }) {
  const format = useFormat();
  return isImported(receipt) && !isUndo(receipt) ? format.number(receipt[field]) : '–';
}

const badgeStyles: Record<ImportState, { tone: ComponentProps<typeof Badge>['tone']; icon: LucideIcon }> = {
  waiting: { tone: 'neutral', icon: Clock },
  running: { tone: 'info', icon: LoaderCircle },
  done: { tone: 'success', icon: CircleCheck },
  failed: { tone: 'error', icon: CircleAlert },
  cancelled: { tone: 'neutral', icon: Ban },
  undone: { tone: 'warning', icon: Undo2 },
  checked: { tone: 'neutral', icon: Eye },
  discarded: { tone: 'neutral', icon: Ban },
};

export function ImportBadge({ receipt }: { receipt: ImportReceipt }) {
  const { t } = useTranslation();
  const { state, stage, rows_done: done, rows_total: total } = receipt;
  const isRunning = state === 'running' && total > 0;
  const isSaving = isRunning && (stage === 'merging' || done >= total);
  return (
    <Badge {...badgeStyles[state]}>
      {isSaving
        ? t('imports.state.running_saving')
        : isRunning
          ? t('imports.state.running_percent', { number: Math.floor((done / total) * 100) })
          : t(`imports.state.${state}`)}
    </Badge>
  );
}
