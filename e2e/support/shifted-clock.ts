import { readFileSync } from 'node:fs';

/**
 * Loaded into a server before anything of it: its time of day is off by as many milliseconds as a file says, and the file
 * may change. What only goes forward (timers, `performance`) is left alone, as it is when a machine's clock is set.
 */
const file = process.env.CLOCK_OFFSET_FILE ?? '';
const TrueDate = globalThis.Date;
let offset = 0;

function read(): void {
  offset = Number(readFileSync(file, 'utf8')) || 0;
}

read();
setInterval(read, 20).unref();

const now = () => TrueDate.now() + offset;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: (target) => new target(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
