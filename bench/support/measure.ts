import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

export interface Timing {
  readonly p50: number;
  readonly p99: number;
}

export async function time(
  runs: number,
  work: () => Promise<unknown>,
  /** The first runs warm up caches and connections and do not count. */
  { warmUp = 3 } = {},
): Promise<Timing> {
  const times: number[] = [];
  for (let run = 0; run < runs + warmUp; run++) {
    const started = performance.now();
    await work();
    if (run >= warmUp) times.push(performance.now() - started);
  }
  return timingOf(times);
}

export function timingOf(times: readonly number[]): Timing {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The duration in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** The resident memory of a process. */
export function memoryMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

const TICKS_PER_SECOND = 100;

/** The CPU time of PostgreSQL so far: the postmaster and all its children, including those that have exited. */
export function postgresCpuSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const ticks = children.map((child) => cpuTicks(child).own).reduce((sum, own) => sum + own, 0);
  const main = cpuTicks(pid);
  return (ticks + main.own + main.ended) / TICKS_PER_SECOND;
}

/** The CPU time of a process so far. */
export function processCpuSeconds(pid: number): number {
  return cpuTicks(pid).own / TICKS_PER_SECOND;
}

function cpuTicks(pid: number): { own: number; ended: number } {
  // The process name, in brackets, may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { own: user + system, ended: endedUser + endedSystem };
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request over a keep-alive connection, with a minimal client, so that the server is measured. */
export function request(url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${url} answered ${response.statusCode}: ${body}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Responses per second at a fixed concurrency. */
export async function throughput(url: string, headers: Record<string, string>, { seconds = 5, concurrency = 16 } = {}): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let answers = 0;
  const worker = async () => {
    while (performance.now() < until) {
      await request(url, headers);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return answers / seconds;
}

export function closeConnections(): void {
  agent.destroy();
}
