import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { toGtin13 } from '../../scripts/gtin.ts';

/** A product file of so many rows: distinct names and GTINs, every seventh row with one of 500 certificates. */
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

/**
 * The bare limit: what the same rows cost when nothing is checked. COPY into a temporary table and plain INSERT … SELECT into
 * the same tables, with their indexes and foreign keys, in one transaction of one connection.
 */
export async function importBare(client: pg.Client, brandId: number, rows: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-bare-'));
  const path = join(folder, 'rows');
  try {
    // The database reads it itself, under whatever user it runs.
    chmodSync(folder, 0o755);
    writeFileSync(path, copyText(rows));
    const started = performance.now();
    await client.query('begin');
    await insertBare(client, brandId, path);
    await client.query('commit');
    return (performance.now() - started) / 1000;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copyText(rows: number): string {
  const lines: string[] = [];
  for (let n = 0; n < rows; n++) {
    const certificate = n % 7 === 0 ? `FSC-C${String(n % 500).padStart(6, '0')}` : '\\N';
    lines.push(`${nameOf(n)}\t${gtinOf(n)}\tFood & Drink\t${certificate}\n`);
  }
  return lines.join('');
}

async function insertBare(client: pg.Client, brandId: number, path: string): Promise<void> {
  await client.query(
    'create temporary table bare (name text, gtin text, category text, certificate text) on commit drop',
  );
  await client.query(`copy bare from '${path}'`);
  await client.query(
    `insert into variants (brand_id, gtin, name, category, has_certs)
     select $1::bigint, gtin, name, category, certificate is not null from bare`,
    [brandId],
  );
  await client.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id)
     select distinct $1::bigint, (select id from certifications where name = 'FSC'), certificate from bare where certificate is not null`,
    [brandId],
  );
  await client.query(
    `insert into variant_certificates (brand_id, variant_id, certificate_id)
     select $1::bigint, v.id, c.id from bare b
     join variants v on v.brand_id = $1 and v.gtin = b.gtin
     join certificates c on c.brand_id = $1 and c.external_certificate_id = b.certificate`,
    [brandId],
  );
}
