import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import type { Endpoint } from '@brand-portal/contract/endpoint';
import { type ExportFormat, PIECE_HEAD_BYTES, TOTAL_ROWS_HEADER } from '@brand-portal/contract/exports';
import { type CallInput, openDownload } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { saveFile } from './save-file.ts';

export interface DownloadProgress {
  rows: number;
  /** The server's count, if it sends one. */
  total: number | undefined;
}

interface DownloadOptions {
  signal: AbortSignal;
  onProgress: (progress: DownloadProgress) => void;
}

export type ExportList = (format: ExportFormat, options: DownloadOptions) => Promise<void>;

interface Download extends DownloadOptions {
  fileName: string;
  /** The number of rows that the page expects, if it knows it. */
  rows: number | undefined;
}

/** From this size on a file is streamed to the disk, if the browser supports that. */
const LARGE_ROWS = 50_000;

/** Saves an export. Rejects if it is incomplete, or with the signal's reason if it is aborted. */
export async function download<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  { fileName, rows: expectedRows = 0, signal, onProgress }: Download,
): Promise<void> {
  // Must come first: the browser opens its save dialog only right after a click.
  const file = (expectedRows >= LARGE_ROWS && (await chooseFile(fileName))) || createBlobFile(fileName);
  try {
    const answer = await openDownload(endpoint, { ...input, signal });
    const totalHeader = answer.headers.get(TOTAL_ROWS_HEADER);
    const total = totalHeader === null ? undefined : Number(totalHeader);
    for await (const { rows, bytes } of readPieces(answer, signal)) {
      onProgress({ rows, total });
      await file.write(bytes);
    }
    await file.close();
  } catch (error) {
    await file.abort().catch(() => undefined);
    signal.throwIfAborted();
    throw error instanceof ApiError ? error : new ApiError({ code: 'network_error', cause: error });
  }
}

/** Format: PIECES_TYPE in the contract. Times out if no data arrives for a while. */
async function* readPieces({ body }: Response, signal: AbortSignal) {
  if (!body) throw new ApiError({ code: 'internal_error' });
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    yield* parsePieces(reader, cancel);
  } finally {
    // Also if writing fails: the server should stop sending.
    cancel();
  }
}

async function* parsePieces(reader: ReadableStreamDefaultReader<Uint8Array>, cancel: () => void) {
  let rest = new Uint8Array();
  for (;;) {
    let isLate = false;
    const timeout = setTimeout(() => {
      isLate = true;
      cancel();
    }, HTTP_TIMEOUT_MS);
    const read = await reader.read().finally(() => clearTimeout(timeout));
    if (read.done) throw new ApiError({ code: isLate ? 'timeout' : 'network_error' });
    rest = rest.length === 0 ? new Uint8Array(read.value) : concat(rest, read.value);
    let at = 0;
    while (at + PIECE_HEAD_BYTES <= rest.length) {
      const head = new DataView(rest.buffer, rest.byteOffset + at, PIECE_HEAD_BYTES);
      const end = at + PIECE_HEAD_BYTES + head.getUint32(4);
      if (end > rest.length) break;
      const bytes = rest.subarray(at + PIECE_HEAD_BYTES, end);
      yield { rows: head.getUint32(0), bytes };
      if (bytes.length === 0) return;
      at = end;
    }
    rest = rest.subarray(at);
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

interface OpenFile {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** Undefined if the browser has no file system access. Rejects if the user cancels the dialog. */
async function chooseFile(suggestedName: string): Promise<OpenFile | undefined> {
  const picker = (window as { showSaveFilePicker?: SaveFilePicker }).showSaveFilePicker;
  if (!picker) return undefined;
  const handle = await picker.call(window, { suggestedName });
  return handle.createWritable();
}

/** The collected bytes become a blob at this size, so that the browser can move them to disk. */
const BLOB_BYTES = 8 * 1024 * 1024;

function createBlobFile(fileName: string): OpenFile {
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const collect = () => {
    blobs.push(new Blob(pieces));
    pieces = [];
    bytes = 0;
  };
  return {
    async write(piece) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= BLOB_BYTES) collect();
    },
    async close() {
      collect();
      saveFile(new Blob(blobs), fileName);
    },
    async abort() {
      blobs.length = 0;
      pieces = [];
    },
  };
}
