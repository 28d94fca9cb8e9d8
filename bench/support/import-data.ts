import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { toGtin13 } from '../../scripts/gtin.ts';

/** A product file with distinct names and GTINs; every seventh row has one of 500 certificates. */
export function importFile(rows: number): string {
  const lines = ['variant_name,gtin,category,publishing_channel,certificate_id,certification_name'];
  for (let n = 0; n < rows; n++) {
    const certificate = n % 7 === 0 ? `FSC-C${String(n % 500).padStart(6, '0')},FSC` : ',';
    lines.push(`${nameOf(n)},${gtinOf(n)},Food & Drink,,${certificate}`);
  }
  return `${lines.join('\n')}\n`;
}

function nameOf(n: number): string {
  const kinds = ['Organic Olive Oil', 'Sea Salt', 'Dark Chocolate', 'Crème brûlée', 'Rain Jacket', 'Green Tea'];
  return `${kinds[n % kinds.length]} ${(n * 31) % 997} ml ${n.toString(36).toUpperCase()}`;
}

function gtinOf(n: number): string {
  return toGtin13(String(400_000_000_000 + n));
}

/** Creates a brand owned by the bench's member. */
export async function createBrand(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(`insert into brands (name, status) values ('Bench', 'active') returning id`);
  const brandId = Number(rows[0]?.id);
  await client.query(
    `insert into brand_members (brand_id, user_id, role, status)
     select $1, id, 'owner', 'active' from users where email like 'owner.%@example.com'`,
    [brandId],
  );
  return brandId;
}

/**
 * The lower bound: the minimum that so many rows cost the database, without any checks or consequences. COPY into a temporary table and
 * INSERT … SELECT into a table with a primary key, a unique (brand, gtin) and two more indexes, in one transaction.
 */
export async function importLean(client: pg.Client, brandId: number, rows: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-lean-'));
  const path = join(folder, 'rows');
  try {
    // The database reads the file itself, possibly as another user.
    chmodSync(folder, 0o755);
    writeFileSync(path, copyText(rows));
    await client.query(LEAN_TABLE);
    const started = performance.now();
    await client.query('begin');
    await client.query('create temporary table lean_rows (name text, gtin text, category text) on commit drop');
    await client.query(`copy lean_rows from '${path}'`);
    await client.query(
      'insert into lean_variants (brand_id, gtin, name, category) select $1::bigint, gtin, name, category from lean_rows',
      [brandId],
    );
    await client.query('commit');
    return (performance.now() - started) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LEAN_TABLE = `
  create table if not exists lean_variants (
    brand_id bigint not null,
    id bigint generated always as identity,
    gtin text not null,
    name text not null,
    category text not null,
    published boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (brand_id, id),
    unique (brand_id, gtin)
  );
  create index if not exists lean_variants_newest_idx on lean_variants (brand_id, created_at, id);
  create index if not exists lean_variants_name_idx on lean_variants (brand_id, name, id);`;

function copyText(rows: number): string {
  const lines: string[] = [];
  for (let n = 0; n < rows; n++) lines.push(`${nameOf(n)}\t${gtinOf(n)}\tFood & Drink\n`);
  return lines.join('');
}
