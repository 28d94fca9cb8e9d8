/**
 * For `fc.assert`: each push has the same inputs, so that it is not red for another's defect. `npm run test:all` has ten times as many,
 * new ones each time. PROPERTY_SEED repeats those of a failure, which names its seed.
 */
export function runs(numRuns: number, seed: number): { numRuns: number; seed: number } {
  const isLong = Boolean(process.env.ALL_TESTS);
  const ownSeed = isLong ? Date.now() % 2 ** 31 : seed;
  return { numRuns: isLong ? numRuns * 10 : numRuns, seed: Number(process.env.PROPERTY_SEED ?? ownSeed) };
}
