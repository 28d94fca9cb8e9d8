import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** The URL of the embedded database, from the file that the server writes for tools. */
export function databaseUrl(dataDir: string): string {
  const { url } = JSON.parse(readFileSync(join(dataDir, 'postgres/connection.json'), 'utf8')) as { url: string };
  return url;
}

/** Opens a connection for `work`. If it breaks, queries of `work` fail. */
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

/** Creates a table for tests, to check later that committed rows are still there. */
export async function createProbe(dataDir: string): Promise<void> {
  await withConnection(databaseUrl(dataDir), async (client) => {
    await client.query('create schema if not exists fault_probe');
    await client.query('create table if not exists fault_probe.rows (id int primary key)');
  });
}

/** Commits rows until `stop` resolves or the connection breaks. Returns the ids of the acknowledged rows. */
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
