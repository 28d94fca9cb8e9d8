import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { ArrowRight, FileSpreadsheet, FileUp, FileX, RotateCcw } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { type DropEvent, useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { FieldNote } from '../../ui/field.tsx';
import { bringIntoView } from './dialog-parts.tsx';
import { type AcceptedFiles, CSV_TYPE, PICKED_ENDINGS } from './file-choice.ts';
import type { RefusedChoice } from './upload-state.ts';

/** Files with the type that the browser reports: react-dropzone would guess a missing type from the name. */
async function filesOf(event: DropEvent | FileSystemFileHandle[]): Promise<(File | DataTransferItem)[]> {
  if ('dataTransfer' in event && event.dataTransfer) {
    const { files, items } = event.dataTransfer;
    // During a drag the browser only exposes the type.
    return files.length > 0 ? [...files] : [...items].filter(({ kind }) => kind === 'file');
  }
  return 'target' in event && event.target instanceof HTMLInputElement ? [...(event.target.files ?? [])] : [];
}

interface FileDropProps {
  accepted: AcceptedFiles;
  file: File | undefined;
  refused: RefusedChoice | undefined;
  isEmpty: boolean;
  /** During the upload and after it. */
  isLocked: boolean;
  onChoose: (files: readonly File[], how: 'drop' | 'picker') => void;
  onReset: () => void;
  /** Where a workbook can be imported that is refused here. */
  onCarry?: ((workbook: File) => void) | undefined;
  chooseRef: RefObject<HTMLButtonElement | null>;
}

/** Chooses one file, by a drop or with the picker. */
export function FileDrop(props: FileDropProps) {
  const { accepted, file, refused, isEmpty, isLocked, onChoose, onReset, onCarry, chooseRef } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const noteId = useId();
  const workbook = refused?.workbook;
  const megabytes = format.number(MAX_UPLOAD_BYTES / 2 ** 20);
  const note = refused ? t(`import.file.problem.${refused.problem}`, { megabytes }) : isEmpty ? t('import.file.empty') : undefined;
  const { getRootProps, getInputProps, isDragActive, isDragReject } = useDropzone({
    // Many systems do not know the type of a workbook: the Imports page judges a file by its name, once it is dropped.
    ...(accepted === 'csv' && { accept: { [CSV_TYPE]: [...PICKED_ENDINGS.csv] } }),
    multiple: false,
    noKeyboard: true,
    noPaste: true,
    noClick: file !== undefined,
    disabled: isLocked,
    getFilesFromEvent: filesOf,
    onDrop: (fitting, rejected, event) =>
      onChoose([...fitting, ...rejected.map((rejection) => rejection.file)], event.type === 'drop' ? 'drop' : 'picker'),
  });
  const dragged = isDragReject ? 'drop_refused' : isDragActive ? 'drop_now' : 'drop';
  return (
    <>
      <div
        {...getRootProps()}
        className={clsx(
          'rounded-card border transition-colors',
          isDragReject ? 'border-error border-dashed bg-error-bg' : isDragActive && 'border-primary border-dashed bg-primary-bg',
          !file && !isDragActive && 'border-text-tertiary border-dashed hover:bg-surface-hover',
        )}
      >
        {/* Opened by the button below. Its change event distinguishes a picked file from a dropped one. */}
        <input
          {...getInputProps({
            accept: PICKED_ENDINGS[accepted].join(),
            'aria-label': t(`import.file.${accepted}.input`),
          })}
        />
        {file ? (
          <ChosenFile file={file} isLocked={isLocked} onReset={onReset} />
        ) : (
          <div className="flex cursor-pointer flex-col items-center gap-1 px-4 py-6 text-center">
            {isDragReject ? <FileX className="mb-1 size-6 text-error" /> : <FileUp className="mb-1 size-6 text-text-tertiary" />}
            <p className="font-medium">{t(`import.file.${accepted}.${dragged}`)}</p>
            <p className={clsx('text-caption', isDragActive ? 'text-text-secondary' : 'text-text-tertiary')}>
              {t(`import.file.${accepted}.limit`, { megabytes })}
            </p>
            <Button ref={chooseRef} size="dense" aria-describedby={note && noteId} className="mt-3">
              {t('import.file.choose')}
            </Button>
          </div>
        )}
      </div>
      {note && (
        <div key={note} ref={bringIntoView} className="-mt-1.5 flex scroll-mb-5 flex-col items-start gap-3">
          <div role="alert">
            <FieldNote id={noteId} error={note} isQuiet />
          </div>
          {workbook && onCarry && (
            <Button size="dense" icon={<ArrowRight className="size-4" />} onClick={() => onCarry(workbook)}>
              {t('import.file.carry')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function ChosenFile({ file, isLocked, onReset }: Pick<FileDropProps, 'isLocked' | 'onReset'> & { file: File }) {
  const { t } = useTranslation();
  const format = useFormat();
  const kilobytes = Math.max(Math.round(file.size / 102.4) / 10, file.size > 0 ? 0.1 : 0);
  return (
    <div className="flex items-center gap-3 p-3">
      <span className="grid size-9 shrink-0 place-items-center rounded-control bg-primary-bg text-primary">
        <FileSpreadsheet className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium leading-snug">
          <ClampedText text={file.name} lines={3} className="wrap-anywhere" />
        </p>
        <p className="text-caption text-text-tertiary tabular-nums">{t('import.file.size', { number: format.number(kilobytes) })}</p>
      </div>
      {!isLocked && (
        <Button variant="ghost" size="dense" icon={<RotateCcw className="size-4" />} onClick={onReset}>
          {t('import.file.reset')}
        </Button>
      )}
    </div>
  );
}
