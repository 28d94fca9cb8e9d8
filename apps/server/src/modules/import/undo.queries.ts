import type { IMPORT_CHANGE_KINDS, ImportChange } from '@brand-portal/contract/import';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { deletedLinks } from '../writes/deletions.ts';
import { AlreadyEnded, hasChanged, type ImportRecord, type KeptVariant } from './imports.queries.ts';
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

const changesOf = ({ brandId, importId }: Undone) => sql`c.brand_id = ${brandId} and c.import_id = ${importId}`;

/** A condition on `variants`: the import created it. */
const isCreated = ({ variants_after, variants_to }: Undone) => sql`id > ${variants_after} and id <= ${variants_to}`;

/** A condition on `variants`: name, category or details changed since it was created, or a certificate added by someone else. */
const isChangedSince = ({ brandId, importId }: Undone) => sql`(version > 1 or exists (
  select from variant_certificates l
  where l.brand_id = ${brandId} and l.variant_id = variants.id and l.import_id is distinct from ${importId}::bigint
))`;

/** A condition for `deleteVariants`. */
export function removable(undone: Undone): RawBuilder<unknown> {
  return sql`${isCreated(undone)} and not ${isChangedSince(undone)}`;
}

/** A condition on `variant_certificates`: links that the import added to variants it did not create. */
function importedLinks(undone: Undone): RawBuilder<unknown> {
  const { importId, variants_after, variants_to } = undone;
  return sql`import_id = ${importId} and not (variant_id > ${variants_after} and variant_id <= ${variants_to})`;
}

/** A condition for `deleteLinks`. Call it after `markRestorable`: a variant that was changed since keeps its links. */
export function removableLinks(undone: Undone): RawBuilder<unknown> {
  return sql`${importedLinks(undone)} and not exists (
    select from import_changes c where ${changesOf(undone)} and c.variant_id = variant_certificates.variant_id and not c.undone
  )`;
}

/**
 * A condition for `deleteCertificates`: certificates that the import created, that nobody has reviewed and that no variant has, including
 * deleted variants that can be restored.
 */
export function importedCertificates({ brandId, certificates_after, certificates_to }: Undone): RawBuilder<unknown> {
  return sql`id > ${certificates_after} and id <= ${certificates_to} and review is null and not exists (
    select from variant_certificates l where l.brand_id = ${brandId} and l.certificate_id = certificates.id
  ) and not exists (select from ${deletedLinks(brandId)} l where l.certificate_id = certificates.id)`;
}

/** Marks the changes that can be undone. Must come first: the undo itself changes the versions that tell. */
export async function markRestorable(db: Db, undone: Undone): Promise<void> {
  await sql`
    update import_changes c set undone = true from variants v
    where ${changesOf(undone)} and v.brand_id = ${undone.brandId} and v.id = c.variant_id and v.version = c.version
  `.execute(db);
}

/** Rows for `updateVariants`: the marked variants with their old values. */
export function restoredVariants(undone: Undone) {
  const marked = sql`from import_changes c where ${changesOf(undone)} and c.undone`;
  const renamed = sql`new_name <> old_name`;
  const changed = sql`(${renamed} or new_category <> old_category or new_details <> old_details)`;
  return {
    changes: sql`select brand_id, gtin, old_name, old_category, old_details ${marked} and ${changed}`,
    renamed: sql`select brand_id, variant_id ${marked} and ${renamed}`,
    outdated: sql`
      select c.brand_id, c.variant_id from import_changes c
      join variants v on v.brand_id = ${undone.brandId} and v.id = c.variant_id and v.published
      where ${changesOf(undone)} and c.undone and ${changed}`,
  };
}

/** Rows for `updateCertificateLinks`: links that have not changed since the import. */
export function formerLinks({ brandId, importId }: Undone): RawBuilder<unknown> {
  return sql`
    select c.certification_id, c.id_key, k.old_link from import_certificate_links k
    join certificates c on c.brand_id = ${brandId} and c.id = k.certificate_id and c.link = k.new_link
    where k.brand_id = ${brandId} and k.import_id = ${importId}`;
}

export async function countFormerLinks(db: Db, undone: Undone): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${formerLinks(undone)}) k`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The ids of variants that the import published. */
export function publishedByImport(undone: Undone): RawBuilder<unknown> {
  return sql`select variant_id from import_changes c where ${changesOf(undone)} and undone and newly_published`;
}

/** What an undo would do now. Variants that were deleted since are not counted. */
export async function countUndo(db: Db, undone: Undone): Promise<UndoCounts> {
  const { brandId } = undone;
  const { rows } = await sql<UndoCounts>`
    with created as (
      select ${isChangedSince(undone)} as changed, published from variants where brand_id = ${brandId} and ${isCreated(undone)}
    ), known as (
      select v.version <> c.version as changed, v.published and c.newly_published as published from import_changes c
      join variants v on v.brand_id = ${brandId} and v.id = c.variant_id where ${changesOf(undone)}
    ), certified as (
      select distinct variant_id from variant_certificates l
      where brand_id = ${brandId} and ${importedLinks(undone)}
        and not exists (select from import_changes c where ${changesOf(undone)} and c.variant_id = l.variant_id)
    )
    select (select count(*) filter (where not changed) from known) + (select count(*) from certified) as restored,
      (select count(*) filter (where not changed) from created) as removed,
      (select count(*) filter (where changed) from created) + (select count(*) filter (where changed) from known) as kept,
      (select count(*) filter (where published and not changed) from created)
        + (select count(*) filter (where published and not changed) from known) as withdrawn
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

