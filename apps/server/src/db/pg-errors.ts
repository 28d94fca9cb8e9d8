import type { ErrorCode } from '@brand-portal/contract/errors';
import pg from 'pg';

/** The error code for each constraint. */
const CONSTRAINTS: Readonly<Record<string, ErrorCode>> = {
  brand_members_pkey: 'already_member',
  brand_members_brand_id_fkey: 'brand_not_found',
};

/** Network errors of connections to the database, not of other hosts. */
const lostConnections = new WeakSet<object>();

export function markLostConnection(error: unknown): void {
  if (error instanceof Error && !(error instanceof pg.DatabaseError)) lostConnections.add(error);
}

const DISK_FULL = '53100';
/**
 * PostgreSQL's classes 08 (connection), 53 (resources), 57P (shutting down, starting up); and errors after which
 * a retry may succeed: 25006 (read-only, as a standby is during a failover), 40001 (serialization failure), 40P01 (deadlock), 55P03 (lock
 * timeout), 57014 (statement timeout, or cancelled).
 */
const OUTAGE = /^(08|53|57P|25006|40001|40P01|55P03|57014)/;

/** The error code of a database error; undefined if it is a bug. */
export function codeOfDatabaseError(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof pg.DatabaseError) {
    if (error.code === DISK_FULL) return 'storage_full';
    if (OUTAGE.test(error.code ?? '')) return 'database_unavailable';
    return CONSTRAINTS[error.constraint ?? ''];
  }
  // The driver creates these two for each query on a closed connection.
  const isLost = lostConnections.has(error) || /^(Connection terminated|Client .* not queryable)/.test(error.message);
  return isLost ? 'database_unavailable' : undefined;
}

/** Whether the database is unavailable, rather than the query wrong. It recovers, or the operator fixes it. */
export function isOutage(error: unknown): boolean {
  const code = codeOfDatabaseError(error);
  return code === 'database_unavailable' || code === 'storage_full';
}
