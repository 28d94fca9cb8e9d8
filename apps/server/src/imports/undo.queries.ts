import type { IMPORT_CHANGE_KINDS, ImportChange, KeptField } from '@brand-portal/contract/import';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition, Ids, Rows } from '../db/fragments.ts';
import { IS_LISTED } from '../db/listed-imports.ts';
import type { NamedLink } from '../writes/certificates.ts';
import { deletedLinks } from '../writes/deletions.ts';
import { type ChangedVariants, detailsOf, fieldsOf, hasOwnChanges } from '../writes/variants.ts';
import type { ImportRecord, KeptVariant } from './imports.queries.ts';
import type { ImportKey } from './staging.queries.ts';

/** The import to undo. */
export interface Undone extends ImportKey, Pick<ImportRecord, `${'variants' | 'certificates'}_${'after' | 'to'}`> {}

export interface UndoCounts {
  /** Variants that the import changed, which get their old values back. */
  readonly restored: number;
  /** Variants that the import created, which are deleted. */
  readonly removed: number;
  /** Variants that were changed since, which stay as they are. */
  readonly kept: number;
  /** Published variants among the removed ones, and those that the import published. Some may never have been sent to the channel. */
  readonly withdrawn: number;
}

const changesOf = ({ brandId, importId }: Undone): Condition => sql`c.brand_id = ${brandId} and c.import_id = ${importId}`;

/** A condition on `variants`: the import created it. */
const isCreated = ({ variants_after, variants_to }: Undone): Condition => sql`id > ${variants_after} and id <= ${variants_to}`;

/** A condition on `variants`: fields changed since it was created, or a certificate added by someone else. */
const isChangedSince = ({ brandId, importId }: Undone): Condition => sql`(${hasOwnChanges('variants')} or exists (
  select from variant_certificates l
  where l.brand_id = ${brandId} and l.variant_id = variants.id and l.import_id is distinct from ${importId}::bigint
))`;

/** A condition for `deleteVariants`. */
export function removable(undone: Undone): Condition {
  return sql`${isCreated(undone)} and not ${isChangedSince(undone)}`;
}

/** A condition for `deleteLinks`: links that the import added to variants it did not create. */
export function importedLinks(undone: Undone): Condition {
  const { importId, variants_after, variants_to } = undone;
  return sql`import_id = ${importId} and not (variant_id > ${variants_after} and variant_id <= ${variants_to})`;
}

/**
 * A condition for `deleteCertificates`: certificates that the import created, that nobody has reviewed and that no variant has, including
 * deleted variants that can be restored.
 */
export function importedCertificates({ brandId, certificates_after, certificates_to }: Undone): Condition {
  return sql`id > ${certificates_after} and id <= ${certificates_to} and review is null and not exists (
    select from variant_certificates l where l.brand_id = ${brandId} and l.certificate_id = certificates.id
  ) and not exists (select from (${deletedLinks(brandId)}) l where l.certificate_id = certificates.id)`;
}

interface ComparedFields {
  /** Their old values. Null: none can be restored. */
  readonly restores: Readonly<Record<string, unknown>> | null;
  /** Those that were changed since. */
  readonly keeps: readonly string[] | null;
}

/** Which fields of the change `c` of the variant `v` can be restored. */
const FIELDS: Rows<ComparedFields> = sql`
  select jsonb_object_agg(key, c.before -> key) filter (where now = after) as restores,
    array_agg(key order by key) filter (where now <> after and now <> before) as keeps
  from (
    select key, coalesce(value, '') as after, coalesce(c.before ->> key, '') as before,
      coalesce(${fieldsOf('v.name', 'v.category', 'v.details')} ->> key, '') as now
    from jsonb_each_text(c.after)
  ) fields`;

/** The import changed the variant `v`. */
const isChanged = ({ brandId }: ImportKey): Condition => sql`v.brand_id = ${brandId} and v.id = c.variant_id`;

