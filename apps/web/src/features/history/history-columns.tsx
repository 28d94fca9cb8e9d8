import type { HistoryEntry, HistorySubject } from '@brand-portal/contract/history';
import { restoreDeletion } from '@brand-portal/contract/variant-actions';
import { Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { certificationPath, importPath, memberPath, productVariantPath, useBrandId } from '../../lib/paths.ts';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import type { Column } from '../../ui/data-table-model.ts';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { useRestore } from '../variants/variant-deletion.exported.tsx';

export const historyColumns: Column<HistoryEntry>[] = [
  {
    id: 'at',
    header: <ColumnLabel text="history.columns.at" />,
    cell: ({ at }) => <TimeCell time={at} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:when] md:w-48 tight:w-32 tight:pr-2',
    cellClassName: 'max-md:text-caption text-text-secondary',
  },
  {
    id: 'by',
    header: <ColumnLabel text="history.columns.by" />,
    cell: ({ by }) => <ClampedText text={by.name} lines={2} className="leading-4.5" />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:who] md:w-1/5 md:min-w-36 md:max-w-0 tight:px-2',
    cellClassName: 'max-md:font-medium',
  },
  {
    id: 'text',
    header: <ColumnLabel text="history.columns.text" />,
    cell: (entry) => <WhatCell entry={entry} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:what] tight:px-2',
  },
  {
    id: 'deletion',
    header: <ColumnLabel text="history.columns.restore" />,
    cell: (entry) => <RestoreCell entry={entry} />,
    hiddenHeader: true,
    align: 'end',
    className: 'max-md:[td&]:p-0! max-md:[grid-area:restore] md:w-px md:whitespace-nowrap tight:pl-0',
    cellClassName: 'max-md:empty:hidden max-md:text-left!',
  },
];

function TimeCell({ time }: { time: string }) {
  const format = useFormat();
  return <time dateTime={time}>{format.time(time)}</time>;
}

/** What was done, and to what, with links to subjects that still exist. */
function WhatCell({ entry: { text, subjects } }: { entry: HistoryEntry }) {
  return (
    <span className="wrap-anywhere block leading-4.5">
      {text}
      {subjects.map((subject) => (
        <span key={`${subject.kind}-${subject.id}`} className="block text-text-secondary">
          <Subject subject={subject} />
        </span>
      ))}
    </span>
  );
}

function Subject({ subject: { kind, id, label, exists } }: { subject: HistorySubject }) {
  const brandId = useBrandId();
  const tabStop = useTabStop();
  const paths = {
    import: () => importPath(brandId, id),
    variant: () => productVariantPath(brandId, id),
    certificate: () => certificationPath(brandId, id),
    member: () => memberPath(brandId, label),
    deletion: undefined,
  };
  const path = paths[kind];
  if (!exists || !path) return label;
  return (
    <Link to={path()} tabIndex={tabStop} className="touch-area rounded-sm text-primary hover:underline">
      {label}
    </Link>
  );
}

function RestoreCell({ entry: { deletion, text } }: { entry: HistoryEntry }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!deletion) return null;
  if (deletion.restorable) return <RestoreButton deletionId={deletion.id} text={text} />;
  const [number, all] = [format.number(deletion.restored), format.number(deletion.variants)];
  return (
    <span className="text-text-secondary">
      {deletion.restored < deletion.variants ? t('history.restored_part', { number, all }) : t('history.restored')}
    </span>
  );
}

function RestoreButton({ deletionId, text }: { deletionId: number; text: string }) {
  const { t } = useTranslation();
  const buttonRef = useMoveFocusOnUnmount('section');
  const brandId = useBrandId();
  const tabStop = useTabStop();
  const denied = useDeniedReason(brandId)(restoreDeletion);
  const { mutate, isPending } = useRestore(brandId);
  return (
    <ExplainedButton
      ref={buttonRef}
      size="dense"
      tabIndex={tabStop}
      icon={<Undo2 className="size-4" />}
      aria-label={t('history.restore_label', { text })}
      busy={isPending}
      busyLabel={t('deletion.restoring')}
      hint={denied}
      onClick={() => mutate(deletionId)}
    >
      {t('deletion.restore')}
    </ExplainedButton>
  );
}
