import pg from 'pg';

/** A new database on every node of a Citus cluster. DATABASE_URL is its coordinator. */
export interface ClusterDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

async function query<Row extends pg.QueryResultRow>(url: string, ...texts: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const text of texts) ({ rows } = await client.query<Row>(text));
    return rows;
  } finally {
    await client.end();
  }
}

function named(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  return copy.href;
}

export async function createClusterDatabase(): Promise<ClusterDatabase> {
  const coordinator = process.env.DATABASE_URL ?? '';
  const name = `brand_portal_journey_${process.pid}`;
  const workers = await query<{ host: string; port: number }>(
    coordinator,
    'select nodename as host, nodeport as port from pg_dist_node where groupid > 0',
  );
  const nodes = [
    coordinator,
    ...workers.map(({ host, port }) => {
      const url = new URL(coordinator);
      url.host = `${host}:${port}`;
      return url.href;
    }),
  ];
  for (const node of nodes) {
    await query(node, 'set citus.enable_create_database_propagation = off', `create database ${name}`);
    await query(named(node, name), 'create extension citus');
  }
  const url = named(coordinator, name);
  const { hostname, port } = new URL(coordinator);
  await query(
    url,
    `select citus_set_coordinator_host('${hostname}', ${port || 5432})`,
    ...workers.map((worker) => `select citus_add_node('${worker.host}', ${worker.port})`),
  );
  return {
    url,
    drop: async () => {
      for (const node of nodes) await query(node, `drop database if exists ${name} with (force)`);
    },
  };
}
