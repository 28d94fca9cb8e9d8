import { MAX_UPLOAD_ROWS } from '@brand-portal/contract/constants';
import { FileRefusal } from './file-refusal.ts';

export type Delimiter = ',' | ';' | '\t' | '|' | '^';

/** A spreadsheet's cell has at most 32,767 characters. A longer row has an unclosed quote, or is not CSV. */
export const MAX_RECORD_LENGTH = 256 * 1024;
/** Exports of other programs have hundreds. Blank cells beyond these are dropped: some programs fill rows to the last column of a sheet. */
export const MAX_COLUMNS = 2_000;
/** The maximum of an Excel sheet, blank rows included. */
export const MAX_ROW_NUMBER = 1_048_576;

export interface CsvRecord {
  /** Numbered like in a spreadsheet: blank lines count, line breaks inside quotes do not. */
  readonly row: number;
  readonly cells: string[];
}

const QUOTE = 0x22;
const SPACE = 0x20;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits text that comes in chunks into records. Follows RFC 4180, but as lenient as a spreadsheet: any line ending; a quote in the middle
 * of a cell is a character; text after a closing quote belongs to the cell; spaces may surround quotes. A parser of our own, because
 * csv-parse takes several times as long and has no limit for the number of columns (docs/decisions/0023-reading-files.md).
 */
export class CsvReader {
  readonly #delimiter: number;
  #buffer = '';
  #row = 0;
  /** Start of the next cell. -1: the buffer ends before the current cell does. */
  #next = 0;
  #isLastCell = false;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Returns the records completed by this chunk. */
  push(text: string): CsvRecord[] {
    this.#buffer += text;
    return this.#read(false);
  }

  /** Returns the last record, if it has no line break. */
  end(): CsvRecord[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < this.#buffer.length) {
      const cells = this.#readRecord(start, isEnd);
      const length = (cells ? this.#next : this.#buffer.length) - start;
      if (length > MAX_RECORD_LENGTH) throw new FileRefusal('row_too_long', { row: this.#row + 1, limit: MAX_RECORD_LENGTH });
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

  /** A cell that begins with spaces is quoted only if nothing but spaces follows the quotes: `a, "b"`, but not `a, "b" c`. */
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
      // The next chunk may begin with the second half of a doubled quote.
      if (at + 1 === this.#buffer.length && !isEnd) return -1;
      if (this.#buffer.charCodeAt(at + 1) !== QUOTE) return at;
    }
    if (isEnd && isNeeded) throw new FileRefusal('open_quote', { row: this.#row + 1 });
    return -1;
  }

  /** Reads up to the delimiter or the end of the line. */
  #readPlain(start: number, isEnd: boolean): string | undefined {
    const { length } = this.#buffer;
    let at = start;
    for (; at < length; at++) {
      const code = this.#buffer.charCodeAt(at);
      if (code === this.#delimiter || code === LF || code === CR) break;
    }
    // A CR at the end of a chunk may be the first half of CRLF.
    if (!isEnd && (at === length || (at + 1 === length && this.#buffer.charCodeAt(at) === CR))) return undefined;
    this.#isLastCell = at === length || this.#buffer.charCodeAt(at) !== this.#delimiter;
    const isPair = this.#buffer.charCodeAt(at) === CR && this.#buffer.charCodeAt(at + 1) === LF;
    this.#next = Math.min(at + (isPair ? 2 : 1), length);
    return this.#buffer.slice(start, at);
  }
}
