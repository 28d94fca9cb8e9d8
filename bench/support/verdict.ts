let missed = 0;

export function verdict(met: boolean): string {
  if (!met) missed += 1;
  return met ? 'met' : 'MISSED';
}

/** Ends a run: prints the overall result and sets the exit code. */
export function printVerdicts(): void {
  console.log(missed === 0 ? '\nAll bars are met.' : `\n${missed} bars are missed.`);
  process.exitCode = missed === 0 ? 0 : 1;
}
