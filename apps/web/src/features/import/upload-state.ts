import type { CsvUploadAnswer, ImportDetail, ImportPreview } from '@brand-portal/contract/import';
import { ApiError } from '../../lib/api-error.ts';
import type { ImportProgress } from './import-queries.ts';

export interface PendingUpload {
  step: 'pending';
  file: File;
  /** How much has gone up, from 0 to 1; at 1 it is the server's turn. */
  sent: number;
  /** How far the server is, where the import takes longer than a moment. */
  progress?: ImportProgress;
  cancelling?: boolean;
  /** Nothing is imported: the member wants to see first what it would do. */
  isCheck?: boolean;
  /** It was sent before, to be checked. */
  isConfirmed?: boolean;
}

export type UploadState =
  | { step: 'idle' }
  /** `cancelled`: how far the file had come when the member stopped it. */
  | { step: 'chosen'; file: File; cancelled?: 'sending' | 'importing' }
  | PendingUpload
  /** `isChanged`: the numbers are others than the member had seen. */
  | { step: 'preview'; file: File; preview: ImportPreview; isChanged: boolean }
  | { step: 'success' | 'partial'; file: File; result: CsvUploadAnswer }
  | { step: 'error'; file: File; error: unknown };

type Landed = { step: 'success' | 'partial'; result: CsvUploadAnswer };

/** How an import ended, whichever file it was. */
export type UploadEnd =
  | Landed
  | { step: 'chosen'; cancelled?: 'sending' | 'importing' }
  | { step: 'preview' }
  | { step: 'error'; error: unknown };

export function landed(result: CsvUploadAnswer): Landed {
  return { step: result.errors.length === 0 ? 'success' : 'partial', result };
}

/** Throws where it failed. */
export function endOf(ended: ImportDetail): UploadEnd {
  if (ended.state === 'cancelled' || ended.state === 'discarded') return { step: 'chosen', cancelled: 'importing' };
  return ended.state === 'checked' ? { step: 'preview' } : landed(toResult(ended));
}

/** What the upload would have been answered with, had it been waited for. */
function toResult({ failure, id, ...fields }: ImportDetail): CsvUploadAnswer {
  // In the language that was asked for, as a refusal is.
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
