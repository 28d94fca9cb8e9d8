import type { CsvUploadAnswer, ImportDetail, ImportPreview } from '@brand-portal/contract/import';
import { ApiError } from '../../lib/api-error.ts';
import type { ChoiceProblem } from './file-choice.ts';
import type { ImportProgress } from './import-queries.ts';

/** A choice of files that was refused. */
export interface RefusedChoice {
  problem: ChoiceProblem;
  /** The Imports page takes it. */
  workbook?: File | undefined;
}

export interface PendingUpload {
  step: 'pending';
  file: File;
  /** The uploaded fraction, from 0 to 1; at 1 the server is working. */
  sent: number;
  /** The server has answered with the import's id: after a reload its result is still announced. */
  isFollowed?: boolean;
  /** The progress on the server, if the import takes longer. */
  progress?: ImportProgress;
  cancelling?: boolean;
  /** The user tried to close the dialog while the file was sent. */
  triedToClose?: boolean;
  /** A dry run: the user wants a preview first. */
  isCheck?: boolean;
}

/** `cancelled`: the phase in which the user cancelled. */
interface Chosen {
  step: 'chosen';
  cancelled?: 'sending' | 'checking' | 'importing';
}

export type UploadState =
  | { step: 'idle' }
  | (Chosen & { file: File })
  | PendingUpload
  /** `isChanged`: the numbers differ from those that the user confirmed. `error`: why they could not be confirmed. */
  | { step: 'preview'; file: File; preview: ImportPreview; isChanged: boolean; error?: unknown }
  | (Imported & { file: File })
  | { step: 'error'; file: File; error: unknown };

type Imported = { step: 'success' | 'partial'; result: CsvUploadAnswer };

/** How an import ended, independent of the file. */
export type UploadEnd = Imported | Chosen | { step: 'preview'; error?: unknown } | { step: 'error'; error: unknown };

export function toImported(result: CsvUploadAnswer): Imported {
  return { step: result.errors.length === 0 ? 'success' : 'partial', result };
}

/** Throws if the import failed. */
export function endOf(ended: ImportDetail): UploadEnd {
  if (ended.state === 'cancelled') return { step: 'chosen', cancelled: 'importing' };
  if (ended.state === 'discarded') return { step: 'chosen', cancelled: 'checking' };
  return ended.state === 'checked' ? { step: 'preview' } : toImported(toResult(ended));
}

/** The answer that the upload would have got if the import had been quick. */
function toResult({ failure, id, ...fields }: ImportDetail): CsvUploadAnswer {
  // In the requested language, like an immediate refusal.
  if (failure) {
    const { sheets, mapping } = failure;
    const fields = {
      ...(sheets && { sheet: sheets.join('\n') }),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
    };
    throw new ApiError({ code: 'csv_rejected', detail: failure.message, fields });
  }
  return { ...fields, import_id: id };
}
