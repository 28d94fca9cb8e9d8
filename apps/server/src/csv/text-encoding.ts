import { isAscii } from 'node:buffer';
import { FileRefusal } from './file-refusal.ts';

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const SIGNATURES: readonly { readonly bytes: readonly number[]; readonly encoding: TextEncodingName }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];
/** ZIP (which .xlsx, .ods and .numbers are) and the older .xls. */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];
const SAMPLE_BYTES = 4096;

/**
 * Finds out how a file is encoded while it streams past, in constant memory. A file may be plain for megabytes before the
 * first byte that decides, so the answer is known at its end only.
 */
export class EncodingScan {
  #sample = Buffer.alloc(0);
  #expected = 0;
  /** Of the next byte: narrower right after some lead bytes, where a longer spelling or a surrogate would begin. */
  #range: readonly [number, number] = [0x80, 0xbf];
  #sequences = 0;
  #invalid = 0;
  #lineFeeds = 0;
  #carriageReturns = 0;

  push(chunk: Buffer): void {
    if (this.#sample.length < SAMPLE_BYTES) {
      this.#sample = Buffer.concat([this.#sample, chunk.subarray(0, SAMPLE_BYTES - this.#sample.length)]);
    }
    this.#countLines(chunk);
    if (this.#expected === 0 && isAscii(chunk)) return;
    for (const byte of chunk) this.#readUtf8(byte);
  }

  /** At least the number of rows: a quoted cell may have line breaks of its own. */
  get lines(): number {
    return Math.max(this.#lineFeeds, this.#carriageReturns) + 1;
  }

  /**
   * Not valid as UTF-8 means Windows-1252, unless most of what is beyond ASCII is UTF-8 after all: then some characters were
   * damaged on the way, and reading the others as Windows-1252 would damage them too.
   */
  get encoding(): TextEncodingName {
    const start = this.#sample;
    if (WORKBOOKS.some((bytes) => startsWith(start, bytes))) throw new FileRefusal('workbook');
    const signed = SIGNATURES.find(({ bytes }) => startsWith(start, bytes));
    if (signed) return signed.encoding;
    const wide = utf16WithoutMark(start);
    if (wide) return wide;
    const invalid = this.#invalid + (this.#expected > 0 ? 1 : 0);
    return invalid > this.#sequences ? 'windows-1252' : 'utf-8';
  }

  #countLines(chunk: Buffer): void {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      if (byte === 0x0a) this.#lineFeeds += 1;
      else if (byte === 0x0d) this.#carriageReturns += 1;
    }
  }

  #readUtf8(byte: number): void {
    if (this.#expected > 0) {
      const [low, high] = this.#range;
      this.#range = [0x80, 0xbf];
      if (byte >= low && byte <= high) {
        this.#expected -= 1;
        if (this.#expected === 0) this.#sequences += 1;
        return;
      }
      this.#expected = 0;
      this.#invalid += 1;
    }
    if (byte < 0x80) return;
    if (byte >= 0xc2 && byte <= 0xdf) this.#expected = 1;
    else if (byte >= 0xe0 && byte <= 0xef) this.#expected = 2;
    else if (byte >= 0xf0 && byte <= 0xf4) this.#expected = 3;
    else this.#invalid += 1;
    if (byte === 0xe0) this.#range = [0xa0, 0xbf];
    else if (byte === 0xed) this.#range = [0x80, 0x9f];
    else if (byte === 0xf0) this.#range = [0x90, 0xbf];
    else if (byte === 0xf4) this.#range = [0x80, 0x8f];
  }
}

/** Text without its byte order mark, piece by piece. */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  encoding: TextEncodingName,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield checkText(decoder.decode(chunk, { stream: true }));
  yield checkText(decoder.decode());
}

/** No text has the NUL character, and neither JSON nor text columns of PostgreSQL can hold it. */
function checkText(text: string): string {
  if (text.includes('\0')) throw new FileRefusal('not_text');
  return text;
}

/** Western text in UTF-16 has a zero in nearly every other byte, always on the same side. */
function utf16WithoutMark(sample: Buffer): TextEncodingName | undefined {
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
