import type { Language } from '@brand-portal/contract/constants';
import {
  IMPORT_FIELDS as COLUMNS,
  type ImportField as ColumnName,
  OPTIONAL_FIELDS as OPTIONAL_COLUMNS,
  REQUIRED_FIELDS as REQUIRED_COLUMNS,
} from '@brand-portal/contract/import-mapping';
import { DETAIL_FIELDS, DETAILS, mapFields } from '@brand-portal/contract/variant-fields';
import { MAX_COLUMNS } from '../../files/csv/csv-records.ts';
import { FileRefusal } from '../../files/csv/file-refusal.ts';
import type { CellOrigin } from './cell-text.ts';

export { COLUMNS, type ColumnName, OPTIONAL_COLUMNS, REQUIRED_COLUMNS };

const WIDTHS_BY_KIND = { line: 24, text: 40, link: 32 };
/** In characters, in the order of the columns. */
export const WIDTHS: Readonly<Record<ColumnName, number>> = {
  variant_name: 40,
  gtin: 18,
  category: 24,
  publishing_channel: 20,
  certificate_id: 24,
  certification_name: 28,
  ...mapFields(DETAIL_FIELDS, (field) => WIDTHS_BY_KIND[DETAILS[field].kind]),
  certificate_link: 32,
};

/** Extra columns of an export. Ignored when it is uploaded again. */
const STATE_COLUMNS = ['published', 'certificate_status', 'certificate_expires_on', 'channel_state', 'channel_reason'] as const;
export type StateColumn = (typeof STATE_COLUMNS)[number];
/** The name of an export, without its extension. */
export const EXPORT_NAME = 'product-variants';
/** Those that a member may try to edit. An import says that it ignores it. */
const EDITABLE_STATES = ['published', 'certificate_status', 'certificate_expires_on'] as const;
/** The first two columns of the file of rejected rows. Ignored when it is uploaded again. */
export const ROW_COLUMN: Readonly<Record<Language, string>> = { en: 'Row', es: 'Fila' };
/** In both languages. */
export const ERROR_COLUMN = 'Error';
/** Limits what the pattern sees: one backtracks for seconds on 60,000 asterisks. */
export const MAX_HEADER_LENGTH = 100;
/** Known columns that the import ignores. The first is in the web app's fallback template. */
const IGNORED_KEYS = ['certificationstatus', ...[ERROR_COLUMN, ...STATE_COLUMNS].map(keyOf)];
/** The columns of an export that are in no other file. */
const EXPORT_KEYS = STATE_COLUMNS.filter((name) => name !== 'certificate_expires_on').map(keyOf);
const LISTED_COLUMNS = 20;
const LISTED_CHARACTERS = 40;

export interface ColumnPlaces {
  readonly count: number;
  /** How many cells a row must have. A spreadsheet may drop blank ones at the end. */
  readonly needed: number;
  /** The position of each column. */
  readonly places: ReadonlyMap<ColumnName, number>;
  /** From this position on are columns that the file lacks, for rows that are corrected. */
  readonly addedFrom?: number;
  /** Where an export has columns that a member may try to edit. */
  readonly states: ReadonlyMap<(typeof EDITABLE_STATES)[number], number>;
  /** The file's names of unknown columns. */
  readonly unknown: readonly string[];
  /** Positions of columns without a name, between others. */
  readonly nameless: readonly number[];
  readonly origin: CellOrigin;
}

