import { sql } from 'kysely';
import type pg from 'pg';
import { expect } from 'vitest';
import { certificateKey } from '../src/catalog/fields/certificate-ids.ts';
import { listConnections } from '../src/channel/connections.queries.ts';
import { connectBrand } from '../src/channel/connections.ts';
import type { Db } from '../src/db/database.ts';
import type { Rows } from '../src/db/fragments.ts';
import { inBrand, OPERATOR_WAIT } from '../src/writes/brand-lock.ts';
import { insertCertificates, insertLinks, type NewLink, setNextExpiry } from '../src/writes/certificates.ts';
import { beginOfDay } from '../src/writes/expiry-days.ts';
import { insertVariants, publishVariants, unpublishVariants, updateVariants } from '../src/writes/variants.ts';

/** Runs `work` in a transaction that holds the brand's lock. All functions in writes/ require it. */
export function withBrandLock<T>(db: Db, brandId: number, work: (db: Db) => Promise<T>): Promise<T> {
  return inBrand(db, brandId, work, OPERATOR_WAIT);
}

interface NewVariant {
  readonly gtin: string;
  readonly name?: string;
  readonly category?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly published?: boolean;
}

/** Uses the product's own write functions. Returns the ids, in the order of `variants`. */
export function addVariants(db: Db, brandId: number, variants: readonly NewVariant[]): Promise<number[]> {
  return withBrandLock(db, brandId, async (db) => {
    const rows = variants.map((variant) => ({
      name: 'Thing',
      category: '',
      details: {},
      published: false,
      ...variant,
    }));
    await insertVariants(
      db,
      brandId,
      sql`select ${brandId}::bigint, gtin, name, category, details, published, false
        from json_to_recordset(${JSON.stringify(rows)}) as v (gtin text, name text, category text, details jsonb, published boolean)`,
    );
    const { rows: found } = await sql<{ id: number; gtin: string }>`
      select id, gtin from variants where brand_id = ${brandId} and gtin = any (${variants.map(({ gtin }) => gtin)})
    `.execute(db);
    const ids = new Map(found.map(({ id, gtin }) => [gtin, id]));
    return variants.map(({ gtin }) => ids.get(gtin) ?? 0);
  });
}

