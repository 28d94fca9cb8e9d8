import { setTimeout as sleep } from 'node:timers/promises';

/** Repeated, each is a worst case for a regex, normalisation or escaping: `*` for trimming, `ﷺ` because it expands. */
const UNITS = ['*', '*x', ' ', ' x', '=', '="', ',=', "'", '"', '0', '9.0', '-', '/', '@a', '.a', '<', '\\', '%', '\u00ad', 'ﷺ', 'İ'];
/** A worst case for normalisation, which sorts combining marks. */
const MARKS = `a${'\u0316\u0301\u0334'}`;

/** Text that takes quadratic time to normalise. */
export function combiningMarks(length: number): string {
  return (MARKS[0] + MARKS.slice(1).repeat(Math.ceil(length / 3))).slice(0, length);
}

/** Texts of this length. The last character makes a regex that matched all others fail, so that it backtracks. */
function hostileTexts(length: number): string[] {
  return [...UNITS.map((unit) => unit.repeat(Math.ceil(length / unit.length))), combiningMarks(length)]
    .map((text) => text.slice(0, length - 1))
    .map((text) => `${text.toWellFormed()}x`);
}

function harmlessText(length: number): string {
  return 'abcdefgh '.repeat(Math.ceil(length / 9)).slice(0, length);
}

/** The longest time that `work` blocked the event loop, in milliseconds. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isRunning = true;
  const watch = async () => {
    for (let last = performance.now(); isRunning; ) {
      // Not each turn of the loop: that would take the time from the database.
      await sleep(1);
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  };
  await Promise.all([
    watch(),
    work().finally(() => {
      isRunning = false;
    }),
  ]);
  return longest;
}

/** The allowed factor over harmless text of the same length: escaping costs a factor of tens, a quadratic regex one of thousands. */
const TOLERATED = 100;
/** A busy machine slows some attempts, but not all. */
const ATTEMPTS = 4;

/** How many times longer `work` takes for the hostile text than for the harmless one. */
export function slowdown(work: (text: string) => unknown, hostile: string, harmless: string): number {
  const fastest = (text: string) => {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const started = performance.now();
      work(text);
      least = Math.min(least, performance.now() - started);
    }
    return least;
  };
  // The harmless text first: it also warms up.
  const usual = fastest(harmless);
  return fastest(hostile) / usual;
}

/** The beginnings of the texts that block the event loop for too long. */
export function findBlockingTexts(length: number, send: (text: string) => Promise<unknown>): Promise<string[]> {
  return findExpensiveTexts(length, (text) => longestPause(() => send(text)));
}

/** The beginnings of the texts that take too long. */
export function findSlowTexts(length: number, work: (text: string) => Promise<unknown>): Promise<string[]> {
  return findExpensiveTexts(length, async (text) => {
    const started = performance.now();
    await work(text);
    return performance.now() - started;
  });
}

async function findExpensiveTexts(length: number, measure: (text: string) => Promise<number>): Promise<string[]> {
  const harmless = harmlessText(length);
  // Warm-up: the first call is the slowest.
  await measure(harmless);
  const costs: number[] = [];
  for (let run = 0; run < 5; run++) costs.push(await measure(harmless));
  const usual = costs.sort((a, b) => a - b)[2] ?? 0;
  const expensive: string[] = [];
  for (const text of hostileTexts(length)) {
    let isExpensive = true;
    for (let attempt = 0; isExpensive && attempt < ATTEMPTS; attempt++) {
      isExpensive = (await measure(text)) > TOLERATED * usual;
    }
    if (isExpensive) expensive.push(JSON.stringify(text.slice(0, 6)));
  }
  return expensive;
}