/** `isText`: a CSV file. Workbooks need no escaped formulas, so exports as workbooks have none. */
export function findColumns(header: readonly string[], isText = true): ColumnPlaces {
  const places = new Map<ColumnName, number>();
  const unknown: string[] = [];
  const isRejectedRows = isOwnHeader(header);
  for (const [place, cell] of header.entries()) {
    const key = keyOf(cell);
    const column = findKnownColumn(cell);
    if (column) {
      if (places.has(column)) throw new FileRefusal('duplicate_column', { column });
      places.set(column, place);
    } else if (key !== '' && !IGNORED_KEYS.includes(key) && !(isRejectedRows && place === 0)) unknown.push(shorten(cell.trim()));
  }
  const missing = REQUIRED_COLUMNS.filter((name) => !places.has(name));
  if (missing.length > 0) {
    const found = header.map((cell) => shorten(cell.replaceAll(/\p{Cc}/gu, ' ').trim())).filter((cell) => cell !== '');
    throw new FileRefusal('missing_columns', { columns: missing.join(', '), found: list(found) });
  }
  const keys = header.map(keyOf);
  const stateAt = EDITABLE_STATES.map((name) => [name, keys.indexOf(keyOf(name))] as const);
  const states = new Map(stateAt.filter(([, place]) => place >= 0));
  const isExport = STATE_COLUMNS.every((name) => keys.includes(keyOf(name)));
  const origin = { isEscaped: isRejectedRows || (isText && isExport), isExport };
  const needed = Math.max(...REQUIRED_COLUMNS.map((name) => places.get(name) ?? 0)) + 1;
  const count = lastFilled(header) + 1;
  const nameless = [...header.slice(0, count).keys()].filter((place) => keys[place] === '');
  return { count, needed, places, states, unknown, nameless, origin };
}

/** Whether it is probably an export, perhaps without some of its columns. Without all of its own, only its name tells it from a filled-in template. */
export function isEditedExport(header: readonly string[], fileName: string): boolean {
  return header.some((cell) => EXPORT_KEYS.includes(keyOf(cell))) || fileName.toLowerCase().startsWith(EXPORT_NAME);
}

/** Limit of the extra cells shown of a row. */
export const MAX_EXTRA_CELLS = 20;
/** Limit of the columns of a file that members can correct. */
const MAX_PLACES = MAX_COLUMNS;
/** Every variant can have these. A file without name or GTIN is refused, and details are edited in the variant's panel. */
const ADDABLE_COLUMNS = ['category', 'certificate_id', 'certification_name'] as const;

/** Adds the columns that the file lacks, after any extra cells, so that members can fill them in. */
export function addColumns(columns: ColumnPlaces): ColumnPlaces {
  const lacking = ADDABLE_COLUMNS.filter((name) => !columns.places.has(name));
  const addedFrom = columns.count + MAX_EXTRA_CELLS;
  if (lacking.length === 0 || addedFrom + lacking.length > MAX_PLACES) return columns;
  const added = lacking.map((name, index) => [name, addedFrom + index] as const);
  return { ...columns, addedFrom, places: new Map([...columns.places, ...added]) };
}

const COLUMNS_BY_KEY = new Map(COLUMNS.map((name) => [keyOf(name), name]));

export function findKnownColumn(cell: string): ColumnName | undefined {
  return COLUMNS_BY_KEY.get(keyOf(cell));
}

export function hasRequiredColumns(header: readonly string[]): boolean {
  const keys = header.map(keyOf);
  return REQUIRED_COLUMNS.every((name) => keys.includes(keyOf(name)));
}

/** For a sentence, so limited: a file may have hundreds of columns. */
export function list(names: readonly string[]): string {
  return names.slice(0, LISTED_COLUMNS).join(', ') + (names.length > LISTED_COLUMNS ? ', …' : '');
}

/** Whether it is the header of a file of rejected rows. Older ones have no column of row numbers. */
export function isOwnHeader([first = '', second = '']: readonly string[]): boolean {
  return isErrorColumn(first) || (isErrorColumn(second) && Object.values(ROW_COLUMN).some((name) => keyOf(name) === keyOf(first)));
}

export function isErrorColumn(cell: string): boolean {
  return keyOf(cell) === keyOf(ERROR_COLUMN);
}

/** 'Variant Name*', 'variant_name' and 'VARIANT NAME' have the same key. Text longer than any name is cut. */
export function keyOf(cell: string): string {
  const text = cell.trim();
  if (text.length > MAX_HEADER_LENGTH) return text.slice(0, MAX_HEADER_LENGTH);
  return text
    .replace(/\*+$/, '')
    .replaceAll(/[\s_\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
}

export function shorten(cell: string): string {
  return cell.length > LISTED_CHARACTERS ? `${cell.slice(0, LISTED_CHARACTERS).toWellFormed()}…` : cell;
}

/** Ignores trailing blank columns: a spreadsheet may end every row with extra delimiters. */
export function lastFilled(header: readonly string[]): number {
  return header.findLastIndex((cell) => cell.trim() !== '');
}
