import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';

export type ChoiceProblem = 'several' | 'not_csv' | 'type_unknown' | 'too_large';

/** What is accepted: by type where it is dropped, by ending in the picker. */
export const ACCEPTED_FILES: Record<string, string[]> = {
  'text/csv': ['.csv'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
};

/** The picker offers Excel's 'Unicode Text' as well. As a drop it is plain text, which may be anything. */
export const PICKED_ENDINGS = [...Object.values(ACCEPTED_FILES).flat(), '.txt'];

/** A drop is judged by the type that the browser reports, the picker by the name it filters by. */
export function problemOf(files: readonly File[], how: 'drop' | 'picker'): ChoiceProblem | undefined {
  const [file, another] = files;
  if (another) return 'several';
  if (!file) return 'not_csv';
  const isNamedRight = /\.(csv|xlsx)$/i.test(file.name);
  if (how === 'drop' && !(file.type in ACCEPTED_FILES)) {
    // Windows takes the type from the programs that are installed: with Excel a .csv is application/vnd.ms-excel,
    // without it nothing at all. The picker goes by the name, so the member is sent there.
    return isNamedRight ? 'type_unknown' : 'not_csv';
  }
  if (how === 'picker' && !PICKED_ENDINGS.some((ending) => file.name.toLowerCase().endsWith(ending))) return 'not_csv';
  return file.size > MAX_UPLOAD_BYTES ? 'too_large' : undefined;
}
