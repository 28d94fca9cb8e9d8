import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredFile } from './csv-file.ts';
import { EncodingScan } from './text-encoding.ts';

const CHUNK_BYTES = 32 * 1024;

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

export interface SpooledFile extends StoredFile {
  readonly bytes: number;
  readonly sha256: string;
  /** An upper bound of the number of rows. */
  readonly lines: number;
  readonly kind: FileKind;
  /** Reads a range of bytes, or all. */
  read(start?: number, end?: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Stores an upload on disk, so that its encoding is known before the first row is read, and a slow upload holds neither memory nor a
 * database connection. The file is unlinked at once, so nothing is left behind even if the process is killed.
 */
export async function spool(chunks: AsyncIterable<Buffer>): Promise<SpooledFile> {
  const handle = await openUnlinkedFile();
  try {
    const hash = createHash('sha256');
    const scan = new EncodingScan();
    let bytes = 0;
    let start = Buffer.alloc(0);
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (start.length < 4) start = Buffer.concat([start, chunk.subarray(0, 4)]);
      if (kindOf(start) === 'text') scan.push(chunk);
      await writeAll(handle, chunk);
      bytes += chunk.length;
    }
    return {
      bytes,
      sha256: hash.digest('hex'),
      lines: scan.lines,
      kind: kindOf(start),
      get encoding() {
        return scan.encoding;
      },
      read: (start, end) => readChunks(handle, start, end),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Unlinked at once, so nothing is left even if the process is killed. */
export async function openUnlinkedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `brand-portal-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

export async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await handle.write(chunk, written)).bytesWritten;
  }
}

async function* readChunks(handle: FileHandle, start = 0, end = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let position = start; position < end; ) {
    const length = Math.min(CHUNK_BYTES, end - position);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