/** The import published it, and it still is. */
const IS_STILL_PUBLISHED: Condition = sql`(c.newly_published and v.published)`;

/** Marks the changes of which anything can be undone. Must come first: afterwards the fields have their old values. */
export async function markRestorable(db: Db, undone: Undone): Promise<void> {
  await sql`
    update import_changes m set undone = true from (
      select c.variant_id from import_changes c join variants v on ${isChanged(undone)} cross join lateral (${FIELDS}) f
      where ${changesOf(undone)} and (f.restores is not null or ${IS_STILL_PUBLISHED})
    ) marked
    where m.brand_id = ${undone.brandId} and m.import_id = ${undone.importId} and m.variant_id = marked.variant_id
  `.execute(db);
}

/** The variants with restorable fields, each of which gets its old value. */
export function restoredVariants(undone: Undone): ChangedVariants {
  const isMarked: Condition = sql`${changesOf(undone)} and c.undone`;
  return {
    rows: sql`
      select v.brand_id, v.gtin, coalesce(f.restores ->> 'name', v.name), coalesce(f.restores ->> 'category', v.category),
        jsonb_strip_nulls(v.details || ${detailsOf('f.restores')})
      from import_changes c join variants v on ${isChanged(undone)} cross join lateral (${FIELDS}) f
      where ${isMarked} and f.restores is not null`,
    changed: sql`
      select c.brand_id, c.variant_id, c.after, v.published from import_changes c join variants v on ${isChanged(undone)} where ${isMarked}`,
  };
}

/** The links from before, where they have not changed since the import. */
export function formerLinks({ brandId, importId }: Undone): Rows<NamedLink> {
  return sql`
    select c.certification_id, c.id_key, k.old_link from import_certificate_links k
    join certificates c on c.brand_id = ${brandId} and c.id = k.certificate_id and c.link = k.new_link
    where k.brand_id = ${brandId} and k.import_id = ${importId}`;
}

