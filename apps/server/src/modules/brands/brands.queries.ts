import type { Brand, BrandList, UpdateBrand } from '@brand-portal/contract/brands';
import type { Role } from '@brand-portal/contract/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';

interface BrandRow extends Omit<Brand, 'owner'> {
  owner_first_name: string | null;
  owner_last_name: string | null;
}

/** The fields of a brand on the wire; of several owners the oldest member, and one who is only invited where there is no other. */
const brandColumns: RawBuilder<unknown> = sql`
  b.id, b.name, b.logo, b.website, b.status, b.opted_in_for_trial, b.description,
  (select count(*) from brand_members m where m.brand_id = b.id and m.status = 'active') as member_count,
  owner.first_name as owner_first_name, owner.last_name as owner_last_name`;
const ownerJoin: RawBuilder<unknown> = sql`
  left join lateral (
    select u.first_name, u.last_name
    from brand_members m join users u on u.id = m.user_id
    where m.brand_id = b.id and m.role = 'owner'
    order by (m.status = 'active') desc, m.created_at, m.user_id limit 1
  ) owner on true`;

/** One query, whatever the number of brands: it starts at the user's own memberships and touches nobody else's. */
export async function listBrandsOf(db: Db, userId: number): Promise<BrandList> {
  const { rows } = await sql<BrandRow & { people: number }>`
    with mine as materialized (
      select brand_id from brand_members where user_id = ${userId} and status = 'active'
    )
    select ${brandColumns},
      (select count(distinct m.user_id) from mine join brand_members m using (brand_id) where m.status = 'active') as people
    from mine join brands b on b.id = mine.brand_id ${ownerJoin}
    order by lower(b.name), b.id
  `.execute(db);
  return { results: rows.map(toBrand), member_count: rows[0]?.people ?? 0 };
}

export async function findBrand(db: Db, brandId: number): Promise<Brand | undefined> {
  const { rows } = await sql<BrandRow>`
    select ${brandColumns} from brands b ${ownerJoin} where b.id = ${brandId}
  `.execute(db);
  return rows[0] && toBrand(rows[0]);
}

export async function findRoleOf(db: Db, brandId: number, userId: number): Promise<Role | undefined> {
  const membership = await db
    .selectFrom('brand_members')
    .select('role')
    .where('brand_id', '=', brandId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return membership?.role;
}

export async function findAnyBrandId(db: Db): Promise<number | undefined> {
  return (await db.selectFrom('brands').select('id').limit(1).executeTakeFirst())?.id;
}

export async function insertBrand(db: Db, brand: UpdateBrand & { name: string }): Promise<number> {
  const { id } = await db.insertInto('brands').values(brand).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateBrandFields(db: Db, brandId: number, changes: UpdateBrand): Promise<void> {
  await db.updateTable('brands').set(changes).where('id', '=', brandId).execute();
}

/** Whether this call is the one that started the trial. */
export async function startTrial(db: Db, brandId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('brands')
    .set({ opted_in_for_trial: true })
    .where('id', '=', brandId)
    .where('opted_in_for_trial', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function listAllBrandIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('brands').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** With its members and invitations, by their foreign keys. */
export async function deleteBrandRow(db: Db, brandId: number): Promise<void> {
  await db.deleteFrom('brands').where('id', '=', brandId).execute();
}

function toBrand(row: BrandRow): Brand {
  const { id, name, logo, website, status, opted_in_for_trial, description, member_count } = row;
  const owner = { first_name: row.owner_first_name ?? '', last_name: row.owner_last_name ?? '' };
  return { id, name, logo, website, status, opted_in_for_trial, description, member_count, owner };
}
