/** Does something now and every so often; once stopped, the last time is over. `work` tells of its failures itself. */
export function repeat(work: () => Promise<void>, everyMs: number): { stop(): Promise<void> } {
  let running = work();
  const timer = setInterval(() => {
    running = work();
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
