import { CSV_FALLBACK_COLUMNS } from '@brand-portal/contract/constants';
import type { CsvHeaders } from '@brand-portal/contract/import';

/** The header of the template, and its column descriptions. */
export interface CsvTemplate {
  /** Header cells as in the file: required columns have an asterisk. */
  header: readonly string[];
  required: readonly string[];
  optional: readonly string[];
}

const isRequired = (cell: string) => cell.endsWith('*');
const withoutAsterisk = (cell: string) => (isRequired(cell) ? cell.slice(0, -1) : cell);

/** Servers may send column names with or without the asterisk. */
export function templateOf({ columns, required_columns, optional_columns }: CsvHeaders): CsvTemplate {
  const required = required_columns.map(withoutAsterisk);
  return {
    header: columns.map(withoutAsterisk).map((column) => (required.includes(column) ? `${column}*` : column)),
    required,
    optional: optional_columns,
  };
}

/** Used if the server's headers cannot be loaded. */
export const fallbackTemplate: CsvTemplate = {
  header: CSV_FALLBACK_COLUMNS,
  required: CSV_FALLBACK_COLUMNS.filter(isRequired).map(withoutAsterisk),
  optional: CSV_FALLBACK_COLUMNS.filter((cell) => !isRequired(cell)),
};

const quoted = (cell: string) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Starts with a byte order mark: without it Excel assumes the local encoding and breaks accents. */
export function templateFile({ header }: CsvTemplate): Blob {
  return new Blob([`\uFEFF${header.map(quoted).join(',')}\r\n`], { type: 'text/csv;charset=utf-8' });
}