export async function listKept(db: Db, undone: Undone, limit: number): Promise<KeptVariant[]> {
  const { brandId } = undone;
  const { rows } = await sql<KeptVariant>`
    select id, gtin, name from variants where brand_id = ${brandId} and ${isCreated(undone)} and ${isChangedSince(undone)}
    union all
    select v.id, v.gtin, v.name from import_changes c
    join variants v on v.brand_id = ${brandId} and v.id = c.variant_id and v.version <> c.version where ${changesOf(undone)}
    order by id limit ${limit}
  `.execute(db);
  return rows;
}

/** Keeps the recorded changes until `undo_until`, for display. False if another call has undone it already. */
export async function setUndone(db: Db, { brandId, importId }: ImportKey): Promise<boolean> {
  const result = await sql`
    update imports set state = 'undone'
    where brand_id = ${brandId} and id = ${importId} and state = 'done' and undo_until > now()
  `.execute(db);
  return hasChanged(result);
}

/** Call it last before the commit. */
export async function finishUndo(
  db: Db,
  { brandId, importId }: ImportKey,
  { restored, removed, kept }: UndoCounts,
  names: readonly KeptVariant[],
): Promise<void> {
  const result = await sql`
    update imports set state = 'done', stage = null, variants_updated = ${restored}, variants_removed = ${removed},
      kept_count = ${kept}, kept = ${JSON.stringify(names)}
    where brand_id = ${brandId} and id = ${importId} and state = 'running'
  `.execute(db);
  if (!hasChanged(result)) throw new AlreadyEnded();
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

const UNCHANGED = sql`
  null as old_name, null as old_category, null::jsonb as old_details, null as new_name, null as new_category, null::jsonb as new_details`;

/** The variants that an import created, changed or certified. For changed ones, name and category before and after. */
function changedBy(undone: Undone, kind: ChangeKind): RawBuilder<unknown> {
  const { brandId } = undone;
  if (kind === 'created')
    return sql`
    select id, ${UNCHANGED} from variants where brand_id = ${brandId} and ${isCreated(undone)}`;
  if (kind === 'updated')
    return sql`
    select c.variant_id as id, nullif(c.old_name, c.new_name) as old_name, nullif(c.old_category, c.new_category) as old_category,
      nullif(c.old_details, c.new_details) as old_details, c.new_name, c.new_category, c.new_details
    from import_changes c where ${changesOf(undone)}
    union all
    select distinct variant_id, ${UNCHANGED} from variant_certificates l
    where brand_id = ${brandId} and ${importedLinks(undone)}
      and not exists (select from import_changes c where ${changesOf(undone)} and c.variant_id = l.variant_id)`;
  return sql`
    select distinct variant_id as id, ${UNCHANGED} from variant_certificates
    where brand_id = ${brandId} and import_id = ${undone.importId}`;
}

/** Newest first, which is file order for created variants. Variants that were deleted since are missing. */
export async function listChanges(
  db: Db,
  undone: Undone,
  kind: ChangeKind,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ results: ImportChange[]; count: number }> {
  const { brandId, importId } = undone;
  const { rows } = await sql<{ results: ImportChange[]; count: number }>`
    with changed as materialized (
      select v.id, v.gtin, coalesce(c.new_name, v.name) as name, coalesce(c.new_category, v.category) as category,
        coalesce(c.new_details, v.details) as details, c.old_name, c.old_category, c.old_details
      from (${changedBy(undone, kind)}) c join variants v on v.brand_id = ${brandId} and v.id = c.id
    ), page as (select * from changed order by id desc limit ${take} offset ${skip})
    select (select count(*) from changed) as count, coalesce(json_agg(json_build_object(
      'variant_id', p.id, 'gtin', p.gtin, 'name', p.name, 'category', p.category, 'old_name', p.old_name, 'old_category', p.old_category,
      'details', p.details, 'old_details', p.old_details,
      'certificates', (
        select coalesce(json_agg(n.name || ' ' || c.external_certificate_id order by n.name, c.external_certificate_id), '[]')
        from variant_certificates l
        join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
        join certifications n on n.id = c.certification_id
        where l.brand_id = ${brandId} and l.variant_id = p.id and l.import_id = ${importId}
      )) order by p.id desc), '[]') as results
    from page p
  `.execute(db);
  return rows[0] ?? { results: [], count: 0 };
}
