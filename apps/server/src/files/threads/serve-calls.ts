import { parentPort } from 'node:worker_threads';

/** Asks for the first value of a call or, without a name, for the next value of the current one. */
export interface ThreadRequest {
  readonly name?: string;
  readonly input?: unknown;
}

export type ThreadResponse =
  | { readonly value: unknown; readonly done: boolean }
  | { readonly error: { readonly message: string; readonly stack: string | undefined; readonly fields: object } };

type Values = AsyncGenerator<unknown, unknown, undefined>;
type Call = (input: never) => Promise<unknown> | Values;

/** Runs in a worker thread and answers one call at a time: with its result, or with one value after the other. */
export function serveCalls(calls: Readonly<Record<string, Call>>): void {
  let current: Values | undefined;
  parentPort?.on('message', async ({ name, input }: ThreadRequest) => {
    parentPort?.postMessage(await respond(name, input));
  });

  async function respond(name: string | undefined, input: unknown): Promise<ThreadResponse> {
    try {
      if (name !== undefined) {
        const started = calls[name]?.(input as never);
        if (started instanceof Promise) return { value: await started, done: true };
        current = started;
      }
      if (!current) throw new Error(`There is no call ${name}.`);
      const { value, done = false } = await current.next();
      return { value, done };
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      // The fields of an error, such as its code, are not copied to another thread by themselves.
      return { error: { message, stack, fields: { ...(error as object) } } };
    }
  }
}
