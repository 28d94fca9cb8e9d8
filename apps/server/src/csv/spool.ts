import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredFile } from './csv-file.ts';
import { EncodingScan } from './text-encoding.ts';

const CHUNK_BYTES = 32 * 1024;

export interface SpooledFile extends StoredFile {
  readonly bytes: number;
  readonly sha256: string;
  /** At least the number of rows. */
  readonly lines: number;
  close(): Promise<void>;
}

/**
 * Keeps an upload on disk, so that its encoding is known before the first row is read, and so that a slow upload holds neither
 * memory nor a database connection. The file has no name from the start: however the process ends, nothing is left behind.
 */
export async function spool(chunks: AsyncIterable<Buffer>): Promise<SpooledFile> {
  const handle = await openNameless();
  try {
    const hash = createHash('sha256');
    const scan = new EncodingScan();
    let bytes = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      scan.push(chunk);
      await writeAll(handle, chunk);
      bytes += chunk.length;
    }
    return {
      bytes,
      sha256: hash.digest('hex'),
      lines: scan.lines,
      get encoding() {
        return scan.encoding;
      },
      read: () => readChunks(handle),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `brand-portal-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let written = 0; written < chunk.length; ) {
    written += (await handle.write(chunk, written)).bytesWritten;
  }
}

async function* readChunks(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
