import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMb, type Timing, timed, timingOf } from './measure.ts';

export interface Watched {
  readonly seconds: number;
  readonly peakMb: number;
  readonly list: Timing;
}

/** Runs the work and returns its duration, the server's peak memory, and the latency of another brand's lists in the meantime. */
export async function watched(pid: number, otherList: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Watched> {
  let isDone = false;
  let peakMb = 0;
  const memory = (async () => {
    while (!isDone) {
      peakMb = Math.max(peakMb, memoryMb(pid));
      await sleep(20);
    }
  })();
  const times: number[] = [];
  const lists = (async () => {
    while (!isDone) {
      const started = performance.now();
      await otherList();
      times.push(performance.now() - started);
      await sleep(5);
    }
  })();
  const watching = Promise.all([memory, lists]);
  watching.catch(() => {});
  const seconds = await timed(() =>
    work().finally(() => {
      isDone = true;
    }),
  );
  await watching;
  return { seconds, peakMb, list: timingOf(times) };
}
