import { MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';

/** The upload dialog takes CSV files only, as specified. The Imports page takes workbooks too. */
export type AcceptedFiles = 'csv' | 'csv_or_workbook';

export type ChoiceProblem = 'several' | 'not_csv' | 'workbook' | 'type_unknown' | 'unsupported' | 'too_large';

export const CSV_TYPE = 'text/csv';
const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What the picker offers. The last one is Excel's 'Unicode Text'. */
export const PICKED_ENDINGS = { csv: ['.csv'], csv_or_workbook: ['.csv', '.xlsx', '.txt'] } as const;

const hasEnding = ({ name }: File, endings: readonly string[]) => endings.some((ending) => name.toLowerCase().endsWith(ending));

/** The dialog checks a dropped file by the type that the browser reports, and a picked file by its name. */
export function problemOf(files: readonly File[], how: 'drop' | 'picker', accepted: AcceptedFiles): ChoiceProblem | undefined {
  const [file, another] = files;
  if (another) return 'several';
  const refusal = accepted === 'csv' ? refusalOfDialog(file, how) : refusalOfPage(file);
  if (refusal || !file) return refusal;
  return file.size > MAX_UPLOAD_BYTES ? 'too_large' : undefined;
}

function refusalOfDialog(file: File | undefined, how: 'drop' | 'picker'): ChoiceProblem | undefined {
  if (!file) return 'not_csv';
  const isNamedCsv = hasEnding(file, PICKED_ENDINGS.csv);
  if (how === 'drop' ? file.type === CSV_TYPE : isNamedCsv) return undefined;
  if (hasEnding(file, ['.xlsx']) || file.type === WORKBOOK_TYPE) return 'workbook';
  // Windows derives the type from the installed programs: with Excel a .csv is application/vnd.ms-excel, without it
  // the type is empty. The picker checks the name only, so the message suggests to use it.
  return isNamedCsv ? 'type_unknown' : 'not_csv';
}

function refusalOfPage(file: File | undefined): ChoiceProblem | undefined {
  const isAccepted = file && (hasEnding(file, PICKED_ENDINGS.csv_or_workbook) || [CSV_TYPE, WORKBOOK_TYPE].includes(file.type));
  return isAccepted ? undefined : 'unsupported';
}
