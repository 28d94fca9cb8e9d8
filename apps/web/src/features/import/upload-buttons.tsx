import { Upload as UploadIcon } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import type { Upload } from './use-upload.ts';

interface UploadButtonsProps {
  upload: Upload;
  uploadRef: RefObject<HTMLButtonElement | null>;
}

export function UploadButtons({ upload, uploadRef }: UploadButtonsProps) {
  const { t } = useTranslation();
  const { state, columns } = upload;
  const { step } = state;
  const isSending = step === 'pending' && state.sent < 1;
  const disabledReason = {
    idle: t('import.upload.no_file'),
    pending: isSending ? t('import.upload.pending') : t('import.upload.importing'),
    success: t('import.upload.done'),
    chosen: undefined,
    partial: undefined,
    error: columns.problem && t(`import.columns.${columns.problem}`),
    preview: undefined,
  }[step];
  return (
    <>
      {step !== 'success' && (step !== 'pending' || isSending) && (
        <ExplainedButton disabledReason={disabledReason} onClick={() => void upload.check()}>
          {t('import.preview.action')}
        </ExplainedButton>
      )}
      <ExplainedButton
        ref={uploadRef}
        variant={step === 'success' ? 'secondary' : 'primary'}
        icon={<UploadIcon className="size-4" />}
        busy={step === 'pending'}
        disabledReason={disabledReason}
        onClick={() => void upload.upload()}
      >
        {t('import.upload.action')}
      </ExplainedButton>
    </>
  );
}
