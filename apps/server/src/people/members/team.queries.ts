import { ROLES } from '@brand-portal/contract/roles';
import { TEAM_STATES, type TeamColumn, type TeamMember, type TeamPage, type TeamQuery } from '@brand-portal/contract/team';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Condition, Order, Rows, Value } from '../../db/fragments.ts';
import { searchWords } from '../../lib/search-words.ts';

interface TeamRow extends Omit<TeamMember, 'last_seen_at' | 'expires_at'> {
  readonly last_seen_at: Date | null;
  readonly expires_at: Date | null;
}

/** When the last of its links expires. Null while the mail is queued. */
const EXPIRES_AT: Value<Date | null> = sql`case when m.status = 'invited' then greatest(i.expires_at, i.link_expires_at) end`;

/** Invited people have the name from this brand's invitation, as in the list of members. */
const team = (brandId: number): Rows<TeamRow> => sql`
  select u.id, u.email, m.role, m.status, m.last_seen_at, ${EXPIRES_AT} as expires_at,
    case when m.status = 'active' then u.first_name else coalesce(i.first_name, '') end as first_name,
    case when m.status = 'active' then u.last_name else coalesce(i.last_name, '') end as last_name,
    case when m.status = 'active' then 'active' when i.user_id is null or ${EXPIRES_AT} <= now() then 'expired' else 'invited' end as state,
    m.role = 'owner' and not exists (
      select from brand_members o where o.brand_id = ${brandId} and o.role = 'owner' and o.user_id <> m.user_id
        and (m.status = 'invited' or o.status = 'active')) as is_last_owner
  from brand_members m
  join users u on u.id = m.user_id
  left join invitations i on i.brand_id = ${brandId} and i.user_id = m.user_id
  where m.brand_id = ${brandId}`;

const NAME: Value<string> = sql`search_key(concat_ws(' ', nullif(t.first_name, ''), nullif(t.last_name, ''), t.email)) collate "C"`;
/** From owner to viewer. */
const ROLE: Value<number> = sql`array_position(${[...ROLES].reverse()}::text[], t.role)`;
const STATE: Value<number> = sql`array_position(${[...TEAM_STATES]}::text[], t.state)`;
const COLUMNS: Readonly<Record<TeamColumn, Value<string | number | Date | null>>> = {
  name: NAME,
  role: ROLE,
  state: STATE,
  last_seen: sql`t.last_seen_at`,
};

/** Reads the whole team: a brand has hundreds of members, not thousands. */
export async function listTeam(db: Db, brandId: number, query: TeamQuery): Promise<TeamPage> {
  const { page, page_size, search = '', role, state, ordering } = query;
  const conditions: Condition[] = [sql`true`];
  if (role) conditions.push(sql`t.role = ${role}`);
  if (state) conditions.push(sql`t.state = ${state}`);
  for (const word of searchWords(search)) conditions.push(sql`strpos(${NAME}, search_key(${word})) > 0`);
  const isFound: Condition = sql.join(conditions, sql` and `);
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (${team(brandId)}) t where ${isFound}
  `.execute(db);
  const { rows } = await sql<TeamRow>`
    select t.* from (${team(brandId)}) t where ${isFound}
    order by ${toOrder(ordering)}, ${NAME}, t.id limit ${page_size} offset ${(page - 1) * page_size}
  `.execute(db);
  return { results: rows.map(toTeamMember), count: counted[0]?.count ?? 0 };
}

function toOrder(ordering: TeamQuery['ordering']): Order {
  if (!ordering) return sql`t.status = 'invited', ${ROLE}`;
  const column = COLUMNS[ordering.replace('-', '') as TeamColumn];
  // People who were never seen come last in both directions.
  return ordering.startsWith('-') ? sql`${column} desc nulls last` : sql`${column} nulls last`;
}

function toTeamMember({ last_seen_at, expires_at, ...member }: TeamRow): TeamMember {
  return {
    ...member,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  };
}
