import type { Readable } from 'node:stream';
import { type Language, MAX_UPLOAD_BYTES } from '@brand-portal/contract/constants';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { importTexts } from '../catalog/fields/describe.ts';
import type { ImportTexts } from '../catalog/fields/import-texts.ts';
import { type SpooledFile, spool } from '../files/csv/spool.ts';
import { withDeadline } from '../lib/deadline.ts';
import { AppError, unknownField } from '../lib/errors.ts';
import type { MappingRequest } from './mapping.queries.ts';
import { readMapping } from './mapping.ts';

export interface Uploader {
  readonly brandId: number;
  readonly userId: number;
  /** Of the error message when there are too many imports. */
  readonly language: Language;
}

/** Uploads in progress of this process. Each costs a connection and disk space. A slow one is aborted. */
const MAX_ARRIVING = { total: 100, brand: 12, member: 8 };

/** Bounds the uploads in progress. */
export function createUploadPlaces(limits = MAX_ARRIVING) {
  const taken = new Set<Uploader>();
  return {
    async receive<T>(uploader: Uploader, work: () => Promise<T>): Promise<T> {
      const others = [...taken];
      const ofMember = others.filter(({ userId }) => userId === uploader.userId).length;
      const ofBrand = others.filter(({ brandId }) => brandId === uploader.brandId).length;
      if (others.length >= limits.total || ofBrand >= limits.brand || ofMember >= limits.member) {
        throw new AppError('too_many_imports', importTexts(uploader.language).uploads.arriving);
      }
      taken.add(uploader);
      try {
        return await work();
      } finally {
        taken.delete(uploader);
      }
    },
  };
}

export interface Upload {
  readonly fileName: string;
  readonly file: SpooledFile;
  /** The sheet of a workbook that the member has chosen. */
  readonly sheet?: string | undefined;
  readonly mapping?: MappingRequest | undefined;
  /** Whether a doubtful import waits for the member's confirmation. */
  readonly asks?: boolean;
}

export interface UploadLimits {
  readonly bytes: number;
  /** Idle timeout. */
  readonly idleMs: number;
  /** Total timeout. */
  readonly totalMs: number;
  /** Minimum average speed. */
  readonly bytesPerSecond: number;
  /** When the minimum speed starts to count. */
  readonly graceMs: number;
}

/** 128 kbit/s, a poor mobile connection. Slower uploads would block places in the queue. */
export const UPLOAD_LIMITS: UploadLimits = {
  bytes: MAX_UPLOAD_BYTES,
  idleMs: 30_000,
  totalMs: 10 * 60_000,
  bytesPerSecond: 16 * 1024,
  graceMs: 15_000,
};
/** Size of the form without its file. */
const FORM_BYTES = 64 * 1024;
const MAX_FILE_NAME_LENGTH = 255;
/** How long the rest of a refused upload is read and discarded, so that the browser reads the response. */
const DRAIN_MS = 10_000;

/** Writes the form's file to disk. Throws if it is not such a form, too large or too slow. */
export async function receiveUpload(request: FastifyRequest, texts: ImportTexts['uploads'], limits = UPLOAD_LIMITS): Promise<Upload> {
  try {
    return await readForm(request, texts, limits);
  } catch (error) {
    drain(request);
    if (isDiskFull(error)) throw new AppError('storage_full', texts.no_room);
    if (error instanceof AppError || isSystemError(error)) throw error;
    // The form is truncated, or the browser has disconnected.
    throw new AppError('malformed_request', texts.stalled);
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** For example a missing temporary folder: a server error, not a bad upload. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error && error.code !== 'ECONNRESET';
}

async function readForm(request: FastifyRequest, texts: ImportTexts['uploads'], limits: UploadLimits): Promise<Upload> {
  const hasBoundary = /;\s*boundary=/i.test(request.headers['content-type'] ?? '');
  if (!request.isMultipart() || !hasBoundary) throw new AppError('unsupported_media_type', texts.no_form);
  const tooLarge = () => new AppError('payload_too_large', texts.too_large(limits.bytes / 1024 / 1024));
  if (Number(request.headers['content-length'] ?? 0) > limits.bytes + FORM_BYTES) throw tooLarge();

  const stalled = () => new AppError('malformed_request', texts.stalled);
  const parts = request.files({
    throwFileSizeLimit: false,
    limits: { fileSize: limits.bytes, files: 1, fields: 10, fieldSize: 1024, headerPairs: 50 },
  });
  const { value: part } = await withDeadline(parts.next(), limits.idleMs, stalled);
  if (part?.fieldname !== 'file') throw new AppError('malformed_request', texts.no_file);
  // Without this the stream would continue to the end of the form, dropping the bytes beyond the limit.
  part.file.once('limit', () => part.file.destroy(tooLarge()));
  if (part.file.truncated) throw tooLarge();
  const file = await spool(watchFlow(part.file, limits, stalled));
  try {
    await withDeadline(parts.next(), limits.idleMs, stalled);
    const { file: _file, sheet, mapping, ...unknown } = part.fields;
    for (const name of Object.keys(unknown)) throw unknownField(name);
    const chosen = textOf(mapping);
    return {
      fileName: cleanFileName(part.filename),
      file,
      sheet: textOf(sheet),
      mapping: chosen === undefined ? undefined : readMapping(chosen, texts),
    };
  } catch (error) {
    await file.close();
    throw isSecondFile(error) ? new AppError('malformed_request', texts.two_files) : error;
  }
}

function textOf(field: Multipart | Multipart[] | undefined): string | undefined {
  const [first] = [field].flat();
  return first && 'value' in first ? String(first.value) : undefined;
}

/** A form with two files is refused, because only one would be imported. */
function isSecondFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_FILES_LIMIT';
}

/** Fails on an idle timeout, a low average speed, or a total timeout. */
async function* watchFlow(
  stream: Readable,
  { idleMs, totalMs, bytesPerSecond, graceMs }: UploadLimits,
  stalled: () => AppError,
): AsyncGenerator<Buffer> {
  const startedAt = performance.now();
  let bytes = 0;
  const fail = () => stream.destroy(stalled());
  const checkRate = () => {
    const seconds = (performance.now() - startedAt - graceMs) / 1_000;
    if (bytes < seconds * bytesPerSecond) fail();
  };
  const timers = [setTimeout(fail, idleMs), setTimeout(fail, totalMs), setInterval(checkRate, graceMs / 4)] as const;
  try {
    for await (const chunk of stream) {
      timers[0].refresh();
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Removes the folder that some browsers send, and characters that could break a header or a log line. */
function cleanFileName(name: string | undefined): string {
  const base = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  // Cut before normalising, which takes quadratic time on a hostile name, and again after it.
  const clean = base
    .slice(0, 4 * MAX_FILE_NAME_LENGTH)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
  return [...clean].slice(0, MAX_FILE_NAME_LENGTH).join('') || 'upload.csv';
}

/** Reads the rest of the request. If the connection closed at once, the client would lose the response. */
function drain({ raw }: FastifyRequest): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const late = setTimeout(() => raw.destroy(), DRAIN_MS).unref();
  raw.once('close', () => clearTimeout(late));
}
