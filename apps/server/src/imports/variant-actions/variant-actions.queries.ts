import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** The ids that are variants of the brand. */
export async function listKnownIds(db: Db, brandId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from variants where brand_id = ${brandId} and id = any (${ids}::bigint[]) order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The variants that an action changes: deleting changes all, publishing only unpublished ones. */
export async function listChanging(db: Db, brandId: number, ids: readonly number[], published: boolean | undefined): Promise<number[]> {
  if (published === undefined) return [...ids];
  const { rows } = await sql<{ id: number }>`
    select id from variants
    where brand_id = ${brandId} and id = any (${ids}::bigint[]) and published is distinct from ${published} order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

const FIRST_VARIANTS = 3;

/** Examples for the history, which names them also when they are gone. */
export async function listFirstNames(db: Db, brandId: number, ids: readonly number[]): Promise<string[]> {
  const first = ids.slice(0, FIRST_VARIANTS);
  const { rows } = await sql<{ name: string }>`
    select name from variants where brand_id = ${brandId} and id = any (${first}::bigint[]) order by id
  `.execute(db);
  return rows.map(({ name }) => name);
}

export interface DeletionRecord {
  readonly id: number;
  readonly created_at: Date;
  readonly variants: number;
  readonly first_variants: { readonly gtin: string; readonly name: string }[];
  readonly restored_at: Date | null;
  readonly user_id: number | null;
}

interface DaysBack {
  readonly days: number;
}

const isRecent = ({ days }: DaysBack) => sql<boolean>`d.created_at > now() - make_interval(days => ${days})`;

/** Examples of the deletion `d`, in index order: sorting would read all of its variants, up to a million. */
const firstVariants = (brandId: number) => sql<DeletionRecord['first_variants']>`(
  select coalesce(json_agg(json_build_object('gtin', v.gtin, 'name', v.name) order by v.id), '[]') from (
    select id, gtin, name from deleted_variants
    where brand_id = ${brandId} and deletion_id = d.id limit ${sql.lit(FIRST_VARIANTS)}
  ) v)`;

export async function listDeletionRecords(
  db: Db,
  brandId: number,
  { days, take }: DaysBack & { readonly take: number },
): Promise<{ count: number; records: DeletionRecord[] }> {
  const recent = db.selectFrom('deletions as d').where('d.brand_id', '=', brandId).where(isRecent({ days }));
  const { count } = await recent.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const records = await recent
    .select(['d.id', 'd.created_at', 'd.variants', 'd.restored_at', 'd.user_id'])
    .select(firstVariants(brandId).as('first_variants'))
    .orderBy('d.id', 'desc')
    .limit(take)
    .execute();
  return { count, records };
}

export function findDeletion(db: Db, brandId: number, id: number, within: DaysBack) {
  return db
    .selectFrom('deletions as d')
    .select(['d.variants', 'd.restored_at'])
    .where('d.brand_id', '=', brandId)
    .where('d.id', '=', id)
    .where(isRecent(within))
    .executeTakeFirst();
}
