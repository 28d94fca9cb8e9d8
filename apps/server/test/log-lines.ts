import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createLogger } from '../src/http/request-log.ts';

export interface LogLines {
  readonly logger: Logger;
  readonly text: () => string;
  readonly lines: () => Record<string, unknown>[];
}

/** The production logger at level trace, writing to memory. */
export function createLogLines(): LogLines {
  let text = '';
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  return {
    logger: createLogger({ logLevel: 'trace', logFormat: 'json' }, destination),
    text: () => text,
    lines: () => text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : [])),
  };
}
