import { isAscii, isUtf8 } from 'node:buffer';
import { FileRefusal } from './file-refusal.ts';
import { detectLegacyEncoding, isEasternEncoding, type LegacyEncoding } from './legacy-encoding.ts';

type UnicodeName = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface TextEncoding {
  readonly name: UnicodeName;
  /** How lines are read that are not UTF-8: those of an older program, or of another file that was pasted in. */
  readonly legacy?: LegacyLines;
}

export interface LegacyLines {
  readonly encoding: LegacyEncoding;
  /** How many they are; undefined: the whole file is written so. */
  readonly lines: number | undefined;
  /** The first of them, as they are read. */
  readonly sample: string;
  /** Whether a line counts as UTF-8 only with characters of three bytes: two bytes of one may be a character of the other. */
  readonly isWide: boolean;
}

const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly name: UnicodeName }[] = [
  { bytes: [0xef, 0xbb, 0xbf], name: 'utf-8' },
  { bytes: [0xff, 0xfe], name: 'utf-16le' },
  { bytes: [0xfe, 0xff], name: 'utf-16be' },
];
/** ZIP (which .xlsx, .ods and .numbers are) and the older .xls. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const START_BYTES = 4096;
const LEGACY_SAMPLE_BYTES = 64 * 1024;
/** Bytes of the sample that are scored. Scoring blocks the event loop. */
const JUDGED_BYTES = 8 * 1024;
const SHOWN_SAMPLE = 4096;
/** A line that is longer is cut: no record may be that long. */
const MAX_LINE_BYTES = 1024 * 1024;
const JUDGED_LINE = 4096;
/** Files with more lines are not scored: it would take a second. */
const JUDGED_LINES = 1_100_000;
/** One byte in this many may be zero (damaged cells). With more zeros the file is binary. */
const BYTES_PER_ZERO = 20;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Finds out how a file is encoded while it streams past, in bounded memory. A file may be plain for megabytes before the
 * first byte that decides, so the answer is known at its end only.
 */
export class EncodingScan {
  #start = Buffer.alloc(0);
  readonly #lines = new LineSplitter();
  #bytes = 0;
  #zeros = 0;
  #utf8Lines = 0;
  #wideLines = 0;
  #legacyLines = 0;
  #legacySample: Buffer[] = [];
  #legacySampleBytes = 0;
  #lineFeeds = 0;
  #carriageReturns = 0;
  #encoding: TextEncoding | undefined;

