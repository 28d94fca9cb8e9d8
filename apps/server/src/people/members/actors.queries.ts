import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Value } from '../../db/fragments.ts';

export interface Person {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  /** First and last name, or the e-mail. */
  readonly name: string;
  /** Active or invited. */
  readonly is_member: boolean;
  /** Platform staff who are not members of the brand. */
  readonly is_staff: boolean;
}

/** A separate statement, because users are not distributed like a brand's rows. Sorted by name. */
export async function listPeopleById(db: Db, brandId: number, ids: readonly number[]): Promise<Person[]> {
  if (ids.length === 0) return [];
  const name: Value<string> = sql`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`;
  const { rows } = await sql<Person>`
    select u.id, u.first_name, u.last_name, u.email, ${name} as name, m.user_id is not null as is_member,
      u.is_staff and m.user_id is null as is_staff
    from users u left join brand_members m on m.brand_id = ${brandId} and m.user_id = u.id
    where u.id = any (${ids}::bigint[])
    order by search_key(${name}) collate "C", u.id
  `.execute(db);
  return rows;
}
