import { isAscii, isUtf8 } from 'node:buffer';
import { FileRefusal } from './file-refusal.ts';
import { refuseForeignFile } from './foreign-file.ts';
import { detectLegacyEncoding, isEasternEncoding, type LegacyEncoding } from './legacy-encoding.ts';

type UnicodeName = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface TextEncoding {
  readonly name: UnicodeName;
  /** How to decode lines that are not UTF-8, written by an older program or pasted from another file. */
  readonly legacy?: LegacyLines;
}

export interface LegacyLines {
  readonly encoding: LegacyEncoding;
  /** How many lines. Undefined: the whole file has this encoding. */
  readonly lines: number | undefined;
  /** The first of these lines, decoded. */
  readonly sample: string;
  /** Whether only lines with three-byte characters count as UTF-8: a two-byte character of UTF-8 may also be one of the legacy encoding. */
  readonly isWide: boolean;
}

const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly name: UnicodeName }[] = [
  { bytes: [0xef, 0xbb, 0xbf], name: 'utf-8' },
  { bytes: [0xff, 0xfe], name: 'utf-16le' },
  { bytes: [0xfe, 0xff], name: 'utf-16be' },
];
/** ZIP (.xlsx, .ods and .numbers) and the older .xls. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const START_BYTES = 4096;
const LEGACY_SAMPLE_BYTES = 64 * 1024;
/** How much of the sample is scored. Scoring blocks the event loop. */
const SCORED_BYTES = 8 * 1024;
const SHOWN_SAMPLE = 4096;
/** Longer lines are cut: no record may be that long. */
const MAX_LINE_BYTES = 1024 * 1024;
const SCORED_LINE_BYTES = 4096;
/** Files with more lines are not scored: it would take a second. */
const MAX_SCORED_LINES = 1_100_000;
/** One byte in this many may be zero (damaged cells). With more zeros the file is binary. */
const BYTES_PER_ZERO = 20;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Detects the encoding of a file while it streams through, in bounded memory. The first non-ASCII byte may come after megabytes, so the
 * result is known only at the end.
 */
class EncodingScan {
  #start = Buffer.alloc(0);
  readonly #lines = new LineSplitter();
  #bytes = 0;
  #zeros = 0;
  #utf8Lines = 0;
  #wideLines = 0;
  #legacyLines = 0;
  #legacySample: Buffer[] = [];
  #legacySampleBytes = 0;

