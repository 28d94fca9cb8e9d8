/** How often each kill is repeated, at a different random moment each time. */
const ROUNDS = Number(process.env.FAULT_ROUNDS || 1);
/** A normal test run has one short round. The long run has ten longer ones. */
export const IS_LONG_RUN = ROUNDS > 1;
const SEED = Number(process.env.FAULT_SEED || 44);

interface Round {
  /** For the test title: FAULT_SEED repeats the same random moments. */
  label: string;
  /** A random integer from `least` to `most`, determined by the seed. */
  between: (least: number, most: number) => number;
}

/** Mulberry32, a small seeded random generator. */
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
