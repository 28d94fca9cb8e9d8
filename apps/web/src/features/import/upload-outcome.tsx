import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Alert } from '../../ui/alert.tsx';
import { PreviewPanel } from './import-preview.tsx';
import { PartialResult } from './partial-result.tsx';
import { failureDetail } from './upload-failure.ts';
import { UploadProgress } from './upload-progress.tsx';
import type { UploadState } from './upload-state.ts';
import { VariantCounts } from './variant-counts.tsx';

interface UploadOutcomeProps {
  brandId: number;
  state: UploadState;
  triedToClose: boolean;
}

/** How far the upload is, or what came of it. */
export function UploadOutcome({ brandId, state, triedToClose }: UploadOutcomeProps) {
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
      return <UploadProgress upload={state} triedToClose={triedToClose} />;
    case 'preview':
      return <PreviewPanel preview={state.preview} isChanged={state.isChanged} />;
    case 'success':
      return (
        <Alert tone="success">
          <p>{t('import.success', { count: state.result.imported, number: format.number(state.result.imported) })}</p>
          <VariantCounts result={state.result} />
        </Alert>
      );
    case 'partial':
      return <PartialResult brandId={brandId} result={state.result} fileName={state.file.name} />;
    case 'error':
      return (
        <Alert tone="error">
          <p className="font-medium">{t('import.error.title')}</p>
          <p className="break-words">{failureDetail(state.error, t, language)}</p>
        </Alert>
      );
  }
}
