import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { Card } from '../../ui/card.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { PreviewActions, PreviewPanel } from './import-preview.tsx';
import { importPreviewQuery, useCancelImport, useConfirmImport } from './imports-queries.ts';

/** The preview of a checked file, with buttons to import or discard it. */
export function CheckedImport({ brandId, importId }: { brandId: number; importId: number }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: preview, error, refetch } = useQuery(importPreviewQuery(brandId, importId));
  const { mutate, isPending, error: refusal } = useConfirmImport(brandId, importId);
  const discard = useCancelImport(brandId, importId);
  const isChanged = refusal instanceof ApiError && refusal.code === 'import_plan_changed';
  const tell = (title: string) => (failure: Error) => toast({ variant: 'error', title, description: errorMessage(failure, t) });

  if (!preview) {
    return (
      <Card>
        {error ? <QueryError title={t('import.preview.failed')} error={error} refetch={refetch} /> : <Skeleton className="h-48" />}
      </Card>
    );
  }
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="sr-only">{t('import.preview.heading')}</h2>
      <PreviewPanel
        brandId={brandId}
        preview={preview}
        isChanged={isChanged}
        onPreview={(corrected) => queryClient.setQueryData(importPreviewQuery(brandId, importId).queryKey, corrected)}
      />
      <Buttons>
        <PreviewActions
          brandId={brandId}
          preview={preview}
          isDiscarding={discard.isPending}
          isConfirming={isPending}
          onDiscard={() => discard.mutate(undefined, { onError: tell(t('import.preview.not_discarded')) })}
          onConfirm={() =>
            mutate(preview, {
              onError: (failure) => {
                // The preview above already shows the new numbers.
                if (failure instanceof ApiError && failure.code === 'import_plan_changed') return;
                tell(t('import.preview.not_confirmed'))(failure);
              },
            })
          }
        />
      </Buttons>
    </Card>
  );
}

/** They disappear when the file is imported or discarded. */
function Buttons({ children }: { children: ReactNode }) {
  const ref = useMoveFocusOnUnmount<HTMLDivElement>('main');
  return (
    <div ref={ref} className="flex flex-wrap-reverse gap-2 max-sm:*:flex-1 sm:justify-end">
      {children}
    </div>
  );
}
