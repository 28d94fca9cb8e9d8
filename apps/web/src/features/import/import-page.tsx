import { cancelImport, type ImportForMember } from '@brand-portal/contract/import';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, FileX, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { importPath, importsPath, parseId } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LoadingHeading } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { CheckedImport } from './checked-import.tsx';
import { ImportChanges } from './import-changes.tsx';
import { ImportErrors } from './import-errors.tsx';
import { StepProgress, useImportStep } from './import-progress.tsx';
import { ImportBadge, useImportName, useUploader } from './imports-columns.tsx';
import { importQuery, isInProgress, useCancelImport, useRefreshAtEnd } from './imports-queries.ts';
import { Warnings } from './partial-result.tsx';
import { KeptVariants, UndoImport } from './undo-import.tsx';

/** Rendered inside the brand's shell, so the brand exists. */
export function ImportPage() {
  const { t } = useTranslation();
  const params = useParams();
  const brandId = Number(params.id);
  const importId = parseId(params.importId);
  return (
    <div className="flex flex-col gap-4">
      <Button asChild variant="ghost" size="dense" className="-ml-2.5 self-start">
        <Link to={importsPath(brandId)}>
          <ArrowLeft className="size-4" />
          {t('imports.all')}
        </Link>
      </Button>
      {importId ? <OneImport key={importId} brandId={brandId} importId={importId} /> : <NoSuchImport />}
    </div>
  );
}

