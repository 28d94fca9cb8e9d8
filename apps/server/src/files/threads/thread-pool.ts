import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { ThreadRequest, ThreadResponse } from './serve-calls.ts';

/** A thread that answers calls (`serveCalls`). */
export interface Thread {
  ask<Result>(name: string, input?: unknown): Promise<Result>;
  /** Requests the next value before the previous one is used, so that both threads work at the same time. */
  read<Value, Result = void>(name: string, input?: unknown): AsyncGenerator<Value, Result, undefined>;
  /** False if it was ended, or if a call was not read to its end. */
  readonly isFree: boolean;
}

export interface ThreadPool {
  /** Lends a thread to `work`. It is ended if the signal is aborted, or if it is not free afterwards. */
  use<T>(signal: AbortSignal, work: (thread: Thread) => Promise<T>): Promise<T>;
}

/**
 * Starting a thread takes a few hundred milliseconds, so threads are kept. There are as many as were needed at the same time: the caller
 * limits that.
 */
export function createThreadPool(file: URL, resourceLimits: ResourceLimits): ThreadPool {
  const idle: PooledThread[] = [];
  return {
    async use(signal, work) {
      signal.throwIfAborted();
      const thread = idle.pop() ?? new PooledThread(new Worker(file, { resourceLimits }));
      const onAbort = () => thread.fail(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      thread.worker.ref();
      try {
        return await work(thread);
      } finally {
        signal.removeEventListener('abort', onAbort);
        if (thread.isFree) {
          // A process that has nothing else to do can end.
          thread.worker.unref();
          idle.push(thread);
        } else await thread.worker.terminate();
      }
    },
  };
}

class PooledThread implements Thread {
  readonly worker: Worker;
  #waiting: PromiseWithResolvers<ThreadResponse> | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #isBeingRead = false;

  constructor(worker: Worker) {
    this.worker = worker;
    worker.on('message', (response: ThreadResponse) => {
      this.#waiting?.resolve(response);
      this.#waiting = undefined;
    });
    worker.on('error', (error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('The thread has ended.')));
  }

  get isFree(): boolean {
    return !this.#failure && !this.#waiting && !this.#isBeingRead;
  }

  /** Ends the thread, whatever it is doing. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#waiting?.reject(reason);
    this.#waiting = undefined;
    void this.worker.terminate();
  }

  async ask<Result>(name: string, input?: unknown): Promise<Result> {
    return readResponse(await this.#send({ name, input })) as Result;
  }

  async *read<Value, Result>(name: string, input?: unknown): AsyncGenerator<Value, Result, undefined> {
    this.#isBeingRead = true;
    let response = await this.#send({ name, input });
    while ('done' in response && !response.done) {
      const next = this.#send({});
      // If the caller stops reading, nobody awaits it.
      next.catch(() => undefined);
      yield response.value as Value;
      response = await next;
    }
    this.#isBeingRead = false;
    return readResponse(response) as Result;
  }

  #send(request: ThreadRequest): Promise<ThreadResponse> {
    if (this.#failure) return Promise.reject(this.#failure.reason);
    this.#waiting = Promise.withResolvers<ThreadResponse>();
    this.worker.postMessage(request);
    return this.#waiting.promise;
  }
}

function readResponse(response: ThreadResponse): unknown {
  if (!('error' in response)) return response.value;
  const { message, stack, fields } = response.error;
  throw Object.assign(new Error(message), fields, { stack });
}
