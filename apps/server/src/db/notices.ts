import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** One channel for all notices: what has changed, such as `import 7 12`. */
export const NOTICE_CHANNEL = 'brand_portal';
const RECONNECT_MS = 1_000;

export interface Notices {
  /** Calls `onNotice` until the returned function is called. */
  follow(notice: string, onNotice: () => void): () => void;
  close(): Promise<void>;
}

/** Listens on a connection of its own, from the first time that something is followed. */
export function createNotices(connect: () => pg.Client): Notices {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  let client: pg.Client | undefined;
  let isClosed = false;
  let isListening = false;

  async function listen(): Promise<void> {
    while (!isClosed) {
      const lost = Promise.withResolvers<void>();
      const current = connect();
      client = current;
      current.on('notification', ({ payload }) => events.emit(payload ?? ''));
      current.on('error', () => lost.resolve());
      current.on('end', () => lost.resolve());
      try {
        await current.connect();
        await current.query(`listen ${NOTICE_CHANNEL}`);
        await lost.promise;
      } catch {
        // The database is away.
      }
      await current.end().catch(() => undefined);
      if (!isClosed) await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }

  return {
    follow(notice, onNotice) {
      if (!isListening) {
        isListening = true;
        void listen();
      }
      events.on(notice, onNotice);
      return () => events.off(notice, onNotice);
    },
    async close() {
      isClosed = true;
      await client?.end().catch(() => undefined);
    },
  };
}
