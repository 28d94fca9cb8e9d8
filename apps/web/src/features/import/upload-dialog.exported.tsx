import { UPLOAD_CLOSE_DELAY_MS } from '@brand-portal/contract/constants';
import { Upload } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { bringIntoView } from './dialog-parts.tsx';
import { FileStep } from './file-step.tsx';
import { PreviewActions } from './import-preview.tsx';
import { TemplateStep } from './template-step.tsx';
import { UploadOutcome } from './upload-outcome.tsx';
import type { UploadState } from './upload-state.ts';
import { useUpload } from './use-upload.ts';

/** The longest time between the two clicks of a double click that operating systems can be set to. */
const DOUBLE_CLICK_MS = 1_000;

interface UploadDialogProps {
  brandId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Absent if variants cannot be added by hand here. */
  onAddByHand?: () => void;
}

/** A new instance on each opening: no state is left from the last one. */
export function UploadDialog(props: UploadDialogProps) {
  const [openings, setOpenings] = useState(0);
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open !== wasOpen) {
    setWasOpen(props.open);
    if (props.open) setOpenings(openings + 1);
  }
  return <OneUpload key={openings} {...props} />;
}

function OneUpload({ brandId, open, onOpenChange, onAddByHand }: UploadDialogProps) {
  const { t } = useTranslation();
  const upload = useUpload(brandId);
  const { state, problem, isEmpty, sheet, columns, choose, discard, cancel, reset } = upload;
  const { step } = state;
  const [triedToClose, setTriedToClose] = useState(false);
  const confirmedAt = useRef(Number.NEGATIVE_INFINITY);
  const { chooseRef, uploadRef, outcomeRef } = useStepFocus(state);
  const file = 'file' in state ? state.file : undefined;

  const disabledReason = {
    idle: t('import.upload.no_file'),
    pending: t('import.upload.pending'),
    success: t('import.upload.done'),
    chosen: undefined,
    partial: undefined,
    error: columns.problem && t(`import.columns.${columns.problem}`),
    preview: undefined,
  }[step];

  const isSending = step === 'pending' && state.sent < 1;
  const close = () => {
    // Escape or a click outside must not stop an upload: only the cancel button does.
    if (isSending) return setTriedToClose(true);
    upload.leave();
    onOpenChange(false);
  };
  const closeAfterSuccess = useEffectEvent(close);
  useEffect(() => {
    if (step !== 'success' || !open) return;
    const timer = setTimeout(() => closeAfterSuccess(), UPLOAD_CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [step, open]);
  const begin = (work: () => void) => {
    setTriedToClose(false);
    work();
  };
  const isOver = step === 'success' || step === 'partial';

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(next) : close())}
      title={t('import.title')}
      description={t('import.description')}
      size="wide"
      isDirty={step === 'error' && columns.isChanged}
      // The dialog shrinks when the import starts: the second click of a double click then lands outside.
      ignoresClickOutside={() => performance.now() - confirmedAt.current < DOUBLE_CLICK_MS}
      footer={
        step === 'preview' ? (
          <PreviewActions
            preview={state.preview}
            confirmRef={uploadRef}
            onDiscard={discard}
            onConfirm={() => {
              confirmedAt.current = performance.now();
              void upload.confirm();
            }}
          />
        ) : (
          <>
            <Button onClick={() => (step === 'pending' ? cancel() : close())}>{t('import.cancel')}</Button>
            {step === 'pending' && !isSending && <Button onClick={close}>{t('import.close')}</Button>}
            {!isOver && (step !== 'pending' || isSending) && (
              <ExplainedButton disabledReason={disabledReason} onClick={() => begin(() => void upload.check())}>
                {t('import.preview.action')}
              </ExplainedButton>
            )}
            <ExplainedButton
              ref={uploadRef}
              variant={isOver ? 'secondary' : 'primary'}
              icon={<Upload className="size-4" />}
              busy={step === 'pending'}
              disabledReason={disabledReason}
              onClick={() => begin(() => void upload.upload())}
            >
              {t('import.upload.action')}
            </ExplainedButton>
            {isOver && (
              <Button variant="primary" onClick={close}>
                {t('import.done')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <TemplateStep />
        <FileStep
          file={file}
          problem={problem}
          isEmpty={isEmpty && step !== 'error'}
          isLocked={step === 'pending' || step === 'success' || step === 'preview'}
          onChoose={choose}
          onReset={reset}
          chooseRef={chooseRef}
        >
          <section
            ref={outcomeRef}
            tabIndex={-1}
            aria-label={t('import.outcome')}
            className="scroll-mb-5 outline-none empty:hidden"
          >
            <UploadOutcome
              {...{ brandId, state, triedToClose, sheet, columns }}
              onChooseSheet={upload.setSheet}
              onChangeColumns={() => begin(() => void upload.changeColumns())}
            />
          </section>
        </FileStep>
        {onAddByHand && (step === 'idle' || step === 'chosen') && (
          <p className="text-small text-text-secondary">
            {t('import.by_hand.question')}{' '}
            <button type="button" onClick={onAddByHand} className="touch-area font-medium text-primary hover:underline">
              {t('import.by_hand.action')}
            </button>
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** The focused element may disappear or become disabled in the next step: moves the focus to where the user continues. */
function useStepFocus(state: UploadState) {
  const chooseRef = useRef<HTMLButtonElement>(null);
  const uploadRef = useRef<HTMLButtonElement>(null);
  const outcomeRef = useRef<HTMLElement>(null);
  const { step } = state;
  const isCancelled = step === 'chosen' && state.cancelled !== undefined;
  const lastStep = useRef(step);
  useEffect(() => {
    if (step === lastStep.current) return;
    lastStep.current = step;
    if (step === 'idle') chooseRef.current?.focus();
    // After a cancellation the focus stays: the next Enter must not upload the file again.
    else if (step === 'chosen') isCancelled ? bringIntoView(outcomeRef.current) : uploadRef.current?.focus();
    else {
      outcomeRef.current?.focus({ preventScroll: true });
      outcomeRef.current?.scrollIntoView({ block: 'start' });
    }
  }, [step, isCancelled]);
  return { chooseRef, uploadRef, outcomeRef };
}
