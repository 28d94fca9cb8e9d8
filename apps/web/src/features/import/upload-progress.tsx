import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { bringIntoView } from './dialog-parts.tsx';
import { type ProgressStep, StepProgress, unmeasured, useImportStep } from './import-progress.tsx';
import type { PendingUpload } from './upload-state.ts';

interface UploadProgressProps {
  upload: PendingUpload;
  /** The user tried to close the dialog during the upload. */
  triedToClose: boolean;
}

export function UploadProgress({ upload, triedToClose }: UploadProgressProps) {
  const { t } = useTranslation();
  const step = useUploadStep(upload);
  const isSending = upload.sent < 1;
  const phase = isSending ? 'sending' : upload.isCheck ? 'checking' : 'importing';
  return (
    <div className="flex flex-col gap-2">
      {!upload.isConfirmed && <p className="text-caption text-text-secondary">{t(`import.progress.phase.${phase}`)}</p>}
      {/* A separate bar for each phase, so that none moves back. */}
      <StepProgress
        key={isSending ? 'sending' : 'importing'}
        label={t(isSending ? 'import.progress.label' : 'import.progress.import_label')}
        step={step}
      />
      <p className="text-pretty text-small text-text-secondary">
        {t(`import.progress.${!upload.isFollowed ? 'keep_open' : upload.isCheck ? 'only_checked' : 'may_leave'}`)}
      </p>
      {triedToClose && isSending && (
        <p role="status" ref={bringIntoView} className="scroll-mb-5 text-pretty text-small text-text-secondary">
          {t('import.progress.stays_open')}
        </p>
      )}
    </div>
  );
}

function useUploadStep({ sent, progress, cancelling, isCheck }: PendingUpload): ProgressStep {
  const { t } = useTranslation();
  const format = useFormat();
  const importStep = useImportStep();
  if (cancelling) return unmeasured(t('import.progress.cancelling'));
  if (sent < 1) {
    return {
      title: t('import.progress.title'),
      percent: Math.floor(sent * 100),
      isMeasured: true,
      spoken: (percent) => t('import.progress.sending', { number: format.number(percent) }),
    };
  }
  return progress
    ? importStep(progress)
    : unmeasured(t(isCheck ? 'import.progress.checking' : 'import.progress.saving'));
}
