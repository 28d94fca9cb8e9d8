import { setImmediate as nextTurn } from 'node:timers/promises';

/** Each is long, and hard on some pattern, normalisation or escape: `*` for trimming, marks for sorting, `ﷺ` for expanding. */
const UNITS = [
  '*',
  '*x',
  ' ',
  ' x',
  '=',
  '="',
  ',=',
  "'",
  '"',
  '0',
  '9.0',
  '-',
  '/',
  '@a',
  '.a',
  '<',
  '\\',
  '%',
  '\u00ad',
  'ﷺ',
  'İ',
];
const MARKS = `a${'\u0316\u0301\u0334'}`;

/** So many characters of every kind, each with an end that makes the whole of it fail. */
function hostileTexts(length: number): string[] {
  const marks = MARKS[0] + MARKS.slice(1).repeat(Math.ceil(length / 3));
  return [...UNITS.map((unit) => unit.repeat(Math.ceil(length / unit.length))), marks]
    .map((text) => text.slice(0, length - 1))
    .map((text) => `${text.toWellFormed()}x`);
}

function harmlessText(length: number): string {
  return 'abcdefgh '.repeat(Math.ceil(length / 9)).slice(0, length);
}

/** For how long, at most, nobody else could have been answered while this ran. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isRunning = true;
  const watch = async () => {
    for (let last = performance.now(); isRunning; ) {
      await nextTurn();
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

/** Times longer than for harmless text of the same size: escaping costs some tens, a quadratic pattern thousands. A busy machine slows some tries, not all. */
const TOLERATED = 100;
const TRIES = 4;

/** The texts that keep everybody else waiting, each in short. */
export async function findBlockingTexts(length: number, send: (text: string) => Promise<unknown>): Promise<string[]> {
  const harmless = harmlessText(length);
  // The first one is slower than any other.
  await send(harmless);
  const pauses: number[] = [];
  for (let run = 0; run < 5; run++) pauses.push(await longestPause(() => send(harmless)));
  const usual = pauses.sort((a, b) => a - b)[2] ?? 0;
  const blocking: string[] = [];
  for (const text of hostileTexts(length)) {
    let isBlocking = true;
    for (let attempt = 0; isBlocking && attempt < TRIES; attempt++) {
      isBlocking = (await longestPause(() => send(text))) > TOLERATED * usual;
    }
    if (isBlocking) blocking.push(JSON.stringify(text.slice(0, 6)));
  }
  return blocking;
}
