import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { MAX_RECORD_LENGTH } from '../csv/csv-records.ts';
import { FileRefusal } from '../csv/file-refusal.ts';
import { openUnlinkedFile, writeAll } from '../csv/spool.ts';
import type { WorkbookPackage } from './package.ts';

/**
 * Strings are stored in blocks of bytes: first in memory, then in an unlinked file. Two million JavaScript strings are objects that the
 * garbage collector scans again and again: a workbook of 1,000,000 rows took 205 s of CPU instead of 52.
 */
const BLOCK_STRINGS = 64;
const BLOCK_CHARACTERS = 64 * 1024;
const MEMORY_BYTES = 32 * 1024 * 1024;
const MAX_STRINGS = 10_000_000;
const CACHED_BLOCKS = 256;

type Block = Buffer | { readonly offset: number; readonly bytes: number };

/** The texts of a workbook's cells. Each is stored once and referred to by its index. */
export interface SharedStrings {
  get(index: number): string;
  close(): Promise<void>;
}

export async function readSharedStrings(
  workbook: WorkbookPackage,
  path: string,
  memoryBytes = MEMORY_BYTES,
): Promise<SharedStrings> {
  const blocks: Block[] = [];
  /** The index of the first string of each block. */
  const firsts: number[] = [];
  const full: string[][] = [];
  let block: string[] = [];
  let blockCharacters = 0;
  let count = 0;
  let kept = 0;
  let inMemory = 0;
  let spilled = 0;
  let file: FileHandle | undefined;
  const collector = createTextCollector();
  const handlers = {
    open(name: string) {
      if (name === 'si') collector.begin();
      else collector.open(name);
    },
    close(name: string) {
      if (name !== 'si') return collector.close(name);
      const text = collector.end();
      block.push(text);
      blockCharacters += text.length;
      count += 1;
      if (count > MAX_STRINGS) throw new FileRefusal('workbook_bomb');
      if (block.length < BLOCK_STRINGS && blockCharacters < BLOCK_CHARACTERS) return;
      full.push(block);
      block = [];
      blockCharacters = 0;
    },
    text: collector.text,
  };
  const keep = async (strings: readonly string[]) => {
    firsts.push(kept);
    kept += strings.length;
    const bytes = Buffer.from(JSON.stringify(strings));
    if (inMemory + bytes.length <= memoryBytes) {
      inMemory += bytes.length;
      blocks.push(bytes);
      return;
    }
    file ??= await openUnlinkedFile();
    await writeAll(file, bytes);
    blocks.push({ offset: spilled, bytes: bytes.length });
    spilled += bytes.length;
  };
  try {
    for await (const _piece of workbook.parse(path, handlers)) {
      for (const strings of full.splice(0)) await keep(strings);
    }
    if (block.length > 0) await keep(block);
  } catch (error) {
    await file?.close();
    throw error;
  }
  /** LRU: the most recently used is last. */
  const cache = new Map<number, readonly string[]>();
  let latest = -1;
  let latestStrings: readonly string[] = [];

  function load(place: number): readonly string[] {
    if (place === latest) return latestStrings;
    latestStrings = cache.get(place) ?? JSON.parse(read(blocks[place] ?? Buffer.from('[]')).toString());
    latest = place;
    cache.delete(place);
    cache.set(place, latestStrings);
    const [oldest] = cache.keys();
    if (cache.size > CACHED_BLOCKS && oldest !== undefined) cache.delete(oldest);
    return latestStrings;
  }

  function read(block: Block): Buffer {
    if (Buffer.isBuffer(block)) return block;
    const bytes = Buffer.allocUnsafe(block.bytes);
    // Synchronous: cells are read one by one, mostly in the order of the strings, and the file is in the page cache.
    readSync(file?.fd ?? -1, bytes, 0, block.bytes, block.offset);
    return bytes;
  }

  return {
    get(index) {
      if (!(index >= 0 && index < count)) throw new FileRefusal('broken_workbook');
      const place = findBlock(firsts, index);
      return load(place)[index - (firsts[place] ?? 0)] ?? '';
    },
    close: async () => file?.close(),
  };
}

/** Binary search for the last block that begins at or before the string. */
function findBlock(firsts: readonly number[], index: number): number {
  let low = 0;
  let high = firsts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((firsts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
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
