import type { HistoryEntry } from '@brand-portal/contract/history';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Condition, Order, Value } from '../../db/fragments.ts';

/** Unvalidated JSON of the log. The texts leave out missing and malformed values. */
export type Details = Readonly<Record<string, unknown>>;

export interface HistoryMatch {
  /** Null: done by a job or the operator. Undefined: any user. */
  readonly userId?: number | null | undefined;
  readonly action?: string | undefined;
  /** The actions that the reader may see. Undefined: all. */
  readonly visible?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** A cursor of the list: the time to the microsecond, and the id. */
export interface Place {
  readonly time: string;
  readonly id: number;
}

export interface StoredEntry extends Place {
  readonly at: Date;
  readonly action: string;
  readonly details: Details;
  readonly user_id: number | null;
  readonly variant_name: string | null;
  readonly certificate: string | null;
  readonly file_name: string | null;
  /** Null: no deletion, or it can no longer be restored. */
  readonly deletion: HistoryEntry['deletion'];
}

const TIME: Value<string> = sql`to_char(a.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

function matching(brandId: number, { userId, action, visible, from, to }: HistoryMatch): Condition {
  const conditions: Condition[] = [sql`a.brand_id = ${brandId}`];
  if (userId !== undefined) conditions.push(userId === null ? sql`a.user_id is null` : sql`a.user_id = ${userId}`);
  if (action !== undefined) conditions.push(sql`a.action = ${action}`);
  if (visible) conditions.push(sql`a.action = any (${visible}::text[])`);
  if (from !== undefined) conditions.push(sql`a.created_at >= ${from}::timestamptz`);
  if (to !== undefined) conditions.push(sql`a.created_at < ${to}::timestamptz`);
  return sql.join(conditions, sql` and `);
}

export interface Window {
  readonly before?: Place | undefined;
  readonly after?: Place | undefined;
  readonly limit: number;
}

/**
 * Newest first; with `after`, oldest first. The cursors are found by an index-only scan, whatever the filter; then their rows are read.
 * With `user_id is null` the `order by` must name the column: PostgreSQL does not infer that it is constant.
 */
export async function listEntries(db: Db, brandId: number, match: HistoryMatch, { before, after, limit }: Window): Promise<StoredEntry[]> {
  const direction = after ? sql`asc` : sql`desc`;
  const place = after ?? before;
  const isBeyond: Condition = place
    ? sql`(a.created_at, a.id) ${after ? sql`>` : sql`<`} (${place.time}::timestamptz, ${place.id}::bigint)`
    : sql`true`;
  const byTime: Order = sql`a.created_at ${direction}, a.id ${direction}`;
  const order: Order = match.userId === null ? sql`a.user_id ${direction}, ${byTime}` : byTime;
  const idIn = (name: string): Value<number> => sql`(a.details->>${sql.lit(name)})::bigint`;
  const { rows } = await sql<StoredEntry>`
    with page as materialized (
      select a.id from audit_log a where ${matching(brandId, match)} and ${isBeyond}
      order by ${order} limit ${limit}
    )
    select a.id, ${TIME} as time, a.created_at as at, a.action, a.details, a.user_id,
      (select v.name from variants v where v.brand_id = ${brandId} and v.id = ${idIn('variant_id')}) as variant_name,
      (select c.external_certificate_id || ' (' || n.name || ')' from certificates c
       join certifications n on n.id = c.certification_id
       where c.brand_id = ${brandId} and c.id = ${idIn('certificate_id')}) as certificate,
      (select i.file_name from imports i where i.brand_id = ${brandId} and i.id = ${idIn('import_id')}) as file_name,
      (select jsonb_build_object('id', d.id, 'restorable', d.restored_at is null, 'variants', d.variants,
         'restored', d.restored) from deletions d
       where d.brand_id = ${brandId} and d.id = ${idIn('deletion_id')} and a.action = 'variants.deleted') as deletion
    from audit_log a
    where a.brand_id = ${brandId} and a.id = any (array(select id from page))
    order by ${byTime}
  `.execute(db);
  return rows;
}

/** Undefined if the brand has no such entry, or it was deleted. */
export async function findPlace(db: Db, brandId: number, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select a.id, ${TIME} as time from audit_log a where a.brand_id = ${brandId} and a.id = ${id}
  `.execute(db);
  return rows[0];
}

const MAX_CHOICES = 1_000;

/** Distinct values by a loose index scan: it jumps from one value to the next, instead of reading a million entries. */
export async function listActorIds(db: Db, brandId: number, { visible }: HistoryMatch): Promise<number[]> {
  const isVisible: Condition = visible
    ? sql`exists (
        select from audit_log a where a.brand_id = ${brandId} and a.user_id = actor.id and a.action = any (${visible}::text[]))`
    : sql`true`;
  const { rows } = await sql<{ id: number }>`
    with recursive actor (id) as (
      (select user_id from audit_log where brand_id = ${brandId} and user_id is not null order by user_id limit 1)
      union all
      select (select a.user_id from audit_log a where a.brand_id = ${brandId} and a.user_id > actor.id order by a.user_id limit 1)
      from actor where actor.id is not null
    )
    select id from actor where id is not null and ${isVisible} limit ${MAX_CHOICES}
  `.execute(db);
  return rows.map(({ id }) => id);
}

export async function listOccurringActions(db: Db, brandId: number): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive occurring (action) as (
      (select action from audit_log where brand_id = ${brandId} order by action limit 1)
      union all
      select (select a.action from audit_log a where a.brand_id = ${brandId} and a.action > o.action order by a.action limit 1)
      from occurring o where o.action is not null
    )
    select action from occurring where action is not null limit ${MAX_CHOICES}
  `.execute(db);
  return rows.map(({ action }) => action);
}

/** Deletes up to `limit` old entries, oldest first, with their variants and certificates. Returns how many. */
export async function deleteOldEntries(db: Db, brandId: number, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from audit_log
    where brand_id = ${brandId} and created_at < now() - make_interval(days => ${days})
    order by created_at, id limit ${limit}
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await sql`delete from audit_variants where brand_id = ${brandId} and audit_id = any (${ids}::bigint[])`.execute(db);
  await sql`delete from audit_certificates where brand_id = ${brandId} and audit_id = any (${ids}::bigint[])`.execute(db);
  await sql`delete from audit_log where brand_id = ${brandId} and id = any (${ids}::bigint[])`.execute(db);
  return ids.length;
}

/** Whether there may ever be something to delete. False once both the brand and its history are gone. */
export async function hasHistory(db: Db, brandId: number): Promise<boolean> {
  const brand = await sql`select 1 from brands where id = ${brandId}`.execute(db);
  if (brand.rows.length > 0) return true;
  const { rows } = await sql`select 1 from audit_log where brand_id = ${brandId} limit 1`.execute(db);
  return rows.length > 0;
}
