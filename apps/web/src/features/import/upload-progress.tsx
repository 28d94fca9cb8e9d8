import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { bringIntoView } from './dialog-parts.tsx';
import { type ProgressStep, StepProgress, unmeasured, useImportStep } from './import-progress.tsx';
import type { PendingUpload } from './upload-state.ts';

export function UploadProgress({ upload }: { upload: PendingUpload }) {
  const { t } = useTranslation();
  const step = useUploadStep(upload);
  const isSending = upload.sent < 1;
  const followed = upload.isCheck ? 'only_checked' : 'may_leave';
  const advice = isSending ? 'keep_open' : upload.isFollowed ? followed : undefined;
  return (
    <div className="flex flex-col gap-2">
      {/* A separate bar for each phase, so that none moves back. */}
      <StepProgress
        key={isSending ? 'sending' : 'importing'}
        label={t(isSending ? 'import.progress.label' : 'import.progress.import_label')}
        step={step}
      />
      {advice && <p className="text-pretty text-small text-text-secondary">{t(`import.progress.${advice}`)}</p>}
      {upload.triedToClose && isSending && (
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
    const percent = Math.floor(sent * 100);
    return {
      title: t('import.progress.title'),
      amount: t('import.progress.percent', { number: format.number(percent) }),
      percent,
      isMeasured: true,
      spoken: (percent) => t('import.progress.sending', { number: format.number(percent) }),
    };
  }
  return progress ? importStep(progress) : unmeasured(t(isCheck ? 'import.progress.checking' : 'import.progress.saving'));
}
