import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../../../db/database.ts';
import { certificateKey } from '../../fields/certificate-ids.ts';
import { getCatalogueEntry } from '../catalogue.ts';
import type { RegistryEntry } from '../registry.queries.ts';
import { loadRegistry } from '../registry.ts';

/** Certificates as after an import: pending, not validated yet. */
export async function createTestCertificates(
  db: Db,
  brandId: number,
  certification: string,
  externalIds: readonly string[],
): Promise<void> {
  const { id } = await getCatalogueEntry(db, certification);
  await sql`
    insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
    select ${brandId}, ${id}, external_id, key, search_key(external_id), id_sort_key(external_id) from unnest(${externalIds}::text[], ${externalIds.map(certificateKey)}::text[]) ids (external_id, key)
  `.execute(db);
}

type Entry = Partial<Omit<RegistryEntry, 'position'>> & { readonly externalId: string };

export function loadTestRegistry(db: Db, certification: string, entries: readonly Entry[], { replace = false, isPreview = false } = {}) {
  async function* read(): AsyncGenerator<RegistryEntry> {
    for (const [index, entry] of entries.entries()) yield { position: index + 2, active: true, expiresOn: null, ...entry };
  }
  return loadRegistry(db, { certification, entries: read(), unit: 'Row', replace }, { isPreview });
}

/** Maps each certificate to its status and reason. */
export async function readStatuses(db: Db, brandId: number): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('certificates')
    .select(['external_certificate_id', 'status', 'reason'])
    .where('brand_id', '=', brandId)
    .orderBy('id')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.external_certificate_id, `${row.status} ${row.reason}`]));
}

/** The audit entries of all brands. */
export async function readAudit(pool: pg.Pool, action: string): Promise<unknown[]> {
  const { rows } = await pool.query('select brand_id, details from audit_log where action = $1 order by id', [action]);
  return rows.map(({ brand_id, details }) => ({ brand_id, ...details }));
}

/** The recorded changes of status, one per certificate, also of those that share an entry. */
export async function readStatusChanges(pool: pg.Pool): Promise<{ id: number; change: string; reason: string }[]> {
  const { rows } = await pool.query(`
    select id, concat(details->>'from', ' → ', details->>'to') as change, reason from (
      select id as entry, details, (details->>'certificate_id')::bigint as id, details->>'reason' as reason from audit_log
      union all
      select a.id, a.details, unnest(c.certificate_ids), c.reason from audit_certificates c
      join audit_log a on a.brand_id = c.brand_id and a.id = c.audit_id
    ) changes
    where details ? 'changed' and details ? 'certificate_id' order by entry, id`);
  return rows;
}