interface VariantChange {
  readonly name?: string;
  readonly category?: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** Updates variants like an import: unchanged ones are not written. Without `ids`, all of the brand. */
export function changeVariants(
  db: Db,
  brandId: number,
  change: VariantChange | ((name: string) => VariantChange),
  ids?: readonly number[],
): Promise<number> {
  return withBrandLock(db, brandId, async (db) => {
    const chosen = ids ? sql`id = any (${ids}::bigint[])` : sql`true`;
    const { rows } = await sql<{
      id: number;
      gtin: string;
      name: string;
      category: string;
      details: Record<string, string>;
      published: boolean;
    }>`
      select id, gtin, name, category, details, published from variants where brand_id = ${brandId} and ${chosen}
    `.execute(db);
    const changed = rows
      .map((known) => {
        const wanted = { ...known, ...(typeof change === 'function' ? change(known.name) : change) };
        return { ...wanted, fields: differences(known, wanted) };
      })
      .filter(({ fields }) => fields.length > 0);
    const asRecords = sql`json_to_recordset(${JSON.stringify(changed)})`;
    return updateVariants(db, brandId, {
      rows: sql`select ${brandId}::bigint, gtin, name, category, details from ${asRecords} as v (gtin text, name text, category text, details jsonb)`,
      changed: sql`select ${brandId}::bigint, id, fields, published from ${asRecords} as v (id bigint, fields jsonb, published boolean)`,
    });
  });
}

type Fields = Required<VariantChange>;

function differences(before: Fields, after: Fields): string[] {
  const [old, now] = [before, after].map(({ name, category, details }): Record<string, string> => ({ ...details, name, category }));
  return Object.keys({ ...old, ...now }).filter((field) => old?.[field] !== now?.[field]);
}

/** Also works for brands that have not started their trial. Without `ids`, all of the brand. */
export function setPublished(db: Db, brandId: number, published: boolean, ids?: readonly number[]): Promise<number> {
  const change = published ? publishVariants : unpublishVariants;
  return withBrandLock(db, brandId, (db) => change(db, brandId, ids ? sql`id = any (${ids}::bigint[])` : sql`true`));
}

interface NewCertificate {
  readonly code: string;
  readonly certification?: string;
  readonly status?: 'validated' | 'pending' | 'invalid';
  readonly expiresOn?: string | null;
}

/** Inserts a certificate with this status and links it to the variants. Returns its id. */
export function addCertificate(
  db: Db,
  brandId: number,
  { code, certification = 'FSC', status = 'pending', expiresOn = null }: NewCertificate,
  variantIds: readonly number[] = [],
): Promise<number> {
  return withBrandLock(db, brandId, async (db) => {
    await insertCertificates(
      db,
      brandId,
      sql`select ${brandId}::bigint, id, ${code}::text, ${certificateKey(code)}::text from certifications where name = ${certification}`,
    );
    const { rows } = await sql<{ id: number }>`
      update certificates set status = ${status}, expires_on = ${expiresOn}::date
      where brand_id = ${brandId} and external_certificate_id = ${code} returning id
    `.execute(db);
    await setNextExpiry(db, brandId);
    const id = rows[0]?.id ?? 0;
    if (variantIds.length > 0) {
      const links: Rows<NewLink> = sql`select ${brandId}::bigint, unnest(${variantIds}::bigint[]), ${id}::bigint`;
      await insertLinks(db, brandId, links);
    }
    return id;
  });
}

/** Derived data, computed from scratch from variants, certificates and links, ordered by brand. */
const DERIVED = {
  counts: `select brand_id::int, count(*)::int as total, count(*) filter (where published)::int as published,
      count(*) filter (where has_certs)::int as certified, count(*) filter (where published and has_certs)::int as published_certified
    from variants group by brand_id order by brand_id`,
  flags: `select v.id::int, exists (select from variant_certificates l where l.brand_id = v.brand_id and l.variant_id = v.id) as has_certs
    from variants v order by v.id`,
  published: 'select brand_id::int, id::int as variant_id from variants where published order by 1, 2',
  searched: `select brand_id::int, id::int as variant_id, search_key(name) as name_key, lpad(gtin, 14, '0') as gtin14
    from variants order by 1, 2`,
  variantKeys: `select id::int, search_key(name) as name_key, lpad(gtin, 14, '0') as gtin14 from variants order by id`,
  certificateKeys: `select id::int, search_key(external_certificate_id) as id_search, id_sort_key(external_certificate_id) as sort_key
    from certificates order by id`,
};

/** Variants that are not in the search index yet. */
export const WAITING_VARIANTS = `
  select v.brand_id, v.id as variant_id from variants v join variant_counts c using (brand_id) where v.id > c.indexed_to
  union all
  select brand_id, variant_id from variant_search_waiting`;

/** For tests that insert with plain SQL: sets counts, flags, search and deliveries as the product would. */
export async function writeDerivedData(pool: pg.Pool): Promise<void> {
  await pool.query(`
    update variants v set has_certs = c.has_certs from (${DERIVED.flags}) c where c.id = v.id and v.has_certs <> c.has_certs;
    truncate variant_counts;
    delete from variant_search s where not exists (
      select from variants v where v.brand_id = s.brand_id and v.id = s.variant_id and v.name_key = s.name_key and v.gtin14 = s.gtin14);
    insert into variant_counts
      select counted.*, (select coalesce(max(variant_id), 0) from variant_search s where s.brand_id = counted.brand_id)
      from (${DERIVED.counts}) counted;
    insert into variant_search_waiting (brand_id, variant_id) select v.brand_id, v.id from variants v join variant_counts c using (brand_id)
      where v.id <= c.indexed_to and not exists (select from variant_search s where s.brand_id = v.brand_id and s.variant_id = v.id)
      on conflict do nothing;
    insert into deliveries (brand_id, variant_id) select brand_id, id from variants where published on conflict do nothing;
    insert into due_work (brand_id, kind, due_at)
      select brand_id, 'index_variants', now() from (${WAITING_VARIANTS}) waiting
      union select brand_id, 'deliver', now() from deliveries
      union select brand_id, 'expire_certificates', now() from certificates where status = 'validated' and expires_on is not null
      on conflict (brand_id, kind) do update set due_at = excluded.due_at`);
}

/** Checks that the stored derived data equals the data computed from scratch. */
export async function expectDerivedData(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    // One snapshot: others may be writing.
    await client.query('begin isolation level repeatable read');
    await compareDerivedData(async (text) => (await client.query(text)).rows);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function compareDerivedData(rows: (text: string) => Promise<pg.QueryResultRow[]>): Promise<void> {
  expect(
    await rows(`select brand_id::int, total::int, published::int, certified::int, published_certified::int
      from variant_counts where total > 0 order by brand_id`),
  ).toEqual(await rows(DERIVED.counts));
  expect(await rows('select id::int, has_certs from variants order by id')).toEqual(await rows(DERIVED.flags));
  expect(await rows('select id::int, name_key, gtin14 from variants order by id')).toEqual(await rows(DERIVED.variantKeys));
  expect(await rows('select id::int, id_search, sort_key from certificates order by id')).toEqual(await rows(DERIVED.certificateKeys));
  expect(await rows(`select brand_id::int, variant_id::int from deliveries where wanted = 'present' order by 1, 2`)).toEqual(
    await rows(DERIVED.published),
  );
  // Each variant is either in the search index, up to date, or waiting to be indexed.
  expect(
    await rows(`
      select brand_id::int, variant_id::int, name_key, gtin14 from variant_search
      union all
      select w.brand_id::int, w.variant_id::int, v.name_key, v.gtin14
      from (${WAITING_VARIANTS}) w join variants v on v.brand_id = w.brand_id and v.id = w.variant_id
      order by 1, 2`),
  ).toEqual(await rows(DERIVED.searched));
  // Every brand with work to do has a due time for it. On a cluster, due work is a local table that cannot be joined.
  const due = new Map<string, Date>();
  for (const { brand_id, kind, due_at } of await rows('select brand_id::int, kind, due_at from due_work'))
    due.set(`${brand_id} ${kind}`, due_at);
  // Without a connection, what was never sent waits for one.
  const deliveries = await rows(`
    select d.brand_id::int, min(next_attempt_at) as next from deliveries d
    left join channel_connections n on n.brand_id = d.brand_id and n.ended_at is null
    where next_attempt_at is not null and (connection_id is not null or n.id is not null) group by 1`);
  for (const { brand_id, next } of deliveries) {
    expect(due.get(`${brand_id} deliver`)?.getTime(), `deliveries of brand ${brand_id}`).toBeLessThanOrEqual(next.getTime());
  }
  const waiting = await rows(`select distinct brand_id::int from (${WAITING_VARIANTS}) waiting`);
  for (const { brand_id } of waiting) expect(due.has(`${brand_id} index_variants`)).toBe(true);
  const ending = await rows(`
    select c.brand_id::int, (min(c.expires_on) + 1)::text as day, min(n.countries) as countries
    from certificates c left join channel_connections n on n.brand_id = c.brand_id and n.ended_at is null
    where c.status = 'validated' and c.expires_on is not null group by c.brand_id`);
  for (const { brand_id, day, countries } of ending) {
    const dueAt = due.get(`${brand_id} expire_certificates`);
    expect(dueAt?.getTime()).toBeLessThanOrEqual(beginOfDay(countries ?? [], day).getTime());
  }
}

/** Connects the brand as a client of the installation's account. Returns the id of the connection. */
export async function connectTestBrand(db: Db, brandId: number): Promise<number> {
  const place = { kind: 'partner', account: null, client_id: '77', credentials: null } as const;
  await connectBrand(db, brandId, { ...place, countries: ['US'], language: 'en', registered_name: 'Acme' });
  return (await listConnections(db, brandId)).find(({ ended }) => !ended)?.id ?? 0;
}
