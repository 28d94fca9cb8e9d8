import { sql } from 'kysely';
import { copyLine } from '../../db/copy-line.ts';
import type { Db } from '../../db/database.ts';
import type { Condition, Rows } from '../../db/fragments.ts';
import { copyLines, setForTransaction } from '../../db/statements.ts';

const CHUNK = 64 * 1024;
const DELETED_AT_ONCE = 50_000;

export interface RegistryEntry {
  /** Its position in the file: the row of a table, or the index in a list. */
  readonly position: number;
  readonly externalId: string;
  readonly active: boolean;
  readonly expiresOn: string | null;
}

interface StoredEntry extends Pick<RegistryEntry, 'active'> {
  readonly certification_id: number;
  readonly id_key: string;
  readonly expires_on: string | null;
}

export interface Contradiction {
  readonly external_certificate_id: string;
  readonly first: number;
  readonly last: number;
}

export interface MergeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export interface RegistrySummary {
  readonly certification_name: string;
  readonly entries: number;
  readonly loaded_at: Date;
  readonly can_roll_back: boolean;
}

/** The table and the settings end with the transaction. A million entries fit into memory, and JIT costs more than it saves. */
export async function createStaging(db: Db): Promise<void> {
  await setForTransaction(db, { work_mem: '128MB', jit: 'off' });
  await sql`
    create temp table registry_staging (
      position int not null, external_certificate_id text collate "C" not null, id_key text collate "C" not null, active boolean not null, expires_on date
    ) on commit drop
  `.execute(db);
}

/** `keyOf` normalises ids. */
export async function copyStaged(db: Db, entries: AsyncIterable<RegistryEntry>, keyOf: (externalId: string) => string): Promise<void> {
  await copyLines(db, 'registry_staging', toLines(entries, keyOf));
}

