import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import { type ImportForMember, type KeptField, type KeptVariant, type UndoPreview, undoImport } from '@brand-portal/contract/import';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { importPath } from '../../lib/paths.ts';
import { isRefusal } from '../../lib/retry.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { RetryButton, ScrollRegion } from './dialog-parts.tsx';
import { useImportCount } from './imports-columns.tsx';
import { importListQuery, isInProgress, undoPreviewQuery, useRefreshAtEnd, useUndoImport } from './imports-queries.ts';
import { failureDetail } from './upload-failure.ts';

/** A running undo is among the newest imports. */
const NEWEST = { search: '', notice: 'all', page: 1, pageSize: DEFAULT_PAGE_SIZE } as const;

interface UndoImportProps {
  brandId: number;
  receipt: ImportForMember;
}

/** The undo button, as long as the import can be undone, and a dialog that previews the undo. */
export function UndoImport({ brandId, receipt }: UndoImportProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const { undo_until: until, may_edit: mayEdit } = receipt;
  const denied = useDeniedReason(brandId)(undoImport);
  const isPossible = until !== null && Date.parse(until) > Date.now();
  const { data: newest } = useQuery({ ...importListQuery(brandId, NEWEST), enabled: isPossible });
  // Started before a reload, in another tab or by somebody else.
  const running = newest?.results.find((other) => other.undoes_import_id === receipt.id && isInProgress(other));
  useRefreshAtEnd(brandId, running !== undefined);
  // The dialog of a running undo stays until it has the result, even if the import is already known to be undone.
  if (!isPossible && !open) return null;
  if (running && !open) {
    return (
      <p role="status" className="text-small text-text-secondary">
        {t('imports.undo.running')}{' '}
        <Link to={importPath(brandId, running.id)} className="text-primary hover:underline">
          {t('imports.undo.see')}
        </Link>
      </p>
    );
  }
  return (
    <div className="flex flex-col items-end gap-1 max-sm:items-stretch">
      <ExplainedButton icon={<Undo2 className="size-4" />} hint={denied} onClick={() => setOpen(true)}>
        {t('imports.undo.action')}
      </ExplainedButton>
      {isPossible && (
        <p className="text-caption text-text-secondary">
          {t(mayEdit ? 'imports.undo.until' : 'imports.undo.editors_until', { time: format.time(until) })}
        </p>
      )}
      {open && <UndoDialog brandId={brandId} receipt={receipt} onClose={() => setOpen(false)} />}
    </div>
  );
}

function UndoDialog({ brandId, receipt, onClose }: UndoImportProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const preview = useQuery(undoPreviewQuery(brandId, receipt.id));
  const { mutate, isPending, error } = useUndoImport(brandId, receipt.id);

  const isCorrected = receipt.corrects_import_id !== null;
  const file = { file: receipt.file_name };
  const undo = () =>
    mutate(undefined, {
      onSuccess: ({ id }) => {
        toast({
          variant: 'success',
          title: t(isCorrected ? 'imports.undo.done_corrected' : 'imports.undo.done', file),
        });
        void navigate(importPath(brandId, id));
      },
    });

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={t(isCorrected ? 'imports.undo.title_corrected' : 'imports.undo.title', file)}
      description={t('imports.undo.description')}
      isLocked={isPending}
      footer={
        <>
          <Button disabled={isPending} onClick={onClose}>
            {t('imports.undo.cancel')}
          </Button>
          <Button variant="danger" busy={isPending} busyLabel={t('imports.undo.busy')} disabled={!preview.data} onClick={undo}>
            {t('imports.undo.action')}
          </Button>
        </>
      }
    >
      <section aria-label={t('imports.undo.effect')} tabIndex={-1} className="flex flex-col gap-3 outline-none">
        {preview.data ? (
          <Preview preview={preview.data} />
        ) : preview.error ? (
          <Alert tone="error">
            <p>{failureDetail(preview.error, t, language)}</p>
            {!isRefusal(preview.error) && <RetryButton onRetry={() => void preview.refetch()} className="mt-2" />}
          </Alert>
        ) : (
          <div role="status">
            <span className="sr-only">{t('ui.loading')}</span>
            <Skeleton className="h-5 w-4/5" />
          </div>
        )}
        {error && <Alert tone="error">{failureDetail(error, t, language)}</Alert>}
      </section>
    </Dialog>
  );
}

/** `corrected_imports`: number of imports of its corrected rows, if the server sends it. */
function Preview({ preview }: { preview: UndoPreview & { corrected_imports?: number } }) {
  const { restored, removed, withdrawn, certificate_links: links, kept_count, kept } = preview;
  const { corrected_imports: corrected = 0 } = preview;
  const { t } = useTranslation();
  const format = useFormat();
  const counted = useImportCount();
  const keptText = t('imports.undo.kept', { count: kept_count, number: format.number(kept_count) });
  return (
    <>
      <p role="status" className="font-medium">
        {[counted('restored', restored), counted('removed', removed), keptText].join(', ')}
      </p>
      {withdrawn > 0 && <p className="text-small">{t('imports.undo.withdrawn', { count: withdrawn, number: format.number(withdrawn) })}</p>}
      {links > 0 && <p className="text-small">{t('imports.undo.links', { count: links, number: format.number(links) })}</p>}
      {corrected > 0 && (
        <p className="text-small">{t('imports.undo.corrected_stay', { count: corrected, number: format.number(corrected) })}</p>
      )}
      {kept_count > 0 && (
        <div className="flex flex-col gap-1.5">
          <h3 className="font-medium text-small">{t('imports.kept.title')}</h3>
          <KeptVariants kept={kept} count={kept_count} />
        </div>
      )}
    </>
  );
}

/** Servers before 1.1 do not send the fields. */
type KeptForMember = Omit<KeptVariant, 'fields'> & Partial<Pick<KeptVariant, 'fields'>>;

/** Variants of which an undo leaves fields as they are. */
export function KeptVariants({ kept, count }: { kept: readonly KeptForMember[]; count: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const more = count - kept.length;
  return (
    <ScrollRegion label={t('imports.kept.title')} className="max-h-48 rounded-control border">
      <ul className="divide-y text-small">
        {kept.map(({ id, gtin, name, fields = [] }) => (
          <li key={id} className="px-3 py-2">
            <p className="wrap-anywhere">{name}</p>
            <p className="font-mono text-caption text-text-secondary">{gtin}</p>
            {fields.map((kept) => (
              <p key={kept.field} className="text-caption text-text-secondary">
                <KeptFieldText kept={kept} />
              </p>
            ))}
          </li>
        ))}
        {more > 0 && (
          <li className="px-3 py-2 text-text-secondary">{t('imports.kept.more', { count: more, number: format.number(more) })}</li>
        )}
      </ul>
    </ScrollRegion>
  );
}

function KeptFieldText({ kept: { field, by, at } }: { kept: KeptField }) {
  const { t } = useTranslation();
  const format = useFormat();
  const name = t(`fields.${field}`);
  if (at === null) return name;
  return t('imports.kept.changed_by', { field: name, person: by || t('imports.kept.somebody'), time: format.time(at) });
}
