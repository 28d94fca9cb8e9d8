import type { PlatformBrand, PlatformBrandList } from '@brand-portal/contract/platform';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Condition, Rows } from '../../db/fragments.ts';

export interface BrandMatch {
  readonly id?: number | undefined;
  readonly words: readonly string[];
  readonly status?: PlatformBrand['status'] | undefined;
  readonly sharesName?: boolean | undefined;
}

function matching({ id, words, status, sharesName }: BrandMatch): Condition {
  const conditions: Condition[] = [sql`b.deleted_at is null`];
  if (id !== undefined) conditions.push(sql`b.id = ${id}`);
  if (status) conditions.push(sql`b.status = ${status}`);
  if (sharesName !== undefined) conditions.push(sql`named.shares_name = ${sharesName}`);
  for (const word of words) {
    conditions.push(sql`(
      strpos(search_key(b.name), search_key(${word})) > 0 or b.id::text = ${word} or exists (
        select from brand_members m join users u on u.id = m.user_id
        where m.brand_id = b.id and m.role = 'owner' and strpos(u.email_key, lower(${word} collate "C")) > 0
      )
    )`);
  }
  return sql.join(conditions, sql` and `);
}

/**
 * Lists all of them: there are hundreds or thousands. The owner shown is the oldest member among the owners; an invited one only if there
 * is no other.
 */
export async function listBrandRows(
  db: Db,
  match: BrandMatch,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<PlatformBrandList> {
  const named: Rows<{ id: number; shares_name: boolean }> = sql`
    select id, count(*) over (partition by search_key(name)) > 1 as shares_name from brands where deleted_at is null`;
  const counted = await sql<Pick<PlatformBrandList, 'count' | 'sharing_names'>>`
    with named as materialized (${named})
    select count(*) filter (where ${matching(match)}) as count,
      count(*) filter (where named.shares_name) as sharing_names
    from brands b join named using (id)
  `.execute(db);
  const { rows } = await sql<PlatformBrand>`
    with named as materialized (${named})
    select b.id, b.name, b.status, b.opted_in_for_trial, named.shares_name,
      to_char(b.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
      (select count(*) from brand_members m where m.brand_id = b.id and m.status = 'active') as member_count,
      (select json_build_object('email', u.email, 'name', trim(u.first_name || ' ' || u.last_name), 'is_invited', m.status = 'invited')
       from brand_members m join users u on u.id = m.user_id
       where m.brand_id = b.id and m.role = 'owner'
       order by (m.status = 'active') desc, m.created_at, m.user_id limit 1) as owner
    from brands b join named using (id) where ${matching(match)}
    order by search_key(b.name) collate "C", b.id limit ${take} offset ${skip}
  `.execute(db);
  return { results: rows, count: 0, sharing_names: 0, ...counted.rows[0] };
}

export async function listBrandNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from brands where id = any (${ids}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
