import { setTimeout as sleep } from 'node:timers/promises';
import { HTTP_TIMEOUT_MS } from '@brand-portal/contract/constants';
import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { StartupError } from '../lib/errors.ts';
import { createNotices, type Notices } from './notices.ts';
import { markLostConnection } from './pg-errors.ts';
import { cancelWithRead } from './reads.ts';
import type { Schema } from './schema.ts';

/** A pool or, inside `inTransaction`, the one connection of that transaction. */
export type Db = Kysely<Schema>;

const INT8 = 20;
const OLDEST_SUPPORTED = 15;

export interface Database {
  readonly db: Db;
  /** A separate pool for lists, which are prepared statements that each connection plans once (see PLAN_ONCE). */
  readonly lists: Db;
  /** Connections that only session checks and health use: they answer, however busy the others are. */
  readonly gate: Db;
  /** Jobs, imports and deliveries, of which very many may be due. Members' calls don't wait for their connections. */
  readonly jobs: { readonly db: Db; readonly pool: pg.Pool };
  readonly pool: pg.Pool;
  /** What other servers have changed. */
  readonly notices: Notices;
  close(): Promise<void>;
}

/** Three servers fit into PostgreSQL's default of 100 connections. */
export const CONNECTIONS = 9;
const LIST_CONNECTIONS = 6;
export const GATE_CONNECTIONS = 3;
const JOB_CONNECTIONS = 13;

/**
 * One generic plan for brands of every size. Otherwise PostgreSQL would plan a statement again for each small brand, which takes longer
 * than running it. And always by index, whatever share of a table it estimates for a brand.
 */
export const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off';

/**
 * Ids of variants are compared by a hash of at most twice this, enough for two million. Larger ones PostgreSQL compares row by row, which
 * takes minutes.
 */
const LIST_MEMORY = `set work_mem = '32MB'`;

/** The browser gives up then, so a list that takes longer would only keep its connection from others. */
const CALL_TIMEOUT = `set statement_timeout = ${HTTP_TIMEOUT_MS}`;

/** The coordinator of a cluster needs the brand to find the node, so it cannot use a generic plan. It forwards statements anyway. */
const CLUSTER_PLAN_MODE = `select set_config('plan_cache_mode', 'auto', false) from pg_extension where extname = 'citus'`;

/** `onStatement` is called before each statement, for tests. */
export function openDatabase(url: string, onIdleError: (error: Error) => void, onStatement?: (text: string) => void): Database {
  const pool = openPool(url, CONNECTIONS, onIdleError);
  const listPool = openPool(url, LIST_CONNECTIONS, onIdleError);
  const gatePool = openPool(url, GATE_CONNECTIONS, onIdleError);
  const jobPool = openPool(url, JOB_CONNECTIONS, onIdleError);
  for (const readable of [pool, listPool]) readable.on('connect', (client) => cancelWithRead(client, gatePool));
  const watch = onStatement ? watchStatements(onStatement) : undefined;
  const openDb = (pool: pg.Pool) =>
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool, ...(watch && { onCreateConnection: watch }) }) });
  const db = openDb(pool);
  const onCreateConnection = async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(`${PLAN_ONCE}; ${LIST_MEMORY}; ${CALL_TIMEOUT}; ${CLUSTER_PLAN_MODE}`));
    await watch?.(connection);
  };
  const lists = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: listPool, onCreateConnection }) });
  const gate = openDb(gatePool);
  const jobs = { db: openDb(jobPool), pool: jobPool };
  const notices = createNotices(() => new pg.Client({ connectionString: url, ...CONNECTION }));
  const close = async () => {
    await notices.close();
    await Promise.all([db.destroy(), lists.destroy(), gate.destroy(), jobs.db.destroy()]);
    // Kysely ends only a pool that it has used. Cancellations and the job worker use these directly.
    for (const pool of [gatePool, jobPool]) if (!pool.ending) await pool.end();
  };
  return { db, lists, gate, jobs, pool, notices, close };
}

const CONNECTION = {
  connectionTimeoutMillis: 5_000,
  // If the machine of the database vanishes during a query, no answer and no error come, and the connection would be in use forever.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'brand-portal',
};

function openPool(connectionString: string, max: number, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new WatchedPool({
    connectionString,
    max,
    ...CONNECTION,
    // Ids are bigint but stay far below 2^53, so they are plain numbers in code and in the API.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // The pool replaces a connection that breaks while idle. Without this listener the error would end the process.
  pool.on('error', onIdleError);
  // The same for a checked-out connection: its query fails with the same error.
  pool.on('connect', (client) => client.on('error', markLostConnection));
  return pool;
}

function watchStatements(onStatement: (text: string) => void) {
  return async (connection: DatabaseConnection): Promise<void> => {
    const { executeQuery } = connection;
    connection.executeQuery = (query) => {
      // A prepared statement or a COPY is an object with the text.
      const { sql } = query as { sql: string | { text: string } };
      onStatement(typeof sql === 'string' ? sql : sql.text);
      return executeQuery.call(connection, query) as never;
    };
  };
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Marks network errors of the database, because ECONNREFUSED looks the same for every host. */
class WatchedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return super.connect().catch((error: unknown) => {
        markLostConnection(error);
        throw error;
      });
    }
    super.connect((error, client, done) => {
      markLostConnection(error);
      callback(error, client, done);
    });
    return undefined;
  }
}

/**
 * The inner handle shadows the outer one on purpose, so that nothing inside can bypass the transaction. Inside another transaction the work
 * joins that one, so functions that need a transaction can be combined.
 */
export function inTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

const CANCEL_RETRY_MS = 20;

/** Rejects as soon as the signal is aborted: the running statement is cancelled and everything is rolled back. */
export function inAbortableTransaction<T>(db: Db, signal: AbortSignal, work: (db: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    let isOver = false;
    let cancelling: Promise<void> | undefined;
    const cancel = async () => {
      // Repeated, because a cancellation that arrives between two statements has no effect.
      while (!isOver) {
        await sql`select pg_cancel_backend(${rows[0]?.pid}::int)`.execute(db).catch(() => undefined);
        await sleep(CANCEL_RETRY_MS);
      }
    };
    const onAbort = () => {
      cancelling = cancel();
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort);
    try {
      return await work(transaction);
    } finally {
      isOver = true;
      signal.removeEventListener('abort', onAbort);
      // Must finish before the connection is used for anything else.
      await cancelling;
      signal.throwIfAborted();
    }
  });
}

/** Several reads of one snapshot. */
export function inSnapshot<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/** Throws one sentence if the database cannot be used. It does not contain the password of the URL. */
export async function checkDatabase(db: Db): Promise<void> {
  const version = await readVersion(db).catch((error: unknown) => {
    throw new StartupError(`The database that DATABASE_URL names cannot be reached: ${reasonOf(error)}.`);
  });
  if (version < OLDEST_SUPPORTED) {
    throw new StartupError(`PostgreSQL ${OLDEST_SUPPORTED} or newer is needed, but DATABASE_URL names a server of version ${version}.`);
  }
}

async function readVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`select current_setting('server_version_num')::int as number`.execute(db);
  return Math.floor((rows[0]?.number ?? 0) / 10_000);
}

function reasonOf(error: unknown): string {
  // A name that resolves to several addresses fails with one error per address.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).replace(/\.$/, '');
}
