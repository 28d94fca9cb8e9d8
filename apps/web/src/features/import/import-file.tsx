import { FileSpreadsheet } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { UnsavedChanges } from '../../ui/dialog.tsx';
import { takeCarriedFile } from './carried-file.ts';
import { PreviewActions } from './import-preview.tsx';
import { useSaveWorkbookTemplate } from './import-queries.ts';
import { UploadButtons } from './upload-buttons.tsx';
import { UploadFile } from './upload-file.tsx';
import { useStepFocus } from './use-step-focus.ts';
import { useUpload } from './use-upload.ts';

/** Imports a CSV file or a workbook. */
export function ImportFile({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const upload = useUpload(brandId, 'csv_or_workbook');
  const { state, columns } = upload;
  const { step } = state;
  const { chooseRef, uploadRef, outcomeRef } = useStepFocus(state);
  const takeFile = useEffectEvent(() => {
    const carried = takeCarriedFile(brandId);
    if (carried) upload.choose([carried], 'picker');
  });
  useEffect(() => takeFile(), []);
  return (
    <Card>
      <section aria-labelledby="import-file" className="flex flex-col gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id="import-file" className="font-semibold text-heading">
              {t('imports.file.title')}
            </h2>
            <p className="mt-0.5 text-pretty text-small text-text-secondary">{t('imports.file.description')}</p>
          </div>
          <WorkbookTemplate />
        </div>
        <UploadFile accepted="csv_or_workbook" brandId={brandId} upload={upload} chooseRef={chooseRef} outcomeRef={outcomeRef} />
        <div className="flex flex-wrap-reverse gap-2 empty:hidden max-sm:*:flex-1 sm:justify-end">
          {(step === 'chosen' || step === 'error') && <UploadButtons upload={upload} uploadRef={uploadRef} />}
          {step === 'pending' && <Button onClick={upload.cancel}>{t('import.cancel')}</Button>}
          {step === 'preview' && (
            <PreviewActions
              brandId={brandId}
              preview={state.preview}
              confirmRef={uploadRef}
              onDiscard={upload.discard}
              onConfirm={() => void upload.confirm()}
            />
          )}
          {(step === 'success' || step === 'partial') && (
            <Button variant="primary" onClick={upload.reset}>
              {t('import.done')}
            </Button>
          )}
        </div>
      </section>
      <UnsavedChanges isDirty={step === 'error' && columns.isChanged} />
    </Card>
  );
}

function WorkbookTemplate() {
  const { t } = useTranslation();
  const { mutate, isPending, error } = useSaveWorkbookTemplate();
  return (
    <>
      <Button
        size="dense"
        icon={<FileSpreadsheet className="size-4" />}
        busy={isPending}
        busyLabel={t('import.template.busy')}
        onClick={() => mutate()}
      >
        {t('import.template.excel')}
      </Button>
      {error && (
        <Alert tone="error" className="basis-full">
          <p>{t('import.template.excel_failed')}</p>
          <p>{errorMessage(error, t)}</p>
        </Alert>
      )}
    </>
  );
}