function OneImport({ brandId, importId }: { brandId: number; importId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(importQuery(brandId, importId));
  useRefreshAtEnd(brandId, data !== undefined && isInProgress(data));
  if (data) return <ImportDetails brandId={brandId} receipt={data} />;
  if (!error) return <ImportSkeleton />;
  if (error instanceof ApiError && error.status === 404) return <NoSuchImport />;
  return <QueryErrorCard heading="h1" title={t('imports.page_error')} error={error} refetch={refetch} />;
}

interface ImportProps {
  brandId: number;
  receipt: ImportForMember;
}

function ImportDetails({ brandId, receipt }: ImportProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useImportName();
  const uploaderOf = useUploader();
  const isUndo = receipt.undoes_import_id !== null;
  const { data: undone } = useQuery({ ...importQuery(brandId, receipt.undoes_import_id ?? 0), enabled: isUndo });
  const isCorrected = receipt.corrects_import_id !== null;
  // While the brand is inactive too: the check can be discarded.
  const mayDiscard = useDeniedReason(brandId)(cancelImport) === undefined;
  const isToConfirm = receipt.state === 'checked' && mayDiscard;
  const isImported = receipt.state === 'done' || receipt.state === 'undone';
  const about = { person: uploaderOf(receipt), time: format.time(receipt.created_at) };
  return (
    <>
      <PageHeader
        title={nameOf(receipt, undone)}
        subtitle={t(isUndo ? 'imports.undone_by' : isCorrected ? 'imports.corrected_by' : 'imports.uploaded_by', about)}
        status={<ImportBadge receipt={receipt} />}
        actions={
          receipt.state === 'checked' ? undefined : isInProgress(receipt) ? (
            <CancelButton brandId={brandId} importId={receipt.id} />
          ) : (
            <UndoImport brandId={brandId} receipt={receipt} />
          )
        }
      />
      {isToConfirm ? <CheckedImport brandId={brandId} importId={receipt.id} /> : <Outcome receipt={receipt} />}
      {isImported && <Counts receipt={receipt} />}
      {receipt.undoes_import_id !== null && (
        <Button asChild className="self-start">
          <Link to={importPath(brandId, receipt.undoes_import_id)}>{t('imports.to_undone')}</Link>
        </Button>
      )}
      {receipt.corrects_import_id !== null && (
        <Button asChild className="self-start">
          <Link to={importPath(brandId, receipt.corrects_import_id)}>{t('imports.to_corrected')}</Link>
        </Button>
      )}
      {receipt.kept_count > 0 && (
        <Section title={t('imports.kept.title')}>
          <KeptVariants kept={receipt.kept} count={receipt.kept_count} />
        </Section>
      )}
      {receipt.warnings.length > 0 && !isToConfirm && (
        <Card>
          <Warnings warnings={receipt.warnings} />
        </Card>
      )}
      {receipt.rejected > 0 && (
        <Section title={t('imports.errors.title')}>
          <ImportErrors brandId={brandId} receipt={receipt} />
        </Section>
      )}
      {isImported && !isUndo && (
        <section aria-labelledby="changes" className="flex flex-col gap-3">
          <h2 id="changes" className="font-semibold text-heading">
            {t('imports.changes.title')}
          </h2>
          <ImportChanges brandId={brandId} receipt={receipt} />
        </section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      {/* Focusable, to take the focus of a retry button that disappears. */}
      <section tabIndex={-1} className="flex flex-col gap-3 outline-none">
        <h2 className="font-semibold text-heading">{title}</h2>
        {children}
      </section>
    </Card>
  );
}

/** The progress, or the result if it is not simply done. */
function Outcome({ receipt }: { receipt: ImportForMember }) {
  const { t } = useTranslation();
  const importStep = useImportStep();
  if (isInProgress(receipt)) {
    return (
      <Card className="flex flex-col gap-2">
        <StepProgress label={t('import.progress.import_label')} step={importStep(receipt)} />
      </Card>
    );
  }
  if (receipt.failure) return <Alert tone="error">{receipt.failure.message}</Alert>;
  if (receipt.state === 'cancelled') return <Alert tone="info">{t('import.cancelled.importing')}</Alert>;
  if (receipt.state === 'discarded') return <Alert tone="info">{t('imports.discarded')}</Alert>;
  if (receipt.state === 'checked') return <Alert tone="info">{t('imports.checked')}</Alert>;
  if (receipt.state === 'undone') return <Alert tone="info">{t('imports.undo.was_undone')}</Alert>;
  if (receipt.undoes_import_id === null && receipt.undo_until === null) {
    return <Alert tone="info">{t(`imports.undo.${receipt.changed_nothing ? 'nothing' : 'impossible'}`)}</Alert>;
  }
  return null;
}

/** Rows first, then variants: a variant may have several rows. */
const COUNTS = ['total_rows', 'rejected', 'variants_created', 'variants_updated', 'variants_unchanged'] as const;

function Counts({ receipt }: { receipt: ImportForMember }) {
  const { t } = useTranslation();
  const format = useFormat();
  const counts =
    receipt.undoes_import_id === null
      ? COUNTS.map((field) => [t(`imports.counts.${field}`), receipt[field]] as const)
      : [
          [t('imports.counts.restored'), receipt.variants_updated] as const,
          [t('imports.counts.removed'), receipt.variants_removed] as const,
          [t('imports.counts.kept'), receipt.kept_count] as const,
        ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {counts.map(([label, count]) => (
        <div key={label} className="rounded-card border bg-surface px-4 py-3">
          <dt className="text-small text-text-secondary">{label}</dt>
          <dd className="font-semibold text-title tabular-nums">{format.number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function CancelButton({ brandId, importId }: { brandId: number; importId: number }) {
  const { t } = useTranslation();
  const denied = useDeniedReason(brandId)(cancelImport);
  const { mutate, isPending } = useCancelImport(brandId, importId);
  const ref = useMoveFocusOnUnmount('main');
  const cancel = () =>
    mutate(undefined, {
      onError: (error) => {
        // It ended before it could be cancelled: the page shows its result.
        if (error instanceof ApiError && error.code === 'import_ended') return;
        toast({ variant: 'error', title: t('imports.cancel.failed'), description: errorMessage(error, t) });
      },
    });
  return (
    <ExplainedButton
      ref={ref}
      icon={<X className="size-4" />}
      busy={isPending}
      busyLabel={t('import.progress.cancelling')}
      hint={denied}
      onClick={cancel}
    >
      {t('imports.cancel.action')}
    </ExplainedButton>
  );
}

function NoSuchImport() {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState heading="h1" icon={FileX} title={t('imports.not_found.title')} description={t('imports.not_found.description')} />
    </Card>
  );
}

function ImportSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="flex animate-late flex-col gap-4">
      <LoadingHeading label={t('ui.loading')} />
      <div>
        <Skeleton className="my-1 h-5 w-56" />
        <Skeleton className="mt-2.5 mb-0.5 h-4 w-80 max-w-full" />
      </div>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        {COUNTS.map((field) => (
          <div key={field} className="h-20 rounded-card border bg-surface" />
        ))}
      </div>
      <div className="h-96 rounded-card border bg-surface" />
    </div>
  );
}