  push(chunk: Buffer): void {
    if (this.#start.length < START_BYTES) {
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES - this.#start.length)]);
    }
    this.#countBytes(chunk);
    for (const line of this.#lines.push(chunk)) this.#readLine(line);
  }

  /** At least the number of rows: a quoted cell may have line breaks of its own. */
  get lines(): number {
    return Math.max(this.#lineFeeds, this.#carriageReturns) + 1;
  }

  /** Read it at the end of the file only. */
  get encoding(): TextEncoding {
    this.#encoding ??= this.#findEncoding();
    return this.#encoding;
  }

  #findEncoding(): TextEncoding {
    for (const line of this.#lines.end()) this.#readLine(line);
    const start = this.#start;
    if (WORKBOOKS.some((bytes) => startsWith(start, bytes))) throw new FileRefusal('workbook');
    const name = SIGNATURES.find(({ bytes }) => startsWith(start, bytes))?.name ?? utf16WithoutMark(start) ?? 'utf-8';
    if (name !== 'utf-8') return { name };
    if (this.#zeros * BYTES_PER_ZERO > this.#bytes) throw new FileRefusal('not_text');
    return this.#legacyLines === 0 ? { name } : { name, legacy: this.#describeLegacy() };
  }

  #describeLegacy(): LegacyLines {
    const every = Math.ceil(this.#legacySampleBytes / JUDGED_BYTES);
    const bytes = Buffer.concat(this.#legacySample.filter((_, index) => index % every === 0));
    const encoding = detectLegacyEncoding(bytes);
    const isWide = isEasternEncoding(encoding) && this.#wideLines === 0 && this.#legacyLines > this.#utf8Lines;
    const lines = this.#utf8Lines === 0 || isWide ? undefined : this.#legacyLines;
    return { encoding, lines, sample: new TextDecoder(encoding).decode(bytes).slice(0, SHOWN_SAMPLE), isWide };
  }

  #readLine(line: Buffer): void {
    if (isAscii(line) || this.#utf8Lines + this.#legacyLines > JUDGED_LINES) return;
    if (!isLegacy(line)) {
      this.#utf8Lines += 1;
      if (isWideUtf8(line)) this.#wideLines += 1;
      return;
    }
    this.#legacyLines += 1;
    if (this.#legacySampleBytes > LEGACY_SAMPLE_BYTES) return;
    const sample = Buffer.from(line.subarray(0, JUDGED_LINE));
    this.#legacySample.push(sample);
    this.#legacySampleBytes += sample.length;
  }

  #countBytes(chunk: Buffer): void {
    this.#bytes += chunk.length;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (byte === LF) this.#lineFeeds += 1;
      else if (byte === CR) this.#carriageReturns += 1;
      else if (byte === 0) this.#zeros += 1;
    }
  }
}

/** Text without its byte order mark, piece by piece. Whole lines at a time where their encodings differ. */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  { name, legacy }: TextEncoding,
): AsyncGenerator<string, void, undefined> {
  if (!legacy) {
    const decoder = new TextDecoder(name);
    for await (const chunk of chunks) yield withoutZeros(decoder.decode(chunk, { stream: true }));
    yield withoutZeros(decoder.decode());
    return;
  }
  const splitter = new LineSplitter();
  const utf8 = new TextDecoder('utf-8');
  const other = new TextDecoder(legacy.encoding);
  // Neighbours of one encoding are decoded together; lines in ASCII go with either.
  const decodeLines = (lines: Iterable<Buffer>): string => {
    let text = '';
    let together: Buffer[] = [];
    let decoder = utf8;
    for (const line of lines) {
      const isOther = isLegacy(line) || (legacy.isWide && !isWideUtf8(line));
      const next = isAscii(line) ? decoder : isOther ? other : utf8;
      if (next !== decoder) {
        text += decoder.decode(Buffer.concat(together));
        together = [];
      }
      decoder = next;
      together.push(line);
    }
    return withoutZeros(text + decoder.decode(Buffer.concat(together)));
  };
  for await (const chunk of chunks) yield decodeLines(splitter.push(chunk));
  yield decodeLines(splitter.end());
}

/**
 * Cuts bytes that come in pieces into lines, each with its end. Lines in ASCII, which are the same in all encodings, come many at once: a file
 * may have millions.
 */
class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #isRestAscii = true;

  *push(chunk: Buffer): Generator<Buffer> {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#isRestAscii && isAscii(chunk)) {
      const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
      if (end > 0) yield bytes.subarray(0, end);
      this.#rest = bytes.subarray(end);
      if (this.#rest.length > MAX_LINE_BYTES) yield* this.end();
      return;
    }
    let start = 0;
    let lineStart = 0;
    let isLineAscii = this.#isRestAscii;
    for (let at = this.#rest.length; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte >= 0x80) isLineAscii = false;
      if (byte !== LF && byte !== CR) continue;
      if (!isLineAscii) {
        if (lineStart > start) yield bytes.subarray(start, lineStart);
        yield bytes.subarray(lineStart, at + 1);
        start = at + 1;
      }
      lineStart = at + 1;
      isLineAscii = true;
    }
    if (lineStart > start) yield bytes.subarray(start, lineStart);
    this.#rest = bytes.subarray(lineStart);
    this.#isRestAscii = isLineAscii;
    if (this.#rest.length > MAX_LINE_BYTES) yield* this.end();
  }

  *end(): Generator<Buffer> {
    if (this.#rest.length > 0) yield this.#rest;
    this.#rest = Buffer.alloc(0);
    this.#isRestAscii = true;
  }
}

/**
 * Not valid as UTF-8, and not just damaged: where most of what is beyond ASCII is UTF-8 after all, reading it otherwise would damage
 * that too.
 */
function isLegacy(line: Buffer): boolean {
  if (isUtf8(line)) return false;
  const end = Math.min(line.length, JUDGED_LINE);
  let good = 0;
  let damaged = 0;
  for (let at = 0; at < end; ) {
    const length = utf8Length(line, at);
    if (length > 1) good += 1;
    else if (length === 0) damaged += 1;
    at += length || 1;
  }
  return damaged > good;
}

/** How many bytes the character has that begins there; 0: none does. */
function utf8Length(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  // Longer spellings than needed, halves of surrogate pairs, and what is beyond Unicode.
  const second = bytes[at + 1] ?? 0;
  const isBad =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f);
  return isBad ? 0 : length;
}

/** Whether there is a character of three bytes or more. */
function isWideUtf8(line: Buffer): boolean {
  return line.some((byte) => byte >= 0xe0);
}

/** No text has the NUL character, and neither JSON nor text columns of PostgreSQL can hold it: it counts as damage. */
function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** Western text in UTF-16 has a zero in nearly every other byte, always on the same side. */
function utf16WithoutMark(sample: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  let even = 0;
  let odd = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) index % 2 === 0 ? even++ : odd++;
  }
  const many = sample.length / 4;
  if (odd > many && even === 0) return 'utf-16le';
  if (even > many && odd === 0) return 'utf-16be';
  return undefined;
}

function startsWith(buffer: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => buffer[index] === byte);
}