export async function countFormerLinks(db: Db, undone: Undone): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${formerLinks(undone)}) k`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The variants that the import published. */
export function publishedByImport(undone: Undone): Ids {
  return sql`select variant_id from import_changes c where ${changesOf(undone)} and undone and newly_published`;
}

/** What an undo would do now. Variants that were deleted since are not counted. */
export async function countUndo(db: Db, undone: Undone): Promise<UndoCounts> {
  const { brandId } = undone;
  const { rows } = await sql<UndoCounts>`
    with created as (
      select ${isChangedSince(undone)} as changed, published from variants where brand_id = ${brandId} and ${isCreated(undone)}
    ), known as (
      select v.id, f.keeps is not null as changed, f.restores is not null or ${IS_STILL_PUBLISHED} as restorable,
        ${IS_STILL_PUBLISHED} as published
      from import_changes c join variants v on ${isChanged(undone)} cross join lateral (${FIELDS}) f
      where ${changesOf(undone)}
    ), certified as (
      select distinct variant_id as id from variant_certificates where brand_id = ${brandId} and ${importedLinks(undone)}
    )
    select (select count(*) from (select id from known where restorable union select id from certified) restored) as restored,
      (select count(*) filter (where not changed) from created) as removed,
      (select count(*) filter (where changed) from created) + (select count(*) filter (where changed) from known) as kept,
      (select count(*) filter (where published and not changed) from created)
        + (select count(*) filter (where published) from known) as withdrawn
  `.execute(db);
  return rows[0] ?? { restored: 0, removed: 0, kept: 0, withdrawn: 0 };
}

export interface CorrectedImports {
  readonly corrected_imports: number;
  readonly corrected_variants: number;
}

/** Imports of this import's corrected rows. An undo does not affect them. */
export async function countCorrectedImports(db: Db, { brandId, importId }: ImportKey): Promise<CorrectedImports> {
  const { rows } = await sql<CorrectedImports>`
    select count(*) as corrected_imports, coalesce(sum(variants_created + variants_updated), 0)::bigint as corrected_variants
    from imports where brand_id = ${brandId} and corrects_import_id = ${importId} and state = 'done'
  `.execute(db);
  return rows[0] ?? { corrected_imports: 0, corrected_variants: 0 };
}

/** With the fields that were changed since, and who changed each last. */
export async function listKept(db: Db, undone: Undone, limit: number): Promise<KeptVariant[]> {
  const { brandId } = undone;
  // Of created variants: all that was changed.
  const { rows } = await sql<Omit<KeptVariant, 'fields'> & { fields: KeptField['field'][] | null }>`
    select id, gtin, name, null::text[] as fields from variants
    where brand_id = ${brandId} and ${isCreated(undone)} and ${isChangedSince(undone)}
    union all
    select v.id, v.gtin, v.name, f.keeps
    from import_changes c join variants v on ${isChanged(undone)} cross join lateral (${FIELDS}) f
    where ${changesOf(undone)} and f.keeps is not null
    order by id limit ${limit}
  `.execute(db);
  const changes = await listLaterChanges(
    db,
    undone,
    rows.map(({ id }) => id),
  );
  return rows.map(({ fields, ...variant }) => {
    const own = changes.filter(({ variant_id }) => variant_id === variant.id);
    const unknown = (fields ?? []).filter((field) => !own.some((change) => change.field === field));
    const known = own.filter(({ field }) => fields?.includes(field) ?? true);
    return {
      ...variant,
      fields: [
        ...known.map(({ field, user_id, at }) => ({ field, user_id, at: at.toISOString() })),
        ...unknown.map((field) => ({ field, user_id: null, at: null })),
      ],
    };
  });
}

interface LaterChange {
  readonly variant_id: number;
  readonly field: KeptField['field'];
  readonly user_id: number | null;
  readonly at: Date;
}

const MAX_LATER_IMPORTS = 100;

/** The last change of each field after the import, by a member or by another import. */
async function listLaterChanges(db: Db, { brandId, importId }: Undone, ids: readonly number[]): Promise<LaterChange[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<LaterChange>`
    with later as materialized (
      select id, user_id, created_at from imports
      where brand_id = ${brandId} and id > ${importId} and state = 'done' and ${IS_LISTED} order by id desc limit ${MAX_LATER_IMPORTS}
    ), changes as (
      select (a.details->>'variant_id')::bigint as variant_id, change->>'field' as field, a.user_id, a.created_at as at
      from audit_log a cross join lateral jsonb_array_elements(a.details->'changes') e (change)
      where a.brand_id = ${brandId} and a.action = 'variant.edited' and a.details->>'variant_id' = any (${ids.map(String)}::text[])
        and a.created_at > (select created_at from imports where brand_id = ${brandId} and id = ${importId})
      union all
      select c.variant_id, f.field, i.user_id, i.created_at from later i
      cross join lateral (
        select * from import_changes c where c.brand_id = ${brandId} and c.import_id = i.id and c.variant_id = any (${ids}::bigint[]) offset 0
      ) c cross join lateral jsonb_object_keys(c.after) f (field)
    )
    select distinct on (variant_id, field) variant_id, field, user_id, at from changes order by variant_id, field, at desc
  `.execute(db);
  return rows;
}

/**
 * Limits what is kept for undo: per brand the newest `limit` changes, and none past the undo period. Its end is set to the past, not to
 * null, which would mean that the import changed nothing.
 */
export async function dropOldChanges(db: Db, brandId: number, limit: number): Promise<void> {
  await sql`
    with changed as (
      select id, sum(
        (select count(*) from import_changes c where c.brand_id = ${brandId} and c.import_id = i.id)
        + (select count(*) from import_certificate_links k where k.brand_id = ${brandId} and k.import_id = i.id)
      ) over (order by id desc) as since
      from imports i where brand_id = ${brandId} and undo_until > now() and state in ('done', 'undone')
    )
    update imports set undo_until = created_at
    where brand_id = ${brandId} and id in (select id from changed where since > ${limit})
  `.execute(db);
  for (const table of ['import_changes', 'import_certificate_links']) {
    await sql`
      delete from ${sql.table(table)} where brand_id = ${brandId} and import_id in (
        select id from imports where brand_id = ${brandId} and state in ('done', 'undone') and (undo_until is null or undo_until <= now())
      )
    `.execute(db);
  }
}

type ChangeKind = (typeof IMPORT_CHANGE_KINDS)[number];

/** The ids of the variants that an import created, changed or certified, each once and ordered by an index. Without deleted ones. */
function changedBy(undone: Undone, kind: ChangeKind): Ids {
  const { brandId, importId } = undone;
  const exists = (id: string): Condition => sql`exists (select from variants v where v.brand_id = ${brandId} and v.id = ${sql.ref(id)})`;
  if (kind === 'created') return sql`select id from variants where brand_id = ${brandId} and ${isCreated(undone)}`;
  const certified = (which: Condition): Ids => sql`
    select distinct l.variant_id as id from variant_certificates l where l.brand_id = ${brandId} and ${which}`;
  if (kind === 'certified') return certified(sql`l.import_id = ${importId}`);
  return sql`
    select c.variant_id as id from import_changes c where ${changesOf(undone)} and ${exists('c.variant_id')}
    union all
    select id from (${certified(importedLinks(undone))}) l
    where not exists (select from import_changes c where ${changesOf(undone)} and c.variant_id = l.id)`;
}

/** An id that none has. Citus refuses a comparison with NULL here. */
const NO_IMPORT = 0;

/**
 * Newest first, which is file order for created variants. Variants that were deleted since are missing. For changed ones with name and
 * category before and after.
 */
export async function listChanges(
  db: Db,
  undone: Undone,
  kind: ChangeKind,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ results: ImportChange[]; count: number }> {
  const { brandId, importId } = undone;
  const changed = changedBy(undone, kind);
  const count = await countRows(db, changed);
  const shown = Math.max(Math.min(take, count - skip), 0);
  // The second half is read from its end.
  const isNear = skip <= count / 2;
  const page: Ids = sql`select id from (${changed}) changed order by id ${isNear ? sql`desc` : sql`asc`}
    limit ${shown} offset ${isNear ? skip : Math.max(count - skip - shown, 0)}`;
  const { rows } = await sql<ImportChange>`
    select v.id as variant_id, v.gtin, coalesce(c.after ->> 'name', v.name) as name, coalesce(c.after ->> 'category', v.category) as category,
      c.before ->> 'name' as old_name, c.before ->> 'category' as old_category,
      jsonb_strip_nulls(v.details || coalesce(${detailsOf('c.after')}, '{}')) as details,
      case when ${detailsOf('c.after')} <> '{}'
        then jsonb_strip_nulls((v.details - array(select jsonb_object_keys(c.after))) || ${detailsOf('c.before')}) end as old_details, (
        select coalesce(json_agg(n.name || ' ' || e.external_certificate_id order by n.name, e.external_certificate_id), '[]')
        from variant_certificates l
        join certificates e on e.brand_id = ${brandId} and e.id = l.certificate_id
        join certifications n on n.id = e.certification_id
        where l.brand_id = ${brandId} and l.variant_id = v.id and l.import_id = ${importId}
      ) as certificates
    from (${page}) p
    join variants v on v.brand_id = ${brandId} and v.id = p.id
    left join import_changes c on c.brand_id = ${brandId} and c.import_id = ${kind === 'updated' ? importId : NO_IMPORT} and c.variant_id = v.id
    order by v.id desc
  `.execute(db);
  return { results: rows, count };
}

async function countRows(db: Db, rows: Ids): Promise<number> {
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from (${rows}) r`.execute(db);
  return counted[0]?.count ?? 0;
}
