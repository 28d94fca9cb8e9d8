import { isSpreadsheetBoolean, isSpreadsheetDate, isTrue, readText } from '../../catalog/fields/cell-text.ts';
import type { CertificationNames } from '../../catalog/fields/certification-names.ts';
import { type ColumnPlaces, list, shorten } from '../../catalog/fields/columns.ts';
import type { ImportWarning, RowProblem } from '../../catalog/fields/row-problem.ts';
import { checkRow, type ImportRow, isChannel, type KnownContent } from '../../catalog/fields/row-rules.ts';
import { copyLine } from '../../db/copy-line.ts';
import type { TableRow } from '../../files/csv/csv-file.ts';
import { letterOf } from '../../files/xlsx/workbook-writer.ts';
import { repeatsHeader } from '../mapping.ts';
import type { ImportKey, StagedLines } from '../staging.queries.ts';

/** A row of the file: its content if it is valid, otherwise its cells, its errors and what is known of its content. */
interface StagedRow {
  readonly rowNumber: number;
  readonly good?: Omit<ImportRow, 'channel'> & {
    readonly publish: boolean;
    /** Of an export: what the columns that an import ignores say. JSON. */
    readonly states: string | undefined;
  };
  readonly bad?: {
    readonly cells: readonly string[];
    readonly errors: readonly RowProblem[];
    readonly known: KnownContent | undefined;
  };
}

/** Bounds a piece: a batch of a workbook may refer to the same long text hundreds of times. */
const PIECE_CHARACTERS = 64 * 1024;
const MAX_NAMED_CHANNELS = 20;
/** Longer than any state. */
const MAX_STATE_LENGTH = 20;

interface RowStager {
  /** The lines to copy for valid and invalid rows. */
  stage(rows: readonly TableRow[]): Generator<StagedLines>;
  /** What the member is warned of, after all rows. */
  warnings(): ImportWarning[];
}

/** Validates the rows of one file. */
export function createRowStager(stage: ImportKey, columns: ColumnPlaces, names: CertificationNames): RowStager {
  const unknownChannels = new Set<string>();
  const headers: number[] = [];
  const spreadsheetNames = { count: 0, row: 0, name: '' };
  const spreadsheetCategories = { count: 0, row: 0, category: '' };
  const nameless = { places: new Set<number>(), row: 0, value: '' };

  /** Undefined for a repeated header. */
  function check({ row, cells, flaws }: TableRow): StagedRow | undefined {
    const verdict = checkRow(cells, columns, names, flaws);
    if (verdict.problems && repeatsHeader(cells, columns)) {
      headers.push(row);
      return undefined;
    }
    if (verdict.problems) return { rowNumber: row, bad: { cells, errors: verdict.problems, known: verdict.known } };
    const { channel, name, category } = verdict.row;
    if (isOfSpreadsheet(name)) {
      if (spreadsheetNames.count === 0) Object.assign(spreadsheetNames, { row, name });
      spreadsheetNames.count += 1;
    }
    if (isOfSpreadsheet(category)) {
      if (spreadsheetCategories.count === 0) Object.assign(spreadsheetCategories, { row, category });
      spreadsheetCategories.count += 1;
    }
    for (const place of columns.nameless) {
      if (place >= cells.length) break;
      const value = readText(cells[place] ?? '');
      if (value === '') continue;
      if (nameless.places.size === 0) Object.assign(nameless, { row, value: shorten(value.replaceAll(/\p{Cc}/gu, ' ')) });
      nameless.places.add(place);
    }
    const publish = isChannel(channel);
    if (channel !== '' && !publish && unknownChannels.size < MAX_NAMED_CHANNELS) unknownChannels.add(shorten(channel));
    return { rowNumber: row, good: { ...verdict.row, publish, states: readStates(cells, columns) } };
  }

  return {
    *stage(rows) {
      let lines = '';
      let count = 0;
      for (const row of rows) {
        const staged = check(row);
        if (staged) lines += toLine(stage, staged);
        count += 1;
        if (lines.length < PIECE_CHARACTERS) continue;
        yield { lines, rows: count };
        lines = '';
        count = 0;
      }
      if (count > 0) yield { lines, rows: count };
    },
    warnings() {
      const warnings: ImportWarning[] = [];
      if (headers.length > 0) {
        const params = { rows: list(headers.map(String)), count: headers.length };
        warnings.push({ code: 'repeated_header', params });
      }
      if (spreadsheetNames.count > 0) warnings.push({ code: 'spreadsheet_names', params: spreadsheetNames });
      if (spreadsheetCategories.count > 0) warnings.push({ code: 'spreadsheet_categories', params: spreadsheetCategories });
      if (nameless.places.size > 0) {
        const { places, row, value } = nameless;
        const letters = [...places].sort((a, b) => a - b).map(letterOf);
        warnings.push({ code: 'nameless_columns', params: { columns: list(letters), count: places.size, row, value } });
      }
      if (unknownChannels.size > 0) warnings.push({ code: 'unknown_channels', params: { channels: list([...unknownChannels]) } });
      return warnings;
    },
  };
}

function toLine({ brandId, importId }: ImportKey, { rowNumber, good, bad }: StagedRow): string {
  const content = good ?? bad?.known;
  return copyLine([
    brandId,
    importId,
    rowNumber,
    good?.gtin,
    content?.gtin14,
    content?.name,
    content?.category,
    content?.certificate?.certificationId,
    content?.certificate?.externalId,
    content?.certificate?.key,
    content?.certificate?.link,
    content?.details,
    good?.publish,
    good ? good.states : bad && JSON.stringify(bad.cells),
    bad && JSON.stringify(bad.errors),
  ]);
}

/** Booleans as an export writes them, whatever a spreadsheet made of them. */
function readStates(cells: readonly string[], { states }: ColumnPlaces): string | undefined {
  if (states.size === 0) return undefined;
  const read = ([name, place]: readonly [string, number]) => {
    const text = readText(cells[place] ?? '').slice(0, MAX_STATE_LENGTH);
    if (name === 'certificate_expires_on') return [name, readDay(text)];
    return [name, isSpreadsheetBoolean(text.toUpperCase()) ? String(isTrue(text)) : text.toLowerCase().toWellFormed()];
  };
  return JSON.stringify(Object.fromEntries([...states].map(read)));
}

/** A day as in an export, also if a spreadsheet has rewritten it. Several, if it may be several: 5/1/2031. */
function readDay(text: string): string {
  const day = text.replace(/ 00:00:00$/, '');
  const [, year, , month, date] = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(day) ?? [];
  if (year && month && date) return toDay(year, month, date);
  const [, first, sign, second, ending] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(day) ?? [];
  if (!first || !second || !ending) return day.toWellFormed();
  // With points the month is never first.
  const orders =
    sign === '.'
      ? [[second, first]]
      : [
          [second, first],
          [first, second],
        ];
  return orders.map(([month = '', date = '']) => toDay(ending.padStart(4, '20'), month, date)).join('|');
}

function toDay(year: string, month: string, date: string): string {
  return `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
}

/** A date or TRUE/FALSE, which a spreadsheet may have made of another entry. */
function isOfSpreadsheet(text: string): boolean {
  return isSpreadsheetDate(text) || isSpreadsheetBoolean(text);
}
