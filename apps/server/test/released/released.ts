import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { distribute } from '../../src/db/distribute.ts';
import { databaseUrl, dropDatabases, joinNodes, runAsAdmin } from '../databases.ts';
import { checkStatement } from '../one-brand.ts';
import type { TestDatabase } from '../test-database.ts';

export const RELEASES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.sql.gz'))
  .map((name) => name.replace('.sql.gz', ''));

/** What the release answered, by path, and where to go on. */
export interface Released {
  readonly places: Readonly<Record<'brand' | 'open' | 'rejected' | 'corrected' | 'undoable' | 'checked', number>>;
  readonly answers: Readonly<Record<string, unknown>>;
}

export function readReleased(version: string): Released {
  return JSON.parse(readStored(`${version}.json.gz`));
}

function readStored(name: string): string {
  return gunzipSync(readFileSync(join(import.meta.dirname, name))).toString();
}

/** The times of the stored database are moved, as if it had been stored now. Days stay, and work that is due for them. */
const MOVE_TIMES = `do $$
declare
  age interval := now() - (select max(created_at) from audit_log);
  moved record;
begin
  for moved in
    select c.oid::regclass as "table", string_agg(format('%1$I = %1$I + %2$L', attname, age), ', ') as changes
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relname <> 'due_work' and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
      and a.atttypid = 'timestamptz'::regtype and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.oid
  loop
    execute format('update %s set %s', moved."table", moved.changes);
  end loop;
end $$`;

/** The database of a release. On a cluster, the release had distributed it. */
export async function useReleasedDatabase(version: string): Promise<TestDatabase> {
  const [coordinator = '', ...workers] = inject('postgresUrls');
  const name = `${inject('namePrefix')}released_${randomBytes(4).toString('hex')}`;
  if (workers.length > 0) await joinNodes(coordinator, workers, name);
  else await runAsAdmin(coordinator, `create database ${name}`);
  const url = `${databaseUrl(coordinator, name)}${workers.length > 0 ? '?options=-c%20citus.shard_count%3D4' : ''}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(readStored(`${version}.sql.gz`));
  await client.query('reset search_path');
  await client.query(MOVE_TIMES);
  await client.end();
  if (workers.length > 0) {
    const { db, close } = openDatabase(url, () => {});
    await distribute(db);
    await close();
  }
  const database = openDatabase(url, () => {}, checkStatement);
  const drop = async () => {
    await database.close();
    for (const node of [coordinator, ...workers]) await dropDatabases(node, [name]);
  };
  onTestFinished(drop);
  return { ...database, url, drop };
}
