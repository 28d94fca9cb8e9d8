import type { Db } from '@brand-portal/server/db/database.ts';
import { sql } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import { tables } from '../db/tables.ts';

interface StoredRecord {
  readonly payload: AdapterPayload;
  readonly consumed: boolean;
}

/** The session that a record is or belongs to. Other records that have a `uid` are of no account. */
const SESSION = sql`coalesce(uid, payload ->> 'sessionUid')`;

export async function upsertRecord(
  db: Db,
  record: { model: string; id: string; payload: AdapterPayload; expiresIn: number | undefined },
): Promise<void> {
  const payload = JSON.stringify(record.payload);
  const expires_at = record.expiresIn === undefined ? null : sql<Date>`now() + make_interval(secs => ${record.expiresIn})`;
  await tables(db)
    .insertInto('idp_records')
    .values({ model: record.model, id: record.id, payload, expires_at })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet({ payload, expires_at }))
    .execute();
}

export function findRecord(db: Db, model: string, by: 'id' | 'uid', value: string): Promise<StoredRecord | undefined> {
  return tables(db)
    .selectFrom('idp_records')
    .select(['payload', sql<boolean>`coalesce(consumed_at <= clock_timestamp(), false)`.as('consumed')])
    .where('model', '=', model)
    .where(by, '=', value)
    .executeTakeFirst();
}

/**
 * Consumes a record, which counts as consumed after the leeway. False if it is consumed already. The row lock lets exactly one of several
 * concurrent callers succeed: not `now()`, because a caller that waited for the lock may have started first.
 */
export async function consumeRecord(db: Db, model: string, id: string, leewaySeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('idp_records')
    .set((eb) => ({
      consumed_at: eb.fn.coalesce('consumed_at', sql<Date>`clock_timestamp() + make_interval(secs => ${leewaySeconds})`),
    }))
    .where('model', '=', model)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('consumed_at', 'is', null), eb('consumed_at', '>', sql<Date>`clock_timestamp()`)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteRecords(db: Db, model: string, by: 'id' | 'grant_id', value: string): Promise<void> {
  await tables(db).deleteFrom('idp_records').where('model', '=', model).where(by, '=', value).execute();
}

/**
 * Signs an account out everywhere, or everywhere except one session. Deletes its sessions, grants, codes and tokens, and sign-ins that have
 * passed the password but are not finished. A grant without tokens opens nothing, so with a session to keep, all grants are kept.
 */
export async function deleteRecordsOfAccount(db: Db, subject: string, kept?: string): Promise<void> {
  await tables(db)
    .deleteFrom('idp_records')
    .where('model', '=', 'Interaction')
    .where(sql`payload #>> '{result,login,accountId}'`, '=', subject)
    .execute();
  await tables(db)
    .deleteFrom('idp_records')
    .where('account_id', '=', subject)
    .$if(kept !== undefined, (query) => query.where('model', '<>', 'Grant').where(SESSION, 'is distinct from', kept ?? null))
    .execute();
}

/** Deletes one session of an account, with its codes and tokens. */
export async function deleteRecordsOfSession(db: Db, subject: string, session: string): Promise<void> {
  await tables(db).deleteFrom('idp_records').where('account_id', '=', subject).where(SESSION, '=', session).execute();
}

export async function deleteExpiredRecords(db: Db): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('idp_records')
    .where('expires_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
