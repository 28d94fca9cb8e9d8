import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** Which of the ids are variants of the brand. */
export async function listKnownIds(db: Db, brandId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from variants where brand_id = ${brandId} and id = any (${ids}::bigint[]) order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Which of the brand's variants an action changes: to delete takes all, to publish those that are not published. */
export async function listChanging(
  db: Db,
  brandId: number,
  ids: readonly number[],
  published: boolean | undefined,
): Promise<number[]> {
  if (published === undefined) return [...ids];
  const { rows } = await sql<{ id: number }>`
    select id from variants
    where brand_id = ${brandId} and id = any (${ids}::bigint[]) and published is distinct from ${published} order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

export interface DeletionRecord {
  readonly id: number;
  readonly created_at: Date;
  readonly variants: number;
  readonly restored_at: Date | null;
  readonly user_email: string | null;
  readonly user_first_name: string | null;
  readonly user_last_name: string | null;
}

interface Lately {
  readonly days: number;
}

const isRecent = ({ days }: Lately) => sql<boolean>`d.created_at > now() - make_interval(days => ${days})`;

export async function listDeletionRecords(
  db: Db,
  brandId: number,
  { days, take }: Lately & { readonly take: number },
): Promise<{ count: number; records: DeletionRecord[] }> {
  const recent = db.selectFrom('deletions as d').where('d.brand_id', '=', brandId).where(isRecent({ days }));
  const { count } = await recent.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const records = await recent
    .leftJoin('users as u', 'u.id', 'd.user_id')
    .select(['d.id', 'd.created_at', 'd.variants', 'd.restored_at'])
    .select(['u.email as user_email', 'u.first_name as user_first_name', 'u.last_name as user_last_name'])
    .orderBy('d.id', 'desc')
    .limit(take)
    .execute();
  return { count, records };
}

export function findDeletion(db: Db, brandId: number, id: number, lately: Lately) {
  return db
    .selectFrom('deletions as d')
    .select(['d.variants', 'd.restored_at'])
    .where('d.brand_id', '=', brandId)
    .where('d.id', '=', id)
    .where(isRecent(lately))
    .executeTakeFirst();
}
