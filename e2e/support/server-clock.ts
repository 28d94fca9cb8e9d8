import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PRELOADED = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
/** Much longer than the server's interval for reading the file. */
const NOTICED_AFTER_MS = 100;

/** Shifts the clock of one server. The clock of the database is not changed. */
export class ServerClock {
  /** The environment to start the server with. */
  readonly env: Record<string, string>;
  #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'clock-offset');
    writeFileSync(this.#file, '0');
    this.env = { NODE_OPTIONS: `--import=${PRELOADED}`, CLOCK_OFFSET_FILE: this.#file };
  }

  /** Sets the offset from the real time; a negative one is in the past. */
  async set(hours: number): Promise<void> {
    writeFileSync(this.#file, String(hours * 3_600_000));
    await wait(NOTICED_AFTER_MS);
  }
}
