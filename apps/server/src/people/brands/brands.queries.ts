import type { Brand, BrandChanges, BrandContents, BrandList } from '@brand-portal/contract/brands';
import type { Role } from '@brand-portal/contract/roles';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Columns, Rows } from '../../db/fragments.ts';
import { IS_LISTED } from '../../db/listed-imports.ts';

/** `version` is for optimistic locking of edits. */
export type StoredBrand = Brand & { readonly version: number };

interface BrandRow extends Omit<Brand, 'owner'> {
  owner_first_name: string | null;
  owner_last_name: string | null;
}

/** The fields of a brand `b` with its `owner` in API responses. */
const BRAND: Columns = sql`
  b.id, b.name, b.logo, b.website, b.status, b.opted_in_for_trial, b.description,
  (select count(*) from brand_members m where m.brand_id = b.id and m.status = 'active') as member_count,
  owner.first_name as owner_first_name, owner.last_name as owner_last_name`;
/** The owner shown of a brand `b`: the oldest member among the owners; an invited one only if there is no other. */
const OWNER: Rows<{ first_name: string; last_name: string }> = sql`
  select u.first_name, u.last_name
  from brand_members m join users u on u.id = m.user_id
  where m.brand_id = b.id and m.role = 'owner'
  order by (m.status = 'active') desc, m.created_at, m.user_id limit 1`;

/** One query for any number of brands. It starts at the user's own memberships, so it reads no other rows. */
export async function listBrandsOf(db: Db, userId: number): Promise<BrandList> {
  const { rows } = await sql<BrandRow & { people: number }>`
    with mine as materialized (
      select m.brand_id from brand_members m join brands b on b.id = m.brand_id
      where m.user_id = ${userId} and m.status = 'active' and b.deleted_at is null
    )
    select ${BRAND},
      (select count(distinct m.user_id) from mine join brand_members m using (brand_id) where m.status = 'active') as people
    from mine join brands b on b.id = mine.brand_id left join lateral (${OWNER}) owner on true
    order by lower(b.name), b.id
  `.execute(db);
  return { results: rows.map(toBrand), member_count: rows[0]?.people ?? 0 };
}

export async function findBrand(db: Db, brandId: number): Promise<StoredBrand | undefined> {
  const { rows } = await sql<BrandRow & { version: number }>`
    select ${BRAND}, b.version from brands b left join lateral (${OWNER}) owner on true where b.id = ${brandId}
  `.execute(db);
  return rows[0] && { ...toBrand(rows[0]), version: rows[0].version };
}

export async function findOwnMembership(
  db: Db,
  brandId: number,
  userId: number,
): Promise<{ role: Role; is_last_owner: boolean } | undefined> {
  const { rows } = await sql<{ role: Role; is_last_owner: boolean }>`
    select m.role, m.role = 'owner' and not exists (
      select from brand_members o where o.brand_id = ${brandId} and o.role = 'owner' and o.status = 'active'
        and o.user_id <> m.user_id) as is_last_owner
    from brand_members m where m.brand_id = ${brandId} and m.user_id = ${userId}
  `.execute(db);
  return rows[0];
}

export async function findAnyBrandId(db: Db): Promise<number | undefined> {
  return (await db.selectFrom('brands').select('id').limit(1).executeTakeFirst())?.id;
}

/** Whether the person owns, or is invited to own, a brand of this name. Until the transaction ends, others wait who ask about the name. */
export async function lockNameAndFindOwned(db: Db, name: string, emailKey: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('brand name'), hashtext(${name}))`.execute(db);
  const { rows } = await sql`
    select from brands b join brand_members m on m.brand_id = b.id join users u on u.id = m.user_id
    where b.name = ${name} and b.deleted_at is null and m.role = 'owner' and u.email_key = ${emailKey}
  `.execute(db);
  return rows.length > 0;
}

export async function insertBrand(db: Db, brand: BrandChanges & { name: string }): Promise<number> {
  const { id } = await db.insertInto('brands').values(brand).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateBrandFields(db: Db, brandId: number, changes: BrandChanges): Promise<void> {
  await db
    .updateTable('brands')
    .set({ ...changes, version: sql`version + 1` })
    .where('id', '=', brandId)
    .execute();
}

export async function updateDeletedAt(db: Db, brandId: number, isDeleted: boolean): Promise<void> {
  await sql`update brands set deleted_at = ${isDeleted ? sql`now()` : null} where id = ${brandId}`.execute(db);
}

/** Undefined if the brand is not deleted. Uses the database's clock, which also set the end of the restore period. */
export async function findDeletion(
  db: Db,
  brandId: number,
  days: number,
): Promise<{ restorable_until: Date; is_over: boolean } | undefined> {
  const { rows } = await sql<{ restorable_until: Date; is_over: boolean }>`
    select restorable_until, restorable_until <= now() as is_over
    from (select deleted_at + make_interval(days => ${days}) as restorable_until from brands where id = ${brandId}) b
    where restorable_until is not null
  `.execute(db);
  return rows[0];
}

export async function listDeletedBrandsOf(
  db: Db,
  userId: number,
  days: number,
): Promise<{ id: number; name: string; restorable_until: Date }[]> {
  const { rows } = await sql<{ id: number; name: string; restorable_until: Date }>`
    select b.id, b.name, b.deleted_at + make_interval(days => ${days}) as restorable_until
    from brand_members m join brands b on b.id = m.brand_id
    where m.user_id = ${userId} and m.role = 'owner' and m.status = 'active'
      and b.deleted_at > now() - make_interval(days => ${days})
    order by b.deleted_at, b.id
  `.execute(db);
  return rows;
}

export async function countContents(db: Db, brandId: number): Promise<BrandContents> {
  const { rows } = await sql<BrandContents>`
    select coalesce((select total from variant_counts where brand_id = ${brandId}), 0) as variants,
      coalesce((select published from variant_counts where brand_id = ${brandId}), 0) as published,
      (select count(*) from certificates where brand_id = ${brandId}) as certificates,
      (select count(*) from imports where brand_id = ${brandId} and ${IS_LISTED}) as imports
  `.execute(db);
  const { rows: people } = await sql<{ members: number }>`
    select count(*) as members from brand_members where brand_id = ${brandId} and status = 'active'
  `.execute(db);
  const [contents] = rows;
  if (!contents) throw new Error('The query returned no row');
  return { ...contents, members: people[0]?.members ?? 0 };
}

/** Returns whether this call started the trial. */
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

/** Foreign keys also delete its members and invitations. */
export async function deleteBrandRow(db: Db, brandId: number): Promise<void> {
  await db.deleteFrom('brands').where('id', '=', brandId).execute();
}

function toBrand(row: BrandRow): Brand {
  const { id, name, logo, website, status, opted_in_for_trial, description, member_count } = row;
  const owner = { first_name: row.owner_first_name ?? '', last_name: row.owner_last_name ?? '' };
  return { id, name, logo, website, status, opted_in_for_trial, description, member_count, owner };
}
