import pg from 'pg';

export function databaseUrl(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export function runAsAdmin(postgresUrl: string, statement: string): Promise<void> {
  return asAdmin(postgresUrl, async (client) => {
    await client.query(statement);
  });
}

/** Those whose names begin with one of the prefixes. */
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
