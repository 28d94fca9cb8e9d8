import { readFileSync } from 'node:fs';

/**
 * Preloaded into a server. Shifts `Date` by the number of milliseconds in a file, which tests may change at any time. Timers and
 * `performance` are not changed, because setting a machine's clock does not affect them either.
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
