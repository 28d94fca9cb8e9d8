import { setTimeout as sleep } from 'node:timers/promises';

const DEADLINE_MS = 4_800;
const FINISH_STARTING_MS = 2_500;

export interface Stopper {
  /** Aborted when the process should exit. A start checks it between its steps. */
  readonly signal: AbortSignal;
  /** Runs the start. A signal during the start waits briefly, so that all started parts are registered and can be stopped. */
  start(work: () => Promise<void>): Promise<void>;
  /** Registers a cleanup. They run in reverse order. */
  onStop(action: () => Promise<void>): void;
  stop(exitCode: number): Promise<never>;
}

/** Ctrl-C and SIGTERM stop everything in order within 5 seconds. A second signal exits at once. */
export function createStopper({ stopWithParent }: { stopWithParent: boolean }): Stopper {
  const controller = new AbortController();
  const actions: (() => Promise<void>)[] = [];
  let starting: Promise<unknown> = Promise.resolve();
  let stopping: Promise<never> | undefined;
  let isSignalled = false;

  function stop(exitCode: number): Promise<never> {
    stopping ??= stopInOrder(exitCode);
    return stopping;
  }

  async function stopInOrder(exitCode: number): Promise<never> {
    controller.abort();
    setTimeout(() => process.exit(1), DEADLINE_MS).unref();
    await Promise.race([starting, sleep(FINISH_STARTING_MS)]);
    for (const action of actions.reverse()) {
      // If one part fails to stop, the others (above all the database) must still be stopped.
      await action().catch((error: unknown) => process.stderr.write(`While stopping: ${error}\n`));
    }
    process.exit(exitCode);
  }

  function onSignal() {
    if (isSignalled) process.exit(1);
    isSignalled = true;
    void stop(0);
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  // Not counted as a signal: one to the whole process group ends the parent too, and a busy process learns of that first.
  if (stopWithParent) onParentExit(() => void stop(0));
  return {
    signal: controller.signal,
    start: (work) => {
      const started = work();
      starting = started.catch(() => {});
      return started;
    },
    onStop: (action) => actions.push(action),
    stop,
  };
}

/** npm sends a SIGTERM to the shell of its script, which exits without forwarding it. */
function onParentExit(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 250);
  timer.unref();
}
