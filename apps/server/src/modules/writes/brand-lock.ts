import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';
import { brandNotFound } from '../../errors.ts';

/**
 * Every writer of a brand's variants, certificates, links or deliveries takes this lock first, in the same transaction (except
 * `claimDeliveries`). Writers of one brand are serialised: no deadlocks, exact counts, and no writes into a brand that is being deleted.
 * Readers never wait for it. It ends with the transaction.
 */
export async function lockBrand(db: Db, brandId: number, timeout?: LockTimeout): Promise<void> {
  if (!(await lockBrandIfExists(db, brandId, timeout)) || (await isBrandDeleted(db, brandId))) throw brandNotFound();
}

/** A soft-deleted brand still exists until it can no longer be restored: jobs continue, members and imports do not. */
export async function isBrandDeleted(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from brands where id = ${brandId} and deleted_at is not null`.execute(db);
  return rows.length > 0;
}

interface LockTimeout {
  /** After this it fails with `database_unavailable`, and the caller may retry. Undefined: no timeout. */
  readonly timeoutMs?: number;
}

/** The merge of 100,000 imported rows finishes within this. The request itself times out after 10 s. */
export const MEMBER_LOCK_TIMEOUT: LockTimeout = { timeoutMs: 5_000 };

/** For jobs: false if the brand no longer exists. */
export async function lockBrandIfExists(db: Db, brandId: number, timeout: LockTimeout = {}): Promise<boolean> {
  await setLockTimeout(db, timeout);
  const { rows } = await sql`select 1 from brands where id = ${brandId} for no key update`.execute(db);
  return rows.length > 0;
}

async function setLockTimeout(db: Db, { timeoutMs }: LockTimeout): Promise<void> {
  if (timeoutMs !== undefined) await setForTransaction(db, { lock_timeout: `${timeoutMs}ms` });
}

/**
 * Prevents deletion of the brand until the transaction ends, without waiting for writers. For writes about a brand that do not touch its
 * variants, such as accepting an import.
 */
export async function lockBrandShared(db: Db, brandId: number): Promise<void> {
  const { rows } = await sql`
    select 1 from brands where id = ${brandId} and deleted_at is null for key share
  `.execute(db);
  if (rows.length === 0) throw brandNotFound();
}

/** Waits for writers and for holders of the brand, so that what they have written is visible and deleted too. */
export async function lockBrandForDeletion(db: Db, brandId: number, timeout: LockTimeout = {}): Promise<void> {
  await setLockTimeout(db, timeout);
  const { rows } = await sql`select 1 from brands where id = ${brandId} for update`.execute(db);
  if (rows.length === 0) throw brandNotFound();
}
