import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { FileRefusal } from '../csv/file-refusal.ts';
import { type FilePlace, openStored, type StoredFile } from '../csv/spool.ts';
import { parseXml, toRefusal, type XmlHandlers } from './xml.ts';

/** Marks a workbook with a password. Compound files are either those or .xls files. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Sheets of many equal rows compress to a fiftieth; a zip bomb to a thousandth. */
const MAX_COMPRESSION_RATIO = 100;
/** Below this size the ratio is not checked. */
const HARMLESS_UNPACKED = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Parts are parsed more than once: for the header, for the rows, and for the cells of rows that contradict each other. */
const WORK_PER_UNPACKED_BYTE = 4;
/** A character of a cell is validated and stored as well. */
const WORK_PER_CHARACTER = 4;

/** The parts of a workbook, by path in lower case. */
export interface WorkbookPackage {
  has(path: string): boolean;
  parse(path: string, handlers: XmlHandlers): AsyncGenerator<void>;
  /** Counts the characters of cells, which can refer to one long text again and again. */
  spendCharacters(count: number): void;
  /** Counts the blank cells that a sheet omits. */
  spendBlanks(count: number): void;
}

/** Opens a workbook's zip file. Refuses other formats with a specific error. */
export async function openPackage(file: FilePlace): Promise<WorkbookPackage> {
  if (file.kind !== 'zip') {
    throw new FileRefusal((await contains(file, ENCRYPTED_PACKAGE)) ? 'encrypted_workbook' : 'old_workbook');
  }
  const limit = Math.min(MAX_UNPACKED_BYTES, Math.max(HARMLESS_UNPACKED, file.bytes * MAX_COMPRESSION_RATIO));
  const { zip, entries } = await listEntries(file, limit);
  if (entries.has('xl/workbook.bin')) throw new FileRefusal('binary_workbook');
  if (entries.has('xl/vbaproject.bin')) throw new FileRefusal('workbook_macros');
  if (entries.has('mimetype') && entries.has('content.xml')) throw new FileRefusal('opendocument');
  if (!entries.has('[content_types].xml')) throw new FileRefusal('archive');
  const budget = new WorkBudget(limit * WORK_PER_UNPACKED_BYTE);
  return {
    has: (path) => entries.has(path.toLowerCase()),
    async *parse(path, handlers) {
      const entry = entries.get(path.toLowerCase());
      if (!entry) throw new FileRefusal('broken_workbook');
      if (entry.isEncrypted()) throw new FileRefusal('encrypted_workbook');
      const stream = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
        throw toRefusal(error);
      });
      try {
        yield* parseXml(budget.count(stream), handlers);
      } finally {
        stream.destroy();
      }
    },
    spendCharacters: (count) => budget.spend(count * WORK_PER_CHARACTER),
    spendBlanks: (count) => budget.spend(count),
  };
}

/**
 * Limits the work that a workbook causes, in proportion to its size. The unit is a byte of XML: tags, comments, attributes and entities cost
 * at most twice as much per byte as the cells of an ordinary sheet.
 */
class WorkBudget {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new FileRefusal('workbook_bomb');
  }

  async *count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.spend(chunk.length);
      yield chunk;
    }
  }
}

async function listEntries(file: FilePlace, limit: number): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const entries = new Map<string, Entry>();
  let count = 0;
  let unpacked = 0;
  try {
    const zip = await fromRandomAccessReaderPromise(new FileReader(file), file.bytes, {
      autoClose: false,
      lazyEntries: true,
    });
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.toLowerCase(), entry);
      // Reading an entry fails if it unpacks to more than it declares.
      unpacked += entry.uncompressedSize;
      count += 1;
      if (unpacked > limit || count > MAX_PARTS) throw new FileRefusal('workbook_bomb');
    }
    return { zip, entries };
  } catch (error) {
    throw toRefusal(error);
  }
}

class FileReader extends RandomAccessReader {
  readonly #file: StoredFile;

  constructor(file: FilePlace) {
    super();
    this.#file = openStored(file);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read(start, end), { objectMode: false });
  }
}

async function contains(file: FilePlace, bytes: Buffer): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const chunk of openStored(file).read()) {
    const seen = Buffer.concat([rest, chunk]);
    if (seen.includes(bytes)) return true;
    rest = seen.subarray(-bytes.length);
  }
  return false;
}
