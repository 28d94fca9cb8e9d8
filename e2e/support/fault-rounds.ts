/** How often each kill is tried, at another moment each time. */
const ROUNDS = Number(process.env.FAULT_ROUNDS || 1);
/** One round is part of every test run and is kept short; the long run has ten and more in each. */
export const IS_LONG_RUN = ROUNDS > 1;
const SEED = Number(process.env.FAULT_SEED || 1);

interface Round {
  /** For the title of a test: what to set to see the same moments again. */
  label: string;
  /** A number from `least` up to `most`, the same for the same seed. */
  between: (least: number, most: number) => number;
}

/** Mulberry32: enough of a spread for moments in time, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const FAULT_ROUNDS: Round[] = Array.from({ length: ROUNDS }, (_, index) => {
  const random = randomFrom(SEED * 1_000 + index);
  return {
    label: `round ${index + 1} of ${ROUNDS}, FAULT_SEED=${SEED}`,
    between: (least, most) => Math.round(least + random() * (most - least)),
  };
});
