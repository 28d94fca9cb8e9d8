import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PRELOADED = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
/** Far longer than the server takes to notice. */
const NOTICED_AFTER_MS = 100;

/** The time of day of a server under test; the database's, and everybody else's, stays true. */
export class ServerClock {
  /** What a server is to be started with. */
  readonly env: Record<string, string>;
  #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'clock-offset');
    writeFileSync(this.#file, '0');
    this.env = { NODE_OPTIONS: `--import=${PRELOADED}`, CLOCK_OFFSET_FILE: this.#file };
  }

  /** So many hours ahead of the true time; less than nothing is behind it. */
  async set(hours: number): Promise<void> {
    writeFileSync(this.#file, String(hours * 3_600_000));
    await wait(NOTICED_AFTER_MS);
  }
}
