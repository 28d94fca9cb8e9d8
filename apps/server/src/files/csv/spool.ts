import { createHash, randomUUID } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK_BYTES = 32 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Detected by the first bytes, because file names and media types are unreliable. Workbooks are zip files; old and password-protected ones
 * are compound files.
 */
export type FileKind = 'text' | 'zip' | 'compound';

const SIGNATURES = [
  { kind: 'zip', bytes: Buffer.from('PK\x03\x04', 'latin1') },
  { kind: 'compound', bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) },
] as const;

function kindOf(start: Buffer): FileKind {
  return SIGNATURES.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes))?.kind ?? 'text';
}

/** Where an upload is stored. Plain data, so that another thread can read the file: threads share descriptors. */
export interface FilePlace {
  readonly descriptor: number;
  readonly bytes: number;
  /** An upper bound of the number of rows: a quoted cell may contain line breaks. */
  readonly lines: number;
  readonly kind: FileKind;
}

export interface SpooledFile {
  readonly place: FilePlace;
  readonly sha256: string;
  close(): Promise<void>;
}

/** Bytes that can be read from the start any number of times. */
export interface StoredFile {
  /** Reads a range of bytes, or all. */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
}

/** Blocks the thread while it reads. */
export function openStored({ descriptor }: FilePlace): StoredFile {
  return { read: (start, end) => readChunks(descriptor, start, end) };
}

/**
 * Stores an upload on disk, so that its encoding is known before the first row is read, and a slow upload holds neither memory nor a
 * database connection. The file is unlinked at once, so nothing is left behind even if the process is killed.
 */
export async function spool(chunks: AsyncIterable<Buffer>): Promise<SpooledFile> {
  const handle = await openUnlinkedFile();
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    let lineFeeds = 0;
    let carriageReturns = 0;
    let start = Buffer.alloc(0);
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (start.length < 4) start = Buffer.concat([start, chunk.subarray(0, 4)]);
      for (let index = 0; index < chunk.length; index++) {
        if (chunk[index] === LF) lineFeeds += 1;
        else if (chunk[index] === CR) carriageReturns += 1;
      }
      await writeAll(handle, chunk);
      bytes += chunk.length;
    }
    const kind = kindOf(start);
    const lines = kind === 'text' ? Math.max(lineFeeds, carriageReturns) + 1 : 0;
    return {
      place: { descriptor: handle.fd, bytes, lines, kind },
      sha256: hash.digest('hex'),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openUnlinkedFile(): Promise<FileHandle> {
  const path = temporaryPath();
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

export function temporaryPath(): string {
  return join(tmpdir(), `brand-portal-upload-${randomUUID()}`);
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await handle.write(chunk, written)).bytesWritten;
  }
}

async function* readChunks(descriptor: number, start = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const length = Math.min(CHUNK_BYTES, end - position);
    const buffer = Buffer.allocUnsafe(length);
    const bytesRead = readSync(descriptor, buffer, 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
