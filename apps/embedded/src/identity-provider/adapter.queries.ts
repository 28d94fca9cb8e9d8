import type { Db } from '@brand-portal/server/db/database.ts';
import { sql } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import { tables } from '../db/tables.ts';

interface StoredRecord {
  readonly payload: AdapterPayload;
  readonly consumed: boolean;
}

const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

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

/** A record counts as consumed only if that was more than `leewaySeconds` ago, by the database's clock. */
export function findRecord(db: Db, model: string, id: string, leewaySeconds: number): Promise<StoredRecord | undefined> {
  return selectRecord(db, model, leewaySeconds).where('id', '=', id).executeTakeFirst();
}

export function findRecordByUid(db: Db, model: string, uid: string): Promise<StoredRecord | undefined> {
  return selectRecord(db, model, 0).where('uid', '=', uid).executeTakeFirst();
}

function selectRecord(db: Db, model: string, leewaySeconds: number) {
  return tables(db)
    .selectFrom('idp_records')
    .select((eb) => ['payload', sql<boolean>`coalesce(${eb('consumed_at', '<=', secondsAgo(leewaySeconds))}, false)`.as('consumed')])
    .where('model', '=', model);
}

/**
 * Consumes a record. False if another caller has already. The row lock lets exactly one of several concurrent callers succeed. Without a
 * leeway, times are not compared at all: a caller that waited for the lock may have started first.
 */
export async function consumeRecord(db: Db, model: string, id: string, leewaySeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('idp_records')
    .set((eb) => ({ consumed_at: eb.fn.coalesce('consumed_at', sql<Date>`now()`) }))
    .where('model', '=', model)
    .where('id', '=', id)
    .where((eb) => {
      const unused = eb('consumed_at', 'is', null);
      return leewaySeconds > 0 ? eb.or([unused, eb('consumed_at', '>', secondsAgo(leewaySeconds))]) : unused;
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteRecord(db: Db, model: string, id: string): Promise<void> {
  await tables(db).deleteFrom('idp_records').where('model', '=', model).where('id', '=', id).execute();
}

export async function deleteRecordsOfGrant(db: Db, model: string, grantId: string): Promise<void> {
  await tables(db).deleteFrom('idp_records').where('model', '=', model).where('grant_id', '=', grantId).execute();
}

/**
 * Signs an account out everywhere, or everywhere except one session. Deletes its sessions, grants, codes and tokens, and sign-ins that have
 * passed the password but are not finished.
 */
export async function deleteRecordsOfAccount(
  db: Db,
  subject: string,
  keep?: { session: string; grantIds: readonly string[] },
): Promise<void> {
  await tables(db)
    .deleteFrom('idp_records')
    .where('model', '=', 'Interaction')
    .where(sql`payload #>> '{result,login,accountId}'`, '=', subject)
    .execute();
  await tables(db)
    .deleteFrom('idp_records')
    .where('account_id', '=', subject)
    .$if(keep !== undefined, (query) =>
      query
        .where('uid', 'is distinct from', keep?.session ?? null)
        .where(sql`payload ->> 'sessionUid'`, 'is distinct from', keep?.session ?? null)
        .where((eb) => eb.not(eb.and([eb('model', '=', 'Grant'), eb('id', '=', eb.fn.any(eb.val(keep?.grantIds)))]))),
    )
    .execute();
}

/** Deletes one session of an account, with its codes and tokens. */
export async function deleteRecordsOfSession(db: Db, subject: string, session: string): Promise<void> {
  await tables(db)
    .deleteFrom('idp_records')
    .where('account_id', '=', subject)
    .where((eb) => eb.or([eb('uid', '=', session), eb(sql`payload ->> 'sessionUid'`, '=', session)]))
    .execute();
}

export async function deleteExpiredRecords(db: Db): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('idp_records')
    .where('expires_at', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
