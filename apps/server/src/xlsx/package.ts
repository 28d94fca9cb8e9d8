import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { FileRefusal } from '../csv/file-refusal.ts';
import type { SpooledFile } from '../csv/spool.ts';
import { parseXml, toRefusal, type XmlHandlers } from './xml.ts';

/** In compound files, which .xls files are and workbooks with a password. */
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');

const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Sheets of many equal rows shrink to a fiftieth; a bomb, to a thousandth. */
const MAX_COMPRESSION_RATIO = 250;
/** Below this, the ratio does not matter. */
const HARMLESS_UNPACKED = 32 * 1024 * 1024;
const MAX_PARTS = 10_000;

/** The parts of a workbook, by their path in lower case. */
export interface WorkbookPackage {
  has(path: string): boolean;
  parse(path: string, handlers: XmlHandlers): AsyncGenerator<void>;
}

/** Opens what Excel calls a package, and refuses by name what is none, or none that is read here. */
export async function openPackage(file: SpooledFile, signal?: AbortSignal): Promise<WorkbookPackage> {
  if (file.kind !== 'zip') {
    throw new FileRefusal((await contains(file, ENCRYPTED_PACKAGE)) ? 'encrypted_workbook' : 'old_workbook');
  }
  const { zip, entries } = await listEntries(file);
  if (entries.has('xl/workbook.bin')) throw new FileRefusal('binary_workbook');
  if (entries.has('xl/vbaproject.bin')) throw new FileRefusal('workbook_macros');
  if (entries.has('mimetype') && entries.has('content.xml')) throw new FileRefusal('opendocument');
  if (!entries.has('[content_types].xml')) throw new FileRefusal('archive');
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

async function listEntries(file: SpooledFile): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  try {
    const zip = await fromRandomAccessReaderPromise(new FileReader(file), file.bytes, {
      autoClose: false,
      lazyEntries: true,
    });
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.toLowerCase(), entry);
      // What an entry unpacks to beyond what it declares is cut off with an error when it is read.
      unpacked += entry.uncompressedSize;
      const isBomb = unpacked > HARMLESS_UNPACKED && unpacked > file.bytes * MAX_COMPRESSION_RATIO;
      if (unpacked > MAX_UNPACKED_BYTES || isBomb || entries.size > MAX_PARTS) throw new FileRefusal('workbook_bomb');
    }
    return { zip, entries };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Reads through the file's own handle, which waits for reads under way before it closes. */
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
