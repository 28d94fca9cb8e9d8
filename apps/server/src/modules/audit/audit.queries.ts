import type { Db } from '../../db/database.ts';

export interface AuditEntry {
  readonly brandId: number | null;
  /** Nobody where the operator's command line or a job did it. */
  readonly userId: number | null;
  readonly action: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Written in the transaction of the change it tells of. */
export async function insertAuditEntry(db: Db, { brandId, userId, action, details = {} }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ brand_id: brandId, user_id: userId, action, details: JSON.stringify(details) })
    .execute();
}
