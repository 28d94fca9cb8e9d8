import { uploadCsv } from '@brand-portal/contract/import';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { useDeniedReason } from '../brands/brands-queries.ts';
import type { AcceptedFiles } from './file-choice.ts';
import { FileDrop } from './file-drop.tsx';
import { UploadOutcome } from './upload-outcome.tsx';
import type { Upload } from './use-upload.ts';

interface UploadFileProps {
  brandId: number;
  upload: Upload;
  accepted: AcceptedFiles;
  onCarry?: (workbook: File) => void;
  chooseRef: RefObject<HTMLButtonElement | null>;
  outcomeRef: RefObject<HTMLElement | null>;
}

/** The file, and what has happened to it. */
export function UploadFile({ brandId, upload, accepted, onCarry, chooseRef, outcomeRef }: UploadFileProps) {
  const { t } = useTranslation();
  const { state, refused, isEmpty, choose, reset } = upload;
  const { step } = state;
  const denied = useDeniedReason(brandId)(uploadCsv);
  return (
    <>
      <FileDrop
        accepted={accepted}
        file={'file' in state ? state.file : undefined}
        refused={refused}
        isEmpty={isEmpty && step !== 'error'}
        isLocked={step === 'pending' || step === 'success' || step === 'preview'}
        onChoose={choose}
        onReset={reset}
        onCarry={onCarry}
        chooseRef={chooseRef}
      />
      {denied && (step === 'idle' || step === 'chosen') && <Alert tone="warning">{denied}</Alert>}
      <section ref={outcomeRef} tabIndex={-1} aria-label={t('import.outcome')} className="scroll-mb-5 outline-none empty:hidden">
        <UploadOutcome brandId={brandId} upload={upload} />
      </section>
    </>
  );
}
