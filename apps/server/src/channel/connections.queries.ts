import type { ConnectionKind } from '@brand-portal/contract/channel';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface ConnectionSettings {
  readonly kind: ConnectionKind;
  /** The brand's own account. Null: the installation's account, which is a data partner's. */
  readonly account: string | null;
  /** Null: Google has not approved the link with the partner yet. */
  readonly client_id: string | null;
  /** The first is the country that products are uploaded for. */
  readonly countries: readonly string[];
  readonly language: string;
  readonly registered_name: string;
  /** The key file of the brand's own account, encrypted. */
  readonly credentials: Buffer | null;
}

export interface Connection extends ConnectionSettings {
  readonly id: number;
  readonly brand_id: number;
  /** Google's message, if its last response was that the account or the link is wrong. */
  readonly refusal: string;
  readonly ended: boolean;
}

/** The current connection, and former ones with products still to be withdrawn. */
export async function listConnections(db: Db, brandId: number): Promise<Connection[]> {
  const { rows } = await sql<Connection>`
    select id, brand_id, kind, account, client_id, countries, language, registered_name, credentials, refusal,
      ended_at is not null as ended
    from channel_connections where brand_id = ${brandId} order by id
  `.execute(db);
  return rows;
}

export async function insertConnection(db: Db, brandId: number, settings: ConnectionSettings): Promise<void> {
  await db
    .insertInto('channel_connections')
    .values({ brand_id: brandId, ...settings, countries: [...settings.countries] })
    .execute();
}

export async function updateRefusal(db: Db, brandId: number, connectionId: number, refusal: string): Promise<void> {
  await sql`
    update channel_connections set refusal = left(${refusal}, 1000) where brand_id = ${brandId} and id = ${connectionId}
  `.execute(db);
}

/** Deletes former connections without products at the channel. Returns how many others there are. */
export async function deleteEmptyConnections(db: Db, brandId: number): Promise<number> {
  await sql`
    delete from channel_connections c
    where c.brand_id = ${brandId} and c.ended_at is not null
      and not exists (select from deliveries d where d.brand_id = ${brandId} and d.connection_id = c.id)
  `.execute(db);
  const { rows } = await sql<{ left: number }>`
    select count(*) as left from channel_connections where brand_id = ${brandId} and ended_at is not null
  `.execute(db);
  return rows[0]?.left ?? 0;
}
