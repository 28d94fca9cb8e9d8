import type { Db } from '../db/database.ts';
import {
  type AuditEntry,
  countInLastHour,
  deleteEntriesOf,
  deleteOldEntries,
  insertAuditEntry,
  updateAddressesOf,
} from './audit.queries.ts';

/** Records who changed what. Call it inside the transaction of the change. */
export function audit(db: Db, entry: AuditEntry): Promise<void> {
  return insertAuditEntry(db, entry);
}

/** Sign-ins are frequent, so they are purged. Other actions are not. */
const SIGN_INS = ['user.signed_in', 'user.sign_in_refused'];
const SIGN_INS_RETENTION_DAYS = 365;

/** Returns how many were deleted. */
export function purgeSignIns(db: Db): Promise<number> {
  return deleteOldEntries(db, SIGN_INS, SIGN_INS_RETENTION_DAYS);
}

/** For rate limits: counts recent actions in the audit log. */
export function countRecentActions(
  db: Db,
  which: { brandId: number; memberId: number; actions: readonly string[] },
): Promise<{ in_brand: number; to_member: number }> {
  return countInLastHour(db, which);
}

/** For a deleted account: deletes their sign-ins, and their address from the entries of their brands. */
export async function erasePersonalData(db: Db, userId: number, brandIds: readonly number[]): Promise<void> {
  await deleteEntriesOf(db, userId, SIGN_INS);
  for (const brandId of brandIds) await updateAddressesOf(db, brandId, userId);
}
