import { MAX_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import { FileRefusal } from './file-refusal.ts';

export type Delimiter = ',' | ';' | '\t' | '|' | '^';

/** A cell of a spreadsheet has 32,767 characters at most; a longer row is a quote that was never closed, or no CSV. */
export const MAX_RECORD_LENGTH = 256 * 1024;
/** Blank cells behind these are dropped: some programs fill up rows to the last column that a sheet can have. */
export const MAX_COLUMNS = 500;
/** As many rows as a sheet of Excel has; more of them, blank ones included, come from no spreadsheet. */
export const MAX_ROW_NUMBER = 1_048_576;

export interface CsvRecord {
  /** As a spreadsheet numbers it: blank lines count, line breaks inside quotes do not. */
  readonly row: number;
  readonly cells: string[];
}

const QUOTE = 0x22;
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts text that comes in pieces into records, following RFC 4180, but as lenient as a spreadsheet: any line ending, a quote
 * in the middle of a cell is a character, text after a closing quote belongs to the cell, and spaces may stand around quotes.
 * Our own, because csv-parse takes several times as long and has no limit for the number of columns (docs/decisions/0006-csv-import.md).
 */
export class CsvReader {
  readonly #delimiter: number;
  #buffer = '';
  #row = 0;
  /** Where the cell after the one just read begins; -1 where the text ends before the cell does. */
  #next = 0;
  #isLastCell = false;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The records that are complete with this piece. */
  push(text: string): CsvRecord[] {
    this.#buffer += text;
    return this.#read(false);
  }

  /** The last record, where no line break ends it. */
  end(): CsvRecord[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < this.#buffer.length) {
      const cells = this.#readRecord(start, isEnd);
      const length = (cells ? this.#next : this.#buffer.length) - start;
      if (length > MAX_RECORD_LENGTH)
        throw new FileRefusal('row_too_long', { row: this.#row + 1, limit: MAX_RECORD_LENGTH });
      if (!cells) break;
      this.#row += 1;
      if (this.#row > MAX_ROW_NUMBER) throw new FileRefusal('too_many_rows', { limit: MAX_UPLOAD_ROWS });
      records.push({ row: this.#row, cells });
      start = this.#next;
    }
    this.#buffer = this.#buffer.slice(start);
    return records;
  }

  #readRecord(start: number, isEnd: boolean): string[] | undefined {
    const cells: string[] = [];
    this.#next = start;
    do {
      const cell = this.#readCell(this.#next, isEnd);
      if (cell === undefined) return undefined;
      if (cells.length < MAX_COLUMNS) cells.push(cell);
      else if (cell.trim() !== '') {
        throw new FileRefusal('too_many_columns', { row: this.#row + 1, limit: MAX_COLUMNS });
      }
    } while (!this.#isLastCell);
    return cells;
  }

  #readCell(start: number, isEnd: boolean): string | undefined {
    const first = this.#buffer.charCodeAt(start);
    if (first === SPACE) return this.#readSpaced(start, isEnd);
    if (first !== QUOTE) return this.#readPlain(start, isEnd);
    const close = this.#findClosingQuote(start + 1, isEnd);
    if (close < 0) return undefined;
    const rest = this.#readPlain(close + 1, isEnd);
    if (rest === undefined) return undefined;
    const quoted = this.#buffer.slice(start + 1, close);
    return (quoted.includes('"') ? quoted.replaceAll('""', '"') : quoted) + rest;
  }

  /** A cell that begins with spaces is quoted where the quotes are all there is: `a, "b"`, but not `a, "b" c`. */
  #readSpaced(start: number, isEnd: boolean): string | undefined {
    const open = this.#skipSpaces(start);
    if (this.#buffer.charCodeAt(open) !== QUOTE) return this.#readPlain(start, isEnd);
    const close = this.#findClosingQuote(open + 1, isEnd, false);
    if (close < 0) return isEnd ? this.#readPlain(start, isEnd) : undefined;
    const after = this.#skipSpaces(close + 1);
    if (after === this.#buffer.length && !isEnd) return undefined;
    const next = this.#buffer.charCodeAt(after);
    const isWhole = after === this.#buffer.length || next === this.#delimiter || next === LF || next === CR;
    return isWhole ? this.#readCell(open, isEnd) : this.#readPlain(start, isEnd);
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#buffer.charCodeAt(at) === SPACE) at += 1;
    return at;
  }

  #findClosingQuote(from: number, isEnd: boolean, isNeeded = true): number {
    for (let at = this.#buffer.indexOf('"', from); at >= 0; at = this.#buffer.indexOf('"', at + 2)) {
      // The next piece may begin with the other half of a doubled quote.
      if (at + 1 === this.#buffer.length && !isEnd) return -1;
      if (this.#buffer.charCodeAt(at + 1) !== QUOTE) return at;
    }
    if (isEnd && isNeeded) throw new FileRefusal('open_quote', { row: this.#row + 1 });
    return -1;
  }

  /** Up to the delimiter or the line's end. */
  #readPlain(start: number, isEnd: boolean): string | undefined {
    const { length } = this.#buffer;
    let at = start;
    for (; at < length; at++) {
      const code = this.#buffer.charCodeAt(at);
      if (code === this.#delimiter || code === LF || code === CR) break;
    }
    // A CR at the end of a piece may be the first half of CRLF.
    if (!isEnd && (at === length || (at + 1 === length && this.#buffer.charCodeAt(at) === CR))) return undefined;
    this.#isLastCell = at === length || this.#buffer.charCodeAt(at) !== this.#delimiter;
    const isPair = this.#buffer.charCodeAt(at) === CR && this.#buffer.charCodeAt(at + 1) === LF;
    this.#next = Math.min(at + (isPair ? 2 : 1), length);
    return this.#buffer.slice(start, at);
  }
}
