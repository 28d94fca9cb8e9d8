import type { CsvUploadAnswer, ImportPreview } from '@brand-portal/contract/import';
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
