import { FileRefusal, type RefusalCode } from '../files/csv/file-refusal.ts';
import { createThreadPool } from '../files/threads/thread-pool.ts';
import type { FileRequest, ImportFile } from './import-file.ts';

/**
 * A file that a member has uploaded is read and validated in a thread of its own: whatever is in it, the server answers other calls at the
 * same time, and a file that needs too much memory ends its thread and not the server.
 */
const threads = createThreadPool(new URL('./import-file.thread.ts', import.meta.url), {
  maxOldGenerationSizeMb: 128,
  maxYoungGenerationSizeMb: 32,
});

export type FileReader = Omit<ImportFile, 'close'>;

/** The thread has left the file when the promise is settled. When the signal is aborted, it ends. */
export async function readFile<T>(request: FileRequest, signal: AbortSignal, work: (reader: FileReader) => Promise<T>): Promise<T> {
  try {
    return await threads.use(signal, async (thread) => {
      try {
        return await work({
          header: await thread.ask('open', request),
          rows: () => thread.read('rows'),
          cells: (rows) => thread.read('cells', rows),
        });
      } finally {
        if (thread.isFree) await thread.ask('close');
      }
    });
  } catch (error) {
    throw toRefusal(error);
  }
}

/** Between threads an error loses its class. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return new FileRefusal('too_complex');
  return 'reason' in error && 'params' in error ? new FileRefusal(error.reason as RefusalCode, error.params as never) : error;
}
