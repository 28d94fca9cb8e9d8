import type { ImportPreview } from '@brand-portal/contract/import';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useTakeLikelyId } from './import-queries.ts';

interface LikelyIdsProps {
  brandId: number;
  preview: ImportPreview;
  onPreview: (preview: ImportPreview) => void;
}

/** Certificate ids that are probably mistyped, each with a button for the likely one. */
export function LikelyIds({ brandId, preview, onPreview }: LikelyIdsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const region = useRef<HTMLDivElement>(null);
  const { mutate, isPending, isSuccess, variables } = useTakeLikelyId(brandId, preview.import_id);
  return (
    // It takes the focus of a button that disappears.
    <div ref={region} tabIndex={-1} className={preview.likely_ids.length === 0 ? 'sr-only' : 'outline-none'}>
      <p role="status" className="sr-only">
        {isSuccess && t('import.likely.taken', { id: variables.certificate_id, likely_id: variables.likely_id })}
      </p>
      {preview.likely_ids.length > 0 && (
        <Alert tone="warning">
          <p className="font-medium">{t('import.likely.title')}</p>
          <ul className="mt-1 flex flex-col gap-2">
            {preview.likely_ids.map((likely) => {
              const { certification_id, certification_name: certification, certificate_id: id, likely_id, rows } = likely;
              return (
                <li key={`${certification_id} ${id}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
                    {t('import.likely.id', { certification, id, count: rows, number: format.number(rows) })}
                  </span>
                  <Button
                    size="dense"
                    className="max-w-full whitespace-normal! h-auto! min-h-7 py-0.5 text-left max-lg:min-h-11"
                    busy={isPending && variables === likely}
                    aria-label={t('import.likely.take_for', { likely_id, id })}
                    onClick={() =>
                      mutate(likely, {
                        onSuccess: (corrected) => {
                          onPreview(corrected);
                          region.current?.focus();
                        },
                        onError: (error) =>
                          toast({
                            variant: 'error',
                            title: t('import.likely.failed'),
                            description: errorMessage(error, t),
                          }),
                      })
                    }
                  >
                    {t('import.likely.take', { likely_id })}
                  </Button>
                </li>
              );
            })}
          </ul>
        </Alert>
      )}
    </div>
  );
}
