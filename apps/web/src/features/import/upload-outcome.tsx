import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { importPath } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Select } from '../../ui/select.tsx';
import { ColumnMappingStep } from './column-mapping.tsx';
import { PreviewPanel } from './import-preview.tsx';
import { PartialResult, VariantCounts } from './partial-result.tsx';
import { failureDetail, sheetsOf } from './upload-failure.ts';
import { UploadProgress } from './upload-progress.tsx';
import type { Upload } from './use-upload.ts';

/** The progress of the upload, or its result. */
export function UploadOutcome({ brandId, upload }: { brandId: number; upload: Upload }) {
  const { state, sheet, setSheet, columns } = upload;
  const onChangeColumns = () => void upload.changeColumns();
  const { t } = useTranslation();
  const language = useLanguage();
  const format = useFormat();
  switch (state.step) {
    case 'idle':
      return null;
    case 'chosen':
      if (!state.cancelled) return null;
      return <Alert tone="info">{t(`import.cancelled.${state.cancelled}`)}</Alert>;
    case 'pending':
      return <UploadProgress upload={state} />;
    case 'preview':
      return (
        <div className="flex flex-col gap-3">
          {state.error !== undefined && (
            <Alert tone="error">
              <p className="font-medium">{t('import.preview.not_confirmed')}</p>
              <p className="break-words">{failureDetail(state.error, t, language)}</p>
            </Alert>
          )}
          <PreviewPanel
            brandId={brandId}
            preview={state.preview}
            onPreview={upload.showPreview}
            isChanged={state.isChanged}
            onChangeColumns={onChangeColumns}
          />
        </div>
      );
    case 'success':
      return (
        <div className="flex flex-col gap-3">
          <Alert tone="success">
            <p>{t('import.success', { count: state.result.imported, number: format.number(state.result.imported) })}</p>
            <VariantCounts result={state.result} />
          </Alert>
          <ImportLink brandId={brandId} importId={state.result.import_id} />
        </div>
      );
    case 'partial':
      return (
        <div className="flex flex-col gap-3">
          <PartialResult brandId={brandId} onChangeColumns={onChangeColumns} result={state.result} fileName={state.file.name} />
          <ImportLink brandId={brandId} importId={state.result.import_id} />
        </div>
      );
    case 'error':
      if (columns.question) return <ColumnMappingStep {...columns} question={columns.question} />;
      if (sheet !== undefined) {
        return (
          <Alert tone="info">
            <p className="font-medium">{t('import.sheet.title')}</p>
            <p className="break-words">{failureDetail(state.error, t, language)}</p>
            <Select
              label={t('import.sheet.label')}
              value={sheet}
              options={sheetsOf(state.error).map((name) => ({ value: name, label: name }))}
              onChange={setSheet}
              className="mt-2 max-w-full"
            />
          </Alert>
        );
      }
      return (
        <Alert tone="error">
          <p className="font-medium">{t('import.error.title')}</p>
          <p className="break-words">{failureDetail(state.error, t, language)}</p>
        </Alert>
      );
  }
}

/** A link to the import's page. */
function ImportLink({ brandId, importId }: { brandId: number; importId: number | undefined }) {
  const { t } = useTranslation();
  if (importId === undefined) return null;
  return (
    <Link
      to={importPath(brandId, importId)}
      className="touch-area self-start rounded-sm font-medium text-primary text-small underline underline-offset-2"
    >
      {t('import.see')}
    </Link>
  );
}