/** Many lines per chunk, because each chunk has an overhead. */
async function* toLines(entries: AsyncIterable<RegistryEntry>, keyOf: (externalId: string) => string): AsyncGenerator<string> {
  let lines = '';
  for await (const { position, externalId, active, expiresOn } of entries) {
    lines += copyLine([position, externalId, keyOf(externalId), String(active), expiresOn ?? undefined]);
    if (lines.length < CHUNK) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/**
 * Removes duplicates: one entry per certificate. Returns how many entries the file has, and one that it lists with different values, if any.
 * Sorted by id: so the insert that follows takes a quarter less.
 */
export async function dedupeStaged(db: Db): Promise<{ entries: number; contradiction: Contradiction | undefined }> {
  await sql`
    create temp table registry_listed on commit drop as
    select distinct on (id_key) id_key, active, expires_on from registry_staging order by id_key
  `.execute(db);
  await sql`analyze registry_listed`.execute(db);
  const counted = await sql<{ entries: number; listed: number }>`
    select (select count(*) from registry_staging) as entries, (select count(*) from registry_listed) as listed
  `.execute(db);
  const { entries, listed } = counted.rows[0] ?? { entries: 0, listed: 0 };
  return { entries, contradiction: entries > listed ? await findContradiction(db) : undefined };
}

async function findContradiction(db: Db): Promise<Contradiction | undefined> {
  const { rows } = await sql<Contradiction>`
    select min(external_certificate_id) as external_certificate_id, min(position) as first, max(position) as last
    from registry_staging group by id_key
    having bool_and(active) <> bool_or(active) or min(expires_on) <> max(expires_on) or count(expires_on) not in (0, count(*))
    order by max(position) limit 1
  `.execute(db);
  return rows[0];
}

/** Locks the registry, so that loads run one after the other. Returns whether this is the first load. The undo data of the previous load is deleted. */
export async function upsertRegistry(db: Db, certificationId: number): Promise<boolean> {
  const { rows } = await sql<{ previous_loaded_at: Date | null }>`
    insert into registries as known (certification_id) values (${certificationId})
    on conflict (certification_id) do update
      set previous_loaded_at = known.loaded_at, has_previous = true, loaded_at = excluded.loaded_at
    returning previous_loaded_at
  `.execute(db);
  await deletePrevious(db, certificationId);
  return rows[0]?.previous_loaded_at == null;
}

async function deletePrevious(db: Db, certificationId: number): Promise<void> {
  await sql`delete from registry_previous where certification_id = ${certificationId}`.execute(db);
}

/**
 * Finds the differences first, then writes them. On a cluster a temporary table may be the source of an insert, but cannot be
 * joined in an update or delete.
 */
export async function mergeListed(
  db: Db,
  certificationId: number,
  { replace, isFirst }: { replace: boolean; isFirst: boolean },
): Promise<MergeCounts> {
  const removed = replace ? await deleteUnlisted(db, certificationId) : 0;
  await sql`
    create temp table registry_changes on commit drop as
    select l.id_key, l.active, l.expires_on, r.id_key is null as is_new, r.active as was_active, r.expires_on as was_expires_on
    from registry_listed l left join registry_certificates r
      on r.certification_id = ${sql.lit(certificationId)} and r.id_key = l.id_key
    where r.id_key is null or (r.active, r.expires_on) is distinct from (l.active, l.expires_on)
  `.execute(db);
  // A first load needs no undo data: rolling it back deletes everything.
  if (!isFirst) {
    await sql`
      insert into registry_previous (certification_id, id_key, active, expires_on)
      select ${certificationId}::bigint, id_key, was_active, was_expires_on from registry_changes order by id_key
    `.execute(db);
  }
  const changes = (which: Condition): Rows<StoredEntry> => sql`
    select ${certificationId}::bigint, id_key, active, expires_on from registry_changes where ${which}
    order by id_key`;
  const added = await sql`
    insert into registry_certificates (certification_id, id_key, active, expires_on) ${changes(sql`is_new`)}
  `.execute(db);
  const changed = await sql`
    insert into registry_certificates (certification_id, id_key, active, expires_on) ${changes(sql`not is_new`)}
    on conflict (certification_id, id_key) do update set active = excluded.active, expires_on = excluded.expires_on
  `.execute(db);
  return { added: Number(added.numAffectedRows), changed: Number(changed.numAffectedRows), removed };
}

/** Validation runs next and looks up thousands of entries, so the planner needs statistics. */
export async function analyzeRegistries(db: Db): Promise<void> {
  await sql`analyze registry_certificates`.execute(db);
}

async function deleteUnlisted(db: Db, certificationId: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select r.id_key as id from registry_certificates r
    where r.certification_id = ${certificationId} and not exists (
      select from registry_listed l where l.id_key = r.id_key)
  `.execute(db);
  for (let start = 0; start < rows.length; start += DELETED_AT_ONCE) {
    const ids = rows.slice(start, start + DELETED_AT_ONCE).map(({ id }) => id);
    const chosen: Condition = sql`certification_id = ${certificationId} and id_key = any (${ids}::text[])`;
    await sql`
      insert into registry_previous (certification_id, id_key, active, expires_on)
      select certification_id, id_key, active, expires_on from registry_certificates where ${chosen}
    `.execute(db);
    await sql`delete from registry_certificates where ${chosen}`.execute(db);
  }
  return rows.length;
}

/** Locks the registry. Undefined: no load can be rolled back. Null: there was no registry before that load. */
export async function findPreviousLoad(db: Db, certificationId: number): Promise<Date | null | undefined> {
  const { rows } = await sql<{ previous_loaded_at: Date | null }>`
    select previous_loaded_at from registries where certification_id = ${certificationId} and has_previous for update
  `.execute(db);
  return rows[0]?.previous_loaded_at;
}

/** Restores the entries from before the last load. */
export async function restorePrevious(db: Db, certificationId: number): Promise<void> {
  await sql`
    delete from registry_certificates
    where certification_id = ${certificationId} and id_key in (
      select p.id_key from registry_previous p where p.certification_id = ${certificationId} and p.active is null)
  `.execute(db);
  await sql`
    insert into registry_certificates (certification_id, id_key, active, expires_on)
    select p.certification_id, p.id_key, p.active, p.expires_on from registry_previous p
    where p.certification_id = ${certificationId} and p.active is not null
    on conflict (certification_id, id_key) do update set active = excluded.active, expires_on = excluded.expires_on
  `.execute(db);
  await sql`
    update registries set loaded_at = previous_loaded_at, previous_loaded_at = null, has_previous = false
    where certification_id = ${certificationId}
  `.execute(db);
  await deletePrevious(db, certificationId);
}

export async function deleteRegistry(db: Db, certificationId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('registries').where('certification_id', '=', certificationId).executeTakeFirst();
  await db.deleteFrom('registry_certificates').where('certification_id', '=', certificationId).execute();
  await deletePrevious(db, certificationId);
  return numDeletedRows > 0n;
}

export async function listRegistrySummaries(db: Db): Promise<RegistrySummary[]> {
  const { rows } = await sql<RegistrySummary>`
    select n.name as certification_name, r.loaded_at, r.has_previous as can_roll_back,
      (select count(*) from registry_certificates e where e.certification_id = n.id) as entries
    from registries r join certifications n on n.id = r.certification_id
    order by lower(n.name), n.id
  `.execute(db);
  return rows;
}
