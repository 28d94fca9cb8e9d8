import { sql } from 'kysely';
import type { Db } from './database.ts';
import { hasCitus } from './distribute.ts';
import { isOutage } from './pg-errors.ts';

/** The brands by the node that has their rows: all of them together where there is one PostgreSQL. */
async function groupByNode(db: Db, brandIds: readonly number[]): Promise<readonly (readonly number[])[]> {
  if (!(await hasCitus(db))) return [brandIds];
  const { rows } = await sql<{ ids: number[] }>`
    select json_agg(b.id order by b.id) as ids from unnest(${brandIds}::bigint[]) b (id)
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('variants', b.id)
    group by p.groupid
  `.execute(db);
  return rows.map(({ ids }) => ids);
}

/**
 * Asks for all brands: by one statement where there is one PostgreSQL, by one per node on a cluster. The brands of a node that does not
 * answer are left out, so that it does not fail what all brands are shown on.
 */
export async function askNodes<Answer>(
  db: Db,
  brandIds: readonly number[],
  ask: (brandIds: readonly number[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const groups = brandIds.length === 0 ? [] : await groupByNode(db, brandIds);
  for (const group of groups) {
    try {
      answers.push(await ask(group));
    } catch (error) {
      if (groups.length === 1 || !isOutage(error)) throw error;
    }
  }
  return answers;
}
