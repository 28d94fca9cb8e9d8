import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';

export type ChoiceProblem = 'several' | 'not_csv' | 'type_unknown' | 'too_large';

/** Accepted files: dropped files are checked by MIME type, picked files by extension. */
export const ACCEPTED_FILES: Record<string, string[]> = {
  'text/csv': ['.csv'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
};

/**
 * The picker also accepts Excel's 'Unicode Text'. A dropped file of that kind has the type of plain text, which could
 * be anything.
 */
export const PICKED_ENDINGS = [...Object.values(ACCEPTED_FILES).flat(), '.txt'];

/** A dropped file is checked by the type that the browser reports, a picked file by its name. */
export function problemOf(files: readonly File[], how: 'drop' | 'picker'): ChoiceProblem | undefined {
  const [file, another] = files;
  if (another) return 'several';
  if (!file) return 'not_csv';
  const isNamedRight = /\.(csv|xlsx)$/i.test(file.name);
  if (how === 'drop' && !(file.type in ACCEPTED_FILES)) {
    // Windows derives the type from the installed programs: with Excel a .csv is application/vnd.ms-excel, without it
    // the type is empty. The picker checks the name only, so the message suggests to use it.
    return isNamedRight ? 'type_unknown' : 'not_csv';
  }
  if (how === 'picker' && !PICKED_ENDINGS.some((ending) => file.name.toLowerCase().endsWith(ending))) return 'not_csv';
  return file.size > MAX_UPLOAD_BYTES ? 'too_large' : undefined;
}
