/**
 * Does something now and every so often, one at a time; once stopped, the last time is over. `work` tells of its failures itself.
 */
export function repeat(work: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const turn = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  turn();
  const timer = setInterval(turn, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
