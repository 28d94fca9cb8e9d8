import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { MAX_RECORD_LENGTH } from '../csv/csv-records.ts';
import { FileRefusal } from '../csv/file-refusal.ts';
import { temporaryPath } from '../csv/spool.ts';
import type { WorkbookPackage } from './package.ts';

const MEMORY_BYTES = 32 * 1024 * 1024;
const MAX_STRINGS = 10_000_000;

/** The texts of a workbook's cells. Each is stored once and referred to by its index. */
export interface SharedStrings {
  get(index: number): string;
  close(): void;
}

export async function readSharedStrings(workbook: WorkbookPackage, path: string, memoryBytes = MEMORY_BYTES): Promise<SharedStrings> {
  const strings = new StringStore(memoryBytes);
  const collector = createTextCollector();
  const handlers = {
    open(name: string) {
      if (name === 'si') collector.begin();
      else collector.open(name);
    },
    close(name: string) {
      if (name === 'si') strings.add(collector.end());
      else collector.close(name);
    },
    text: collector.text,
  };
  try {
    for await (const _piece of workbook.parse(path, handlers));
    return strings;
  } catch (error) {
    strings.close();
    throw error;
  }
}

/**
 * The bytes of all strings in a row, first in memory, then in an unlinked file, and where each one ends: a string is found without its
 * neighbors. As JavaScript strings, the garbage collector would scan two million of them again and again: a workbook of 1,000,000 rows took
 * 205 s of CPU instead of 52.
 */
class StringStore implements SharedStrings {
  readonly #memoryBytes: number;
  #memory: Buffer = Buffer.alloc(0);
  #spill: Spill | undefined;
  #ends = new Uint32Array(1_024);
  #count = 0;
  #bytes = 0;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  add(text: string): void {
    if (this.#count === MAX_STRINGS) throw new FileRefusal('workbook_bomb');
    const bytes = Buffer.from(text);
    const end = this.#bytes + bytes.length;
    if (end > this.#memoryBytes) this.#spill ??= new Spill(this.#bytes);
    if (this.#spill) this.#spill.write(bytes);
    else {
      if (end > this.#memory.length) this.#memory = grow(this.#memory, Math.min(2 * end, this.#memoryBytes));
      this.#memory.set(bytes, this.#bytes);
    }
    if (this.#count === this.#ends.length) {
      const ends = this.#ends;
      this.#ends = new Uint32Array(Math.min(2 * ends.length, MAX_STRINGS));
      this.#ends.set(ends);
    }
    this.#ends[this.#count] = end;
    this.#bytes = end;
    this.#count += 1;
  }

  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) throw new FileRefusal('broken_workbook');
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    const end = this.#ends[index] ?? 0;
    if (this.#spill && start >= this.#spill.start) return this.#spill.read(start, end).toString();
    return this.#memory.toString('utf8', start, end);
  }

  close(): void {
    this.#spill?.close();
  }
}

function grow(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  larger.set(buffer);
  return larger;
}

const WINDOW_BYTES = 16 * 1024;

/** The strings beyond those in memory. Blocks the thread, which is the import's own. If that is stopped, Node closes the file. */
class Spill {
  /** Where its first byte is among the bytes of all strings. */
  readonly start: number;
  readonly #file: number;
  #written = 0;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  /** The string read last and some that follow it: cells refer to strings mostly in order. */
  #window: Buffer = Buffer.alloc(0);
  #windowStart = 0;

  constructor(start: number) {
    this.start = start;
    const path = temporaryPath();
    this.#file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  write(bytes: Buffer): void {
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
    if (this.#unwrittenBytes >= WINDOW_BYTES) this.#flush();
  }

  read(start: number, end: number): Buffer {
    if (start < this.#windowStart || end > this.#windowStart + this.#window.length) {
      this.#flush();
      const window = Buffer.allocUnsafe(Math.max(end - start, WINDOW_BYTES));
      const bytes = readSync(this.#file, window, 0, window.length, start - this.start);
      this.#window = window.subarray(0, bytes);
      this.#windowStart = start;
    }
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart);
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#unwritten);
    for (let at = 0; at < bytes.length; ) {
      const written = writeSync(this.#file, bytes, at, bytes.length - at, this.#written);
      at += written;
      this.#written += written;
    }
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Excel escapes characters that XML cannot contain as _x000D_, and an underscore before such a sequence as _x005F_. */
const ESCAPED = /_x([0-9a-f]{4})_/gi;

/** Collects the text of a string item, plain or in formatted runs. Ignores phonetic text. */
export function createTextCollector() {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return {
    begin() {
      text = '';
      isText = false;
      isPhonetic = false;
    },
    open(name: string) {
      if (name === 't') isText = true;
      else if (name === 'rPh') isPhonetic = true;
    },
    close(name: string) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    text(piece: string) {
      if (!isText || isPhonetic) return;
      text += piece;
      if (text.length > MAX_RECORD_LENGTH) throw new FileRefusal('broken_workbook');
    },
    end: () => cleanText(text),
  };
}

/** Removes NUL and lone surrogates, which PostgreSQL cannot store. They count as damage. */
export function cleanText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replaceAll(ESCAPED, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
}
