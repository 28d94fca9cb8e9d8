import type { COUNTRY_STATUSES, TimelineEvent, VariantCertificate, VariantIssue } from '@brand-portal/contract/variant-detail';
import type { EditableField, VariantDetails } from '@brand-portal/contract/variant-fields';
import { type ChannelState, MAX_SHOWN_CERTIFICATES } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Columns, Condition, Rows } from '../../db/fragments.ts';
import { IS_LISTED } from '../../db/listed-imports.ts';
import type { NewCertificate, NewLink } from '../../writes/certificates.ts';
import type { ChangedVariants, NewVariant } from '../../writes/variants.ts';

/** The text fields of a variant. */
export interface StoredVariant {
  readonly id: number;
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  readonly details: VariantDetails;
  readonly published: boolean;
  /** What the API calls `version`. Only increases. */
  readonly change_count: number;
  readonly created_at: Date;
}

const COLUMNS: Columns = sql`id, gtin, name, category, details, published, change_count, created_at`;

export async function findStoredVariant(db: Db, brandId: number, variantId: number): Promise<StoredVariant | undefined> {
  const { rows } = await sql<StoredVariant>`
    select ${COLUMNS} from variants where brand_id = ${brandId} and id = ${variantId}
  `.execute(db);
  return rows[0];
}

export async function findVariantByGtin(db: Db, brandId: number, gtin14: string): Promise<StoredVariant | undefined> {
  const { rows } = await sql<StoredVariant>`
    select ${COLUMNS} from variants where brand_id = ${brandId} and gtin14 = ${gtin14}
  `.execute(db);
  return rows[0];
}

/** The fields to write; `details` as JSON. */
interface WrittenVariant extends Pick<StoredVariant, 'gtin' | 'name' | 'category'> {
  readonly details: string;
}

/** A row for `updateVariants`. */
export function editOf(
  brandId: number,
  before: StoredVariant,
  { name, category, details }: Omit<WrittenVariant, 'gtin'>,
  changed: readonly EditableField[],
): ChangedVariants {
  return {
    rows: sql`select ${brandId}::bigint, ${before.gtin}::text, ${name}::text, ${category}::text, ${details}::jsonb`,
    changed: sql`select ${brandId}::bigint, ${before.id}::bigint, ${JSON.stringify(changed)}::jsonb, ${before.published}::boolean`,
  };
}

export function newVariant(brandId: number, { gtin, name, category, details }: WrittenVariant): Rows<NewVariant> {
  return sql`select ${brandId}::bigint, ${gtin}::text, ${name}::text, ${category}::text, ${details}::jsonb, false, false`;
}

export function linkBetween(variantId: number, certificateId: number): Condition {
  return sql`variant_id = ${variantId} and certificate_id = ${certificateId}`;
}

export function newLink(brandId: number, variantId: number, certificateId: number): Rows<NewLink> {
  return sql`select ${brandId}::bigint, ${variantId}::bigint, ${certificateId}::bigint`;
}

interface NamedCertificate {
  readonly certificationId: number;
  readonly externalId: string;
  readonly key: string;
}

export function newCertificate(brandId: number, { certificationId, externalId, key }: NamedCertificate): Rows<NewCertificate> {
  return sql`select ${brandId}::bigint, ${certificationId}::bigint, ${externalId}::text, ${key}::text`;
}

