import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Turns {
  /** CPU time of this thread in the longest turn of its event loop. */
  readonly longest: number;
  /** CPU time of all threads of the process. */
  readonly all: number;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** Watches the event loop while the work runs. CPU time, because other processes may use the machine. */
export async function watchTurns(work: () => Promise<unknown>): Promise<Turns> {
  // What the test has made before would be collected during the work.
  collectGarbage();
  let isDone = false;
  let longest = 0;
  const before = process.cpuUsage();
  const watching = (async () => {
    for (let last = process.threadCpuUsage(); !isDone; last = process.threadCpuUsage()) {
      await nextTurn();
      const { user, system } = process.threadCpuUsage(last);
      longest = Math.max(longest, user + system);
    }
  })();
  await work().finally(() => {
    isDone = true;
  });
  await watching;
  const { user, system } = process.cpuUsage(before);
  return { longest, all: user + system };
}
