import type { Db } from '../../db/database.ts';
import { type AuditEntry, insertAuditEntry } from './audit.queries.ts';

/** Keeps who changed what; call it inside the transaction of the change. */
export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return insertAuditEntry(db, entry);
}