export async function findCertificateId(db: Db, brandId: number, { certificationId, key }: NamedCertificate): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from certificates where brand_id = ${brandId} and certification_id = ${certificationId} and id_key = ${key}
  `.execute(db);
  return rows[0]?.id;
}

export async function countVariantCertificates(db: Db, brandId: number, variantId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from variant_certificates where brand_id = ${brandId} and variant_id = ${variantId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** The newest ones, in the order of the badges; or the one with an id. */
export async function listVariantCertificates(
  db: Db,
  brandId: number,
  variantId: number,
  certificateId?: number,
): Promise<VariantCertificate[]> {
  const isChosen: Condition = certificateId === undefined ? sql`true` : sql`certificate_id = ${certificateId}`;
  const { rows } = await sql<VariantCertificate>`
    select c.id, n.name as certification_name, b.name as certifying_body_name, c.status, c.reason, c.external_certificate_id,
      c.expires_on::text as expires_on
    from (
      select certificate_id from variant_certificates
      where brand_id = ${brandId} and variant_id = ${variantId} and ${isChosen}
      order by certificate_id desc limit ${MAX_SHOWN_CERTIFICATES}
    ) l
    join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
    order by n.name collate "C", c.external_certificate_id, c.id
  `.execute(db);
  return rows;
}

export interface VariantDelivery {
  readonly state: ChannelState;
  readonly countries: Readonly<Record<string, (typeof COUNTRY_STATUSES)[number]>>;
  readonly sent_at: Date | null;
  readonly judged_at: Date | null;
  /** If the last attempt to send or withdraw it failed. */
  readonly retry_at: Date | null;
}

export async function findDelivery(db: Db, brandId: number, variantId: number): Promise<VariantDelivery | undefined> {
  const { rows } = await sql<VariantDelivery>`
    select state, countries, sent_at, judged_at,
      case when state in ('queued', 'removing') and attempts > 0 and reason <> '' then next_attempt_at end as retry_at
    from deliveries where brand_id = ${brandId} and variant_id = ${variantId}
  `.execute(db);
  return rows[0];
}

/** The channel's issues with the current version. */
export async function listVariantIssues(db: Db, brandId: number, variantId: number): Promise<VariantIssue[]> {
  const { rows } = await sql<VariantIssue>`
    select i.type, i.severity, i.title, i.description, i.attribute, i.resolution, i.countries,
      to_char(i.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as since
    from delivery_issues i
    join deliveries d on d.brand_id = ${brandId} and d.variant_id = i.variant_id and d.revision = i.revision and d.wanted = 'present'
    where i.brand_id = ${brandId} and i.variant_id = ${variantId}
    order by i.severity = 'error' desc, i.severity = 'warning' desc, i.position
  `.execute(db);
  return rows;
}

export interface RecordedAction {
  readonly action: string;
  readonly details: { readonly changes?: TimelineEvent['changes']; readonly certificate?: string };
  readonly at: Date;
  readonly user_id: number | null;
}

/** Actions of members on the variant, and bulk publishing of the brand, newest first. */
export async function listActions(
  db: Db,
  brandId: number,
  { id, created_at }: Pick<StoredVariant, 'id' | 'created_at'>,
  limit: number,
): Promise<RecordedAction[]> {
  const columns: Columns = sql`a.action, a.details, a.created_at as at, a.user_id`;
  const { rows } = await sql<RecordedAction>`
    (select ${columns} from audit_log a
     where a.brand_id = ${brandId} and a.details->>'variant_id' = ${String(id)} order by a.id desc limit ${limit})
    union all
    (select ${columns} from audit_variants c
     join audit_log a on a.brand_id = ${brandId} and a.id = c.audit_id
     where c.brand_id = ${brandId} and c.variant_id = ${id} order by c.audit_id desc limit ${limit})
    union all
    (select ${columns} from audit_log a
     where a.brand_id = ${brandId} and a.action = 'variant.all_published' and a.created_at >= ${created_at}
     order by a.created_at desc limit ${limit})
  `.execute(db);
  return rows;
}

export interface RecordedImport {
  readonly id: number;
  readonly file_name: string;
  readonly at: Date;
  readonly user_id: number | null;
}

const IMPORT: Columns = sql`i.id, i.file_name, i.created_at as at, i.user_id`;

/** The id ranges that imports created do not overlap, so only the first whose range reaches the variant can have created it. */
export async function findCreatingImport(db: Db, brandId: number, variantId: number): Promise<RecordedImport | undefined> {
  const { rows } = await sql<RecordedImport & { variants_after: number }>`
    select ${IMPORT}, i.variants_after from imports i
    where i.brand_id = ${brandId} and i.variants_to >= ${variantId} and i.variants_to > i.variants_after
    order by i.variants_to limit 1
  `.execute(db);
  const [first] = rows;
  return first && first.variants_after < variantId ? first : undefined;
}

export interface ImportedChange extends RecordedImport {
  /** The changed fields, without empty ones. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly newly_published: boolean;
  readonly undone_at: Date | null;
  readonly undone_by: number | null;
}

/**
 * What the brand's last `imports` imports changed of the variant. Each is looked up by its key: an index by variant would slow down every
 * row of every import.
 */
export async function listImportedChanges(db: Db, brandId: number, variantId: number, imports: number): Promise<ImportedChange[]> {
  const { rows } = await sql<ImportedChange>`
    with latest as materialized (
      select id, file_name, created_at, user_id, undoes_import_id from imports
      where brand_id = ${brandId} and state in ('done', 'undone') and ${IS_LISTED} order by id desc limit ${imports}
    )
    select ${IMPORT}, jsonb_strip_nulls(c.before) as before, jsonb_strip_nulls(c.after) as after, c.newly_published,
      undo.created_at as undone_at, undo.user_id as undone_by
    from latest i
    cross join lateral (
      select * from import_changes c where c.brand_id = ${brandId} and c.import_id = i.id and c.variant_id = ${variantId} offset 0
    ) c
    left join latest undo on c.undone and undo.undoes_import_id = i.id
    order by i.id desc
  `.execute(db);
  return rows;
}
