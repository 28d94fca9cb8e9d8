import type { Db } from '@brand-portal/server/db/database.ts';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { EmbeddedSchema } from '../db/schema.ts';
import { tables } from '../db/tables.ts';

export type Switches = Omit<Selectable<EmbeddedSchema['channel_emulator_switches']>, 'only_row'>;

/** The fields of Google's product issue. */
export interface Issue {
  readonly type: string;
  readonly severity: 'ERROR' | 'WARNING' | 'INFO';
  readonly title: string;
  readonly description: string;
  readonly attribute?: string;
  readonly resolution?: string;
  /** Undefined: everywhere. */
  readonly applicableCountries?: readonly string[];
}

export interface Link {
  readonly account: string;
  /** Empty: the brand owner's own account. */
  readonly client_id: string;
  readonly brand: string;
}

export interface StoredResource {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** From the database's clock. */
  readonly age_ms: number;
}

export async function getSwitches(db: Db): Promise<Switches> {
  const { only_row: _, ...switches } = await tables(db).selectFrom('channel_emulator_switches').selectAll().executeTakeFirstOrThrow();
  return switches;
}

export async function updateSwitches(db: Db, changes: Updateable<EmbeddedSchema['channel_emulator_switches']>): Promise<void> {
  await tables(db).updateTable('channel_emulator_switches').set(changes).execute();
}

export async function upsertResource(db: Db, name: string, body: unknown): Promise<void> {
  await sql`
    insert into embedded.channel_emulator_resources (name, body) values (${name}, ${JSON.stringify(body)})
    on conflict (name) do update set body = excluded.body, received_at = clock_timestamp()
  `.execute(db);
}

function selectResources(db: Db) {
  const age_ms = sql<number>`extract(epoch from clock_timestamp() - received_at)::double precision * 1000`.as('age_ms');
  return tables(db).selectFrom('channel_emulator_resources').select(['name', 'body', age_ms]);
}

export async function findResource(db: Db, name: string): Promise<StoredResource | undefined> {
  const row = await selectResources(db).where('name', '=', name).executeTakeFirst();
  return row as StoredResource | undefined;
}

/** Sorted by name, after `after`. */
export async function listResources(db: Db, prefix: string, after: string, limit: number): Promise<StoredResource[]> {
  const rows = await selectResources(db)
    .where(sql<boolean>`starts_with(name, ${prefix})`)
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows as StoredResource[];
}

/** Returns whether it existed. */
export async function deleteResource(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await tables(db).deleteFrom('channel_emulator_resources').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertCall(db: Db, call: { method: string; name: string; status: number; body: unknown }): Promise<void> {
  await tables(db)
    .insertInto('channel_emulator_calls')
    .values({ ...call, body: call.body === undefined ? null : JSON.stringify(call.body) })
    .execute();
}

export async function upsertRefusal(db: Db, gtin: string, issue: Issue): Promise<void> {
  await sql`
    insert into embedded.channel_emulator_refusals (gtin14, issue) values (lpad(${gtin}, 14, '0'), ${JSON.stringify(issue)})
    on conflict (gtin14) do update set issue = excluded.issue
  `.execute(db);
}

export async function deleteRefusals(db: Db): Promise<void> {
  await tables(db).deleteFrom('channel_emulator_refusals').execute();
}

export async function findRefusal(db: Db, gtin: string): Promise<Issue | undefined> {
  const { rows } = await sql<{ issue: Issue }>`
    select issue from embedded.channel_emulator_refusals where gtin14 = lpad(${gtin}, 14, '0')
  `.execute(db);
  return rows[0]?.issue;
}

export async function insertLink(db: Db, link: Link): Promise<void> {
  await tables(db)
    .insertInto('channel_emulator_links')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function listLinks(db: Db, account: string): Promise<Link[]> {
  return tables(db).selectFrom('channel_emulator_links').selectAll().where('account', '=', account).execute();
}

/** The first caller creates it; all later ones get the same. */
export async function findOrInsertSecret(db: Db, name: string, make: () => Promise<string>): Promise<string> {
  const find = () => tables(db).selectFrom('channel_emulator_secrets').select('value').where('name', '=', name).executeTakeFirst();
  const known = await find();
  if (known) return known.value;
  const value = await make();
  await tables(db)
    .insertInto('channel_emulator_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await find())?.value ?? value;
}
