import type { AskForMapping, ColumnMapping } from '@brand-portal/contract/import-mapping';
import { sql } from 'kysely';
import type { ColumnName } from '../catalog/fields/columns.ts';
import type { Db } from '../db/database.ts';

/** A column by name. `nth` counts columns of the same name, from 0. */
export interface RememberedColumn {
  readonly key: string;
  readonly nth: number;
  readonly field: ColumnName;
}

/** The columns that a member has chosen for files with this header. */
export interface ChosenMapping {
  readonly headerHash: string;
  /** A second hash under which an earlier choice for the same header may be stored. */
  readonly otherHash: string;
  readonly columns: readonly RememberedColumn[];
}

/** The form's mapping, or the request to be asked. */
export type MappingRequest = ColumnMapping | AskForMapping;

/** Keys are hashes of the header. */
export type Mappings = ReadonlyMap<string, readonly RememberedColumn[]>;

/** Per brand. The oldest are deleted. */
export const MAX_MAPPINGS = 100;

export async function listMappings(db: Db, brandId: number): Promise<Mappings> {
  const { rows } = await sql<{ header_hash: string; columns: RememberedColumn[] }>`
    select header_hash, columns from import_mappings where brand_id = ${brandId}
  `.execute(db);
  return new Map(rows.map(({ header_hash, columns }) => [header_hash, columns]));
}

export async function rememberMapping(db: Db, brandId: number, { headerHash, otherHash, columns }: ChosenMapping): Promise<void> {
  await sql`
    insert into import_mappings (brand_id, header_hash, columns) values (${brandId}, ${headerHash}, ${JSON.stringify(columns)})
    on conflict (brand_id, header_hash) do update set columns = excluded.columns, chosen_at = excluded.chosen_at
  `.execute(db);
  await sql`
    delete from import_mappings where brand_id = ${brandId} and (header_hash = ${otherHash} or header_hash in (
      select header_hash from import_mappings where brand_id = ${brandId}
      order by chosen_at desc, header_hash offset ${MAX_MAPPINGS}
    ))
  `.execute(db);
}
