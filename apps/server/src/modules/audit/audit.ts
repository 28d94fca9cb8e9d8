import type { Db } from '../../db/database.ts';
import { type AuditEntry, countOfLastHour, insertAuditEntry } from './audit.queries.ts';

/** Keeps who changed what; call it inside the transaction of the change. */
export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return insertAuditEntry(db, entry);
}

/** What was done lately is a limit for what may be done now. */
export function countRecentActions(
  db: Db,
  which: { brandId: number; memberId: number; actions: readonly string[] },
): Promise<{ in_brand: number; to_member: number }> {
  return countOfLastHour(db, which);
}
