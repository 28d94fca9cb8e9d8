import pg from 'pg';

export function databaseUrl(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export function runAsAdmin(postgresUrl: string, ...statements: string[]): Promise<void> {
  return asAdmin(postgresUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** The workers, if the database is the coordinator of a Citus cluster. Then all tests run on a cluster. */
export async function listWorkers(postgresUrl: string): Promise<string[]> {
  let workers: { host: string; port: number }[] = [];
  await asAdmin(postgresUrl, async (client) => {
    const { rows } = await client.query(`select 1 from pg_extension where extname = 'citus'`);
    if (rows.length === 0) return;
    const nodes = await client.query('select nodename as host, nodeport as port from pg_dist_node where groupid > 0');
    workers = nodes.rows;
  });
  return workers.map(({ host, port }) => {
    const url = new URL(postgresUrl);
    url.host = `${host}:${port}`;
    return url.href;
  });
}

/** Creates the database on each node and joins the nodes to a cluster. */
export async function joinNodes(postgresUrl: string, workers: readonly string[], name: string): Promise<void> {
  for (const node of [postgresUrl, ...workers]) {
    await runAsAdmin(node, 'set citus.enable_create_database_propagation = off', `create database ${name}`);
    await runAsAdmin(databaseUrl(node, name), 'create extension citus');
  }
  const add = (url: URL, call: string) => `select ${call}('${url.hostname}', ${url.port || 5432})`;
  await runAsAdmin(
    databaseUrl(postgresUrl, name),
    add(new URL(postgresUrl), 'citus_set_coordinator_host'),
    ...workers.map((worker) => add(new URL(worker), 'citus_add_node')),
  );
}

/** Clones the database on each node under the same name: Citus connects nodes by database name. */
export async function cloneDatabase(nodes: readonly string[], { template, strategy }: Template, name: string): Promise<void> {
  // Citus itself has connections to each database. A template must have none.
  const disconnect = nodes.length > 1 ? [`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`] : [];
  const create = `create database ${name} template ${template} strategy ${strategy}`;
  await Promise.all(nodes.map((node) => runOnKept('create', node, ...disconnect, create)));
}

export interface Template {
  readonly template: string;
  readonly strategy: 'file_copy' | 'wal_log';
}

/** Without waiting for it. The global setup drops what is left at the end of the run. */
export function dropInBackground(nodes: readonly string[], name: string): void {
  const drop = `drop database if exists ${name} with (force)`;
  for (const node of nodes) void runOnKept('drop', node, drop).catch(() => undefined);
}

/** Connections that the worker keeps for all its tests: a database can be created while another is dropped. */
const kept = new Map<string, pg.Pool>();

async function runOnKept(purpose: 'create' | 'drop', node: string, ...statements: string[]): Promise<void> {
  const key = `${purpose} ${node}`;
  // An idle connection does not keep the worker from ending.
  const connection = kept.get(key) ?? new pg.Pool({ connectionString: node, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  if (!kept.has(key)) connection.on('error', () => {});
  kept.set(key, connection);
  for (const statement of statements) await connection.query(statement);
}

/** Drops the databases whose names start with one of the prefixes. */
export function dropDatabases(postgresUrl: string, prefixes: string[]): Promise<void> {
  return asAdmin(postgresUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where exists (select from unnest($1::text[]) prefix where starts_with(datname, prefix))',
      [prefixes],
    );
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });
}

async function asAdmin(postgresUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
