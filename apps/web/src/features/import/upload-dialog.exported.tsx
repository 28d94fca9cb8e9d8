import { UPLOAD_CLOSE_DELAY_MS } from '@brand-portal/contract/constants';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { importsPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { carryFile } from './carried-file.ts';
import { PreviewActions } from './import-preview.tsx';
import { StepSection } from './step-section.tsx';
import { TemplateStep } from './template-step.tsx';
import { UploadButtons } from './upload-buttons.tsx';
import { UploadFile } from './upload-file.tsx';
import { useStepFocus } from './use-step-focus.ts';
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
  const navigate = useNavigate();
  const upload = useUpload(brandId, 'csv');
  const { state, columns, discard, cancel } = upload;
  const { step } = state;
  const confirmedAt = useRef(Number.NEGATIVE_INFINITY);
  const { chooseRef, uploadRef, outcomeRef } = useStepFocus(state);
  const isSending = step === 'pending' && state.sent < 1;
  const close = () => {
    // Escape or a click outside must not stop an upload: only the cancel button does.
    if (isSending) return upload.sayItStaysOpen();
    upload.leave();
    onOpenChange(false);
  };
  const closeAfterSuccess = useEffectEvent(close);
  useEffect(() => {
    if (step !== 'success' || !open) return;
    const timer = setTimeout(() => closeAfterSuccess(), UPLOAD_CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [step, open]);
  const carry = (workbook: File) => {
    carryFile(brandId, workbook);
    close();
    void navigate(importsPath(brandId));
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
            brandId={brandId}
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
            {!isOver && <Button onClick={() => (step === 'pending' ? cancel() : close())}>{t('import.cancel')}</Button>}
            {step === 'pending' && !isSending && <Button onClick={close}>{t('import.close')}</Button>}
            {step !== 'partial' && <UploadButtons upload={upload} uploadRef={uploadRef} />}
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
        <StepSection number={2} title={t('import.file.title')} description={t('import.file.description')}>
          <UploadFile accepted="csv" onCarry={carry} brandId={brandId} upload={upload} chooseRef={chooseRef} outcomeRef={outcomeRef} />
        </StepSection>
        {(step === 'idle' || step === 'chosen') && (
          <div className="flex flex-col gap-1 text-small text-text-secondary">
            <p>
              {t('import.workbook.question')}{' '}
              <Link to={importsPath(brandId)} className="touch-area font-medium text-primary hover:underline">
                {t('import.workbook.action')}
              </Link>
            </p>
            {onAddByHand && (
              <p>
                {t('import.by_hand.question')}{' '}
                <button type="button" onClick={onAddByHand} className="touch-area font-medium text-primary hover:underline">
                  {t('import.by_hand.action')}
                </button>
              </p>
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}