  push(chunk: Buffer): void {
    if (this.#start.length < START_BYTES) {
      this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES - this.#start.length)]);
    }
    this.#countBytes(chunk);
    for (const line of this.#lines.push(chunk)) this.#readLine(line);
  }

  /** Call it at the end of the file. */
  end(): TextEncoding {
    for (const line of this.#lines.end()) this.#readLine(line);
    const start = this.#start;
    refuseForeignFile(start);
    if (WORKBOOKS.some((bytes) => startsWith(start, bytes))) throw new FileRefusal('workbook');
    const name = SIGNATURES.find(({ bytes }) => startsWith(start, bytes))?.name ?? utf16WithoutMark(start) ?? 'utf-8';
    if (name !== 'utf-8') return { name };
    if (this.#zeros * BYTES_PER_ZERO > this.#bytes) throw new FileRefusal('not_text');
    return this.#legacyLines === 0 ? { name } : { name, legacy: this.#describeLegacy() };
  }

  #describeLegacy(): LegacyLines {
    const every = Math.ceil(this.#legacySampleBytes / SCORED_BYTES);
    const sample = Buffer.concat(this.#legacySample.filter((_, index) => index % every === 0));
    // The lines of the sample may be longer than the others.
    const bytes = sample.subarray(0, 2 * SCORED_BYTES);
    const encoding = detectLegacyEncoding(bytes);
    const isWide = isEasternEncoding(encoding) && this.#wideLines === 0 && this.#legacyLines > this.#utf8Lines;
    const lines = this.#utf8Lines === 0 || isWide ? undefined : this.#legacyLines;
    const shown = withoutZeros(new TextDecoder(encoding).decode(bytes)).slice(0, SHOWN_SAMPLE).toWellFormed();
    return { encoding, lines, sample: shown, isWide };
  }

  #readLine(line: Buffer): void {
    if (isAscii(line) || this.#utf8Lines + this.#legacyLines > MAX_SCORED_LINES) return;
    if (!isLegacy(line)) {
      this.#utf8Lines += 1;
      if (isWideUtf8(line)) this.#wideLines += 1;
      return;
    }
    this.#legacyLines += 1;
    if (this.#legacySampleBytes > LEGACY_SAMPLE_BYTES) return;
    const start = scoredFrom(line);
    const sample = Buffer.from(line.subarray(start, start + SCORED_LINE_BYTES));
    this.#legacySample.push(sample);
    this.#legacySampleBytes += sample.length;
  }

  #countBytes(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (!chunk.includes(0)) return;
    for (let index = 0; index < chunk.length; index++) if (chunk[index] === 0) this.#zeros += 1;
  }
}

export async function findEncoding(chunks: AsyncIterable<Buffer>): Promise<TextEncoding> {
  const scan = new EncodingScan();
  for await (const chunk of chunks) scan.push(chunk);
  return scan.end();
}

/** Decodes in chunks, without the byte order mark. If encodings are mixed, in whole lines. */
export async function* decodeText(chunks: AsyncIterable<Buffer>, { name, legacy }: TextEncoding): AsyncGenerator<string, void, undefined> {
  if (!legacy) {
    const decoder = new TextDecoder(name);
    for await (const chunk of chunks) yield withoutZeros(decoder.decode(chunk, { stream: true }));
    yield withoutZeros(decoder.decode());
    return;
  }
  const splitter = new LineSplitter();
  const utf8 = new TextDecoder('utf-8');
  const other = new TextDecoder(legacy.encoding);
  // Adjacent lines of one encoding are decoded together. ASCII lines fit either.
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
 * Splits bytes that come in chunks into lines, including their line ends. ASCII lines, which are the same in all encodings, are returned
 * many at once: a file may have millions.
 */
class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #isRestAscii = true;

  *push(chunk: Buffer): Generator<Buffer> {
    const before = this.#rest.length;
    const bytes = before === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#isRestAscii && isAscii(chunk)) {
      const lineEnd = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
      const end = lineEnd > 0 ? before + lineEnd : 0;
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

/** Not valid UTF-8, and not only damaged: if most non-ASCII bytes are valid UTF-8, decoding it otherwise would damage those too. */
function isLegacy(line: Buffer): boolean {
  if (isUtf8(line)) return false;
  const start = scoredFrom(line);
  const end = Math.min(line.length, start + SCORED_LINE_BYTES);
  let good = 0;
  let damaged = 0;
  for (let at = start; at < end; ) {
    const length = utf8Length(line, at);
    if (length > 1) good += 1;
    else if (length === 0) damaged += 1;
    at += length || 1;
  }
  return damaged > good;
}

/** Where the scored part of a line begins. The first non-ASCII byte is in the middle of that part: it may come after a long description. */
function scoredFrom(line: Buffer): number {
  const first = line.findIndex((byte) => byte >= 0x80);
  return Math.max(0, first - SCORED_LINE_BYTES / 2);
}

/** The length of the character at this position; 0 if it is invalid. */
function utf8Length(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  // Refuses overlong forms, surrogates, and code points beyond Unicode.
  const second = bytes[at + 1] ?? 0;
  const isBad =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f);
  return isBad ? 0 : length;
}

/** Whether it has a character of three or more bytes. */
function isWideUtf8(line: Buffer): boolean {
  // Several times as fast as `some`.
  for (let at = 0; at < line.length; at++) if ((line[at] ?? 0) >= 0xe0) return true;
  return false;
}

/** NUL counts as damage: text never has it, and PostgreSQL can store it neither in text nor in JSON. */
function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** Western text in UTF-16 has a zero in nearly every other byte, always at odd or always at even positions. */
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
