import { Agent, request as httpRequest } from 'node:http';
import { quantile } from './measure.ts';

export interface Kind {
  readonly name: string;
  /** Its share among all kinds. */
  readonly weight: number;
  /** One call. `number` counts the calls. */
  readonly call: (number: number) => Promise<number>;
}

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** p99 by name of the kind. */
  readonly p99Of: Readonly<Record<string, number>>;
  readonly errors: number;
}

/** A deterministic sequence of the kinds, by weight. */
function sequenceOf(kinds: readonly Kind[]): Kind[] {
  const all = kinds.flatMap((kind) => Array.from({ length: kind.weight }, (_, index) => ({ kind, at: (index + 0.5) / kind.weight })));
  return all.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}

/** Runs the load at a fixed concurrency for a time. */
export async function runLoad(kinds: readonly Kind[], concurrency: number, seconds: number): Promise<LoadFigures> {
  const sequence = sequenceOf(kinds);
  const times = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));
  const until = performance.now() + seconds * 1000;
  let number = 0;
  let errors = 0;
  const worker = async () => {
    while (performance.now() < until) {
      number += 1;
      const kind = sequence[number % sequence.length] as Kind;
      const started = performance.now();
      const status = await kind.call(number).catch(() => 0);
      if (status !== 200) errors += 1;
      times.get(kind.name)?.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const all = [...times.values()].flat();
  return {
    perSecond: all.length / seconds,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    p99Of: Object.fromEntries([...times].map(([name, values]) => [name, quantile(values, 0.99)])),
    errors,
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1024 });

/** One call over a keep-alive connection. Returns the status. */
export function send(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { agent, method, headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
      response.resume();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export function closeLoad(): void {
  agent.destroy();
}
