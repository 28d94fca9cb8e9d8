import type { KeyRole, KeyState } from '@brand-portal/contract/api-keys';
import type { BrandStatus } from '@brand-portal/contract/brand-status';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { runPrepared } from '../../db/statements.ts';

export interface FoundKey {
  readonly user_id: number;
  readonly brand_id: number;
  readonly brand_status: BrandStatus;
  readonly role: KeyRole;
  readonly state: KeyState;
  /** The brand was deleted, and can still be restored. */
  readonly has_deleted_brand: boolean;
  /** The last use was never recorded, or was recorded more than a minute ago. */
  readonly is_due: boolean;
}

const STATE = `case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end`;

/** Runs before every call with a key. A prepared statement, so each connection plans it once. */
const FIND_KEY = {
  name: 'api key',
  text: `
    select k.user_id, k.brand_id, b.status as brand_status, k.role, ${STATE} as state, b.deleted_at is not null as has_deleted_brand,
      (k.last_used_at is null or k.last_used_at < now() - interval '1 minute') as is_due
    from api_keys k join brands b on b.id = k.brand_id where k.token_hash = $1`,
};

export async function findKey(db: Db, tokenHash: Buffer): Promise<FoundKey | undefined> {
  const [key] = await runPrepared<FoundKey>(db, FIND_KEY, [tokenHash]);
  return key;
}

export async function updateLastUse(db: Db, userId: number): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: sql<Date>`now()` }).where('user_id', '=', userId).execute();
}

export interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly role: KeyRole;
  readonly state: KeyState;
  readonly created_by: string;
  readonly creator_id: number | null;
  readonly maker_left: boolean;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** Larger than the limit of live keys, so that the newest revoked and expired keys are listed too. */
const MAX_LISTED = 200;

/** Live keys first, then by age, newest first. `created_by` is empty once that account is deleted. */
export async function listKeys(db: Db, brandId: number, keyId: number | null = null): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select k.user_id as id, u.first_name as name, u.email as prefix, k.role, ${sql.raw(STATE)} as state,
      coalesce(nullif(trim(maker.first_name || ' ' || maker.last_name), ''), maker.email, '') as created_by, k.created_by as creator_id,
      m.user_id is null as maker_left, k.created_at, k.expires_at, k.last_used_at, k.revoked_at
    from api_keys k join users u on u.id = k.user_id left join users maker on maker.id = k.created_by and maker.email like '%@%'
      left join brand_members m on m.brand_id = k.brand_id and m.user_id = k.created_by and m.status = 'active'
    where k.brand_id = ${brandId} and (${keyId}::bigint is null or k.user_id = ${keyId})
    order by ${sql.raw(STATE)} = 'active' desc, k.user_id desc limit ${MAX_LISTED}
  `.execute(db);
  return rows;
}

interface InsertedKey {
  readonly userId: number;
  readonly brandId: number;
  readonly role: KeyRole;
  readonly tokenHash: Buffer;
  readonly createdBy: number;
  /** Null: the key does not expire. */
  readonly days: number | null;
}

export async function insertKey(db: Db, { userId, brandId, role, tokenHash, createdBy, days }: InsertedKey): Promise<void> {
  await sql`
    insert into api_keys (user_id, brand_id, role, token_hash, created_by, expires_at)
    values (${userId}, ${brandId}, ${role}, ${tokenHash}, ${createdBy}, now() + make_interval(days => ${days}))
  `.execute(db);
}

/** Returns whether this call revoked the key. */
export async function updateRevoked(db: Db, brandId: number, keyId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('brand_id', '=', brandId)
    .where('user_id', '=', keyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
