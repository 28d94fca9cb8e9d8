import type { CatalogueItem } from '@brand-portal/contract/certificates';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Columns } from '../../db/fragments.ts';

export interface CatalogueEntry {
  readonly id: number;
  readonly name: string;
  readonly body_code: string;
  readonly body_name: string;
  readonly scheme_code: string | null;
  readonly id_pattern: string | null;
  /** Other names that people use for it. */
  readonly aliases: readonly string[];
  readonly is_retired: boolean;
}

export interface NewCatalogueEntry {
  readonly name: string;
  readonly bodyId: number;
  readonly schemeCode: string | null;
  readonly idPattern: string | null;
  readonly aliases: readonly string[];
}

export async function listCatalogueItems(db: Db): Promise<CatalogueItem[]> {
  return db
    .selectFrom('certifications')
    .select(['id', 'name'])
    .where('retired_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}

const ENTRY: Columns = sql`
  n.id, n.name, b.code as body_code, b.name as body_name, n.scheme_code, n.id_pattern, n.aliases,
  n.retired_at is not null as is_retired`;

export async function listCatalogueEntries(db: Db): Promise<CatalogueEntry[]> {
  const { rows } = await sql<CatalogueEntry>`
    select ${ENTRY} from certifications n join certifying_bodies b on b.id = n.certifying_body_id order by lower(n.name), n.id
  `.execute(db);
  return rows;
}

/** By name, ignoring case. */
export async function findCatalogueEntry(db: Db, name: string): Promise<CatalogueEntry | undefined> {
  const { rows } = await sql<CatalogueEntry>`
    select ${ENTRY} from certifications n join certifying_bodies b on b.id = n.certifying_body_id
    where lower(n.name) = lower(${name}) order by n.name = ${name} desc limit 1
  `.execute(db);
  return rows[0];
}

export async function findBodyId(db: Db, code: string): Promise<number | undefined> {
  return (await db.selectFrom('certifying_bodies').select('id').where('code', '=', code).executeTakeFirst())?.id;
}

export async function insertBody(db: Db, code: string, name: string): Promise<number> {
  const { id } = await db.insertInto('certifying_bodies').values({ code, name }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Restores a retired certification. Undefined if it is in the catalogue already. */
export async function insertCatalogueEntry(
  db: Db,
  { name, bodyId, schemeCode, idPattern, aliases }: NewCatalogueEntry,
): Promise<number | undefined> {
  const fields = { certifying_body_id: bodyId, scheme_code: schemeCode, id_pattern: idPattern, aliases };
  const row = await db
    .insertInto('certifications')
    .values({ name, ...fields })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ ...fields, retired_at: null })
        .where('certifications.retired_at', 'is not', null),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function updateAliases(db: Db, id: number, aliases: readonly string[]): Promise<void> {
  await db.updateTable('certifications').set({ aliases }).where('id', '=', id).execute();
}

export async function updateGoogleNames(
  db: Db,
  id: number,
  google: { readonly name: string; readonly authority: string } | null,
): Promise<void> {
  const names = { google_name: google?.name ?? null, google_authority: google?.authority ?? null };
  await db.updateTable('certifications').set(names).where('id', '=', id).execute();
}

export async function retireCatalogueEntry(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('certifications')
    .set({ retired_at: sql`now()` })
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
