import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The address of the embedded database, as the server leaves it for tools. */
export function databaseUrl(dataDir: string): string {
  const { url } = JSON.parse(readFileSync(join(dataDir, 'postgres/connection.json'), 'utf8')) as { url: string };
  return url;
}

/** Opens a connection for the time of some work. A connection that breaks meanwhile is the work's own affair. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A table of our own beside the product's, to see whether what was committed is still there. */
export async function createProbe(dataDir: string): Promise<void> {
  await withConnection(databaseUrl(dataDir), async (client) => {
    await client.query('create schema if not exists fault_probe');
    await client.query('create table if not exists fault_probe.rows (id int primary key)');
  });
}

/** Commits rows one after the other until told to stop or cut off. Returns the ids that the database acknowledged. */
export async function commitRowsUntil(dataDir: string, stop: Promise<unknown>): Promise<number[]> {
  const acknowledged: number[] = [];
  let stopped = false;
  void stop.then(() => {
    stopped = true;
  });
  await withConnection(databaseUrl(dataDir), async (client) => {
    for (let id = 1; !stopped; id += 1) {
      try {
        await client.query('insert into fault_probe.rows values ($1)', [id]);
      } catch {
        return;
      }
      acknowledged.push(id);
    }
  });
  return acknowledged;
}

export async function readProbe(dataDir: string): Promise<number[]> {
  return withConnection(databaseUrl(dataDir), async (client) => {
    const { rows } = await client.query<{ id: number }>('select id from fault_probe.rows order by id');
    return rows.map(({ id }) => id);
  });
}
