import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { FileRefusal } from '../csv/file-refusal.ts';
import type { SpooledFile } from '../csv/spool.ts';
import { parseXml, toRefusal, type XmlHandlers } from './xml.ts';

/** Marks a workbook with a password. Compound files are either those or .xls files. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Sheets of many equal rows compress to a fiftieth; a zip bomb to a thousandth. */
const MAX_COMPRESSION_RATIO = 250;
/** Below this size the ratio is not checked. */
const HARMLESS_UNPACKED = 32 * 1024 * 1024;
const MAX_PARTS = 10_000;

/** The parts of a workbook, by path in lower case. */
export interface WorkbookPackage {
  /** The most that all parts, or the texts of one sheet, may amount to. Cells can refer to the same text again and again. */
  readonly limit: number;
  has(path: string): boolean;
  parse(path: string, handlers: XmlHandlers): AsyncGenerator<void>;
}

/** Opens a workbook's zip file. Refuses other formats with a specific error. */
export async function openPackage(file: SpooledFile, signal?: AbortSignal): Promise<WorkbookPackage> {
  if (file.kind !== 'zip') {
    throw new FileRefusal((await contains(file, ENCRYPTED_PACKAGE)) ? 'encrypted_workbook' : 'old_workbook');
  }
  const limit = Math.min(MAX_UNPACKED_BYTES, Math.max(HARMLESS_UNPACKED, file.bytes * MAX_COMPRESSION_RATIO));
  const { zip, entries } = await listEntries(file, limit);
  if (entries.has('xl/workbook.bin')) throw new FileRefusal('binary_workbook');
  if (entries.has('xl/vbaproject.bin')) throw new FileRefusal('workbook_macros');
  if (entries.has('mimetype') && entries.has('content.xml')) throw new FileRefusal('opendocument');
  if (!entries.has('[content_types].xml')) throw new FileRefusal('archive');
  return {
    limit,
    has: (path) => entries.has(path.toLowerCase()),
    async *parse(path, handlers) {
      const entry = entries.get(path.toLowerCase());
      if (!entry) throw new FileRefusal('broken_workbook');
      if (entry.isEncrypted()) throw new FileRefusal('encrypted_workbook');
      const stream = await zip.openReadStreamPromise(entry).catch((error: unknown) => {
        throw toRefusal(error);
      });
      try {
        for await (const _piece of parseXml(stream, handlers)) {
          signal?.throwIfAborted();
          yield;
        }
      } finally {
        stream.destroy();
      }
    },
  };
}

async function listEntries(file: SpooledFile, limit: number): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const entries = new Map<string, Entry>();
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
      if (unpacked > limit || entries.size > MAX_PARTS) throw new FileRefusal('workbook_bomb');
    }
    return { zip, entries };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Reads through the file's own handle, whose close waits for pending reads. */
class FileReader extends RandomAccessReader {
  readonly #file: SpooledFile;

  constructor(file: SpooledFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read(start, end), { objectMode: false });
  }
}

async function contains(file: SpooledFile, bytes: Buffer): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const chunk of file.read()) {
    const seen = Buffer.concat([rest, chunk]);
    if (seen.includes(bytes)) return true;
    rest = seen.subarray(-bytes.length);
  }
  return false;
}
