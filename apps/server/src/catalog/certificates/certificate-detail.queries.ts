import type { CertificateDetail } from '@brand-portal/contract/certificate-detail';
import type { CertificateStatus } from '@brand-portal/contract/certificates';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Rows, Value } from '../../db/fragments.ts';
import { IS_LISTED } from '../../db/listed-imports.ts';
import type { NamedLink, NewCertificate } from '../../writes/certificates.ts';

export interface StoredDetail {
  readonly certification_id: number;
  readonly certification_name: string;
  readonly external_certificate_id: string;
  readonly id_key: string;
  readonly status: CertificateStatus;
  readonly reason: string;
  readonly link: string;
  readonly created_at: Date;
}

export async function findStoredCertificate(db: Db, brandId: number, certificateId: number): Promise<StoredDetail | undefined> {
  const { rows } = await sql<StoredDetail>`
    select c.certification_id, n.name as certification_name, c.external_certificate_id, c.id_key, c.status, c.reason, c.link, c.created_at
    from certificates c join certifications n on n.id = c.certification_id
    where c.brand_id = ${brandId} and c.id = ${certificateId}
  `.execute(db);
  return rows[0];
}

type SendingVariants = Pick<CertificateDetail, 'sending_variants' | 'queued_variants'>;

export async function countSendingVariants(db: Db, brandId: number, certificateId: number): Promise<SendingVariants> {
  const { rows } = await sql<SendingVariants>`
    select count(*) as sending_variants, count(*) filter (where d.state = 'queued') as queued_variants
    from variant_certificates l
    join deliveries d on d.brand_id = ${brandId} and d.variant_id = l.variant_id
      and d.wanted = 'present' and d.state in ('queued', 'sent')
    where l.brand_id = ${brandId} and l.certificate_id = ${certificateId}
  `.execute(db);
  if (!rows[0]) throw new Error('The count returned no row');
  return rows[0];
}

export function newCertificate(brandId: number, certificationId: number, externalId: string, key: string): Rows<NewCertificate> {
  return sql`select ${brandId}::bigint, ${certificationId}::bigint, ${externalId}::text, ${key}::text`;
}

export function namedLink({ certification_id, id_key }: StoredDetail, link: string): Rows<NamedLink> {
  return sql`select ${certification_id}::bigint, ${id_key}::text, ${link}::text`;
}

interface RegistryState {
  readonly loaded_at: Date;
  /** Null: the registry does not list the certificate. */
  readonly active: boolean | null;
  readonly expires_on: string | null;
}

export async function findRegistryState(
  db: Db,
  { certification_id, id_key }: Pick<StoredDetail, 'certification_id' | 'id_key'>,
): Promise<RegistryState | undefined> {
  const { rows } = await sql<RegistryState>`
    select r.loaded_at, e.active, e.expires_on::text as expires_on
    from registries r
    left join registry_certificates e on e.certification_id = r.certification_id and e.id_key = ${id_key}
    where r.certification_id = ${certification_id}
  `.execute(db);
  return rows[0];
}

/**
 * Active registry entries that differ from the id in one character: replaced, added or removed. Works for any alphabet: for each position
 * of the id, the characters that occur there are read from the index, one lookup each; the rest are lookups by key. Returns at most two.
 */
export async function listNearMisses(
  db: Db,
  { certification_id, id_key }: Pick<StoredDetail, 'certification_id' | 'id_key'>,
): Promise<string[]> {
  // The next character after a prefix. The collation "C" sorts text by code point.
  const next = (from: Value<string>): Value<string | null> => sql`(
    select case when starts_with(r.id_key, p.prefix) then substr(r.id_key, p.place + 1, 1) end
    from registry_certificates r
    where r.certification_id = ${certification_id} and r.id_key > ${from} order by r.id_key limit 1)`;
  const { rows } = await sql<{ id_key: string }>`
    with recursive prefixes as (
      select place, left(${id_key}::text, place) collate "C" as prefix from generate_series(0, length(${id_key}::text)) place
    ), characters as (
      select p.place, p.prefix, ${next(sql`p.prefix`)} as letter from prefixes p
      union
      -- After all text with the prefix and this character: the appended code point is the greatest there is.
      select p.place, p.prefix, ${next(sql`p.prefix || p.letter || chr(1114111)`)} from characters p where p.letter <> ''
    ), candidates as (
      select prefix || letter || substr(${id_key}::text, place + 2) as candidate from characters where letter <> ''
      union select prefix || letter || substr(${id_key}::text, place + 1) from characters where letter <> ''
      union select prefix || substr(${id_key}::text, place + 2) from prefixes where place < length(${id_key}::text)
    )
    select r.id_key from candidates join lateral (
      select r.id_key from registry_certificates r
      where r.certification_id = ${certification_id} and r.id_key = candidate and r.active
      offset 0
    ) r on true
    where r.id_key <> ${id_key} limit 2
  `.execute(db);
  return rows.map(({ id_key }) => id_key);
}

export interface RecordedEvent {
  readonly action: string;
  readonly details: {
    readonly to?: string;
    readonly reason?: string;
    readonly note?: string;
    readonly replaced_id?: number;
    readonly replaced?: string;
    readonly gtin?: string;
    readonly link?: string;
  };
  readonly at: Date;
  readonly user_id: number | null;
}

/** The certificate's audit entries, newest first. In an entry about many certificates it may be one of the others. */
export async function listEvents(db: Db, brandId: number, certificateId: number, limit: number): Promise<RecordedEvent[]> {
  const { rows } = await sql<RecordedEvent>`
    (select a.id, a.action, a.details, a.created_at as at, a.user_id from audit_log a
     where a.brand_id = ${brandId} and a.details->>'certificate_id' = ${String(certificateId)} order by a.id desc limit ${limit})
    union all
    (select a.id, a.action, a.details || jsonb_build_object('reason', c.reason), a.created_at, a.user_id from audit_certificates c
     join audit_log a on a.brand_id = ${brandId} and a.id = c.audit_id
     where c.brand_id = ${brandId} and ${certificateId} between c.first_id and c.last_id and ${certificateId} = any (c.certificate_ids)
     order by c.audit_id desc limit ${limit})
    order by id desc limit ${limit}
  `.execute(db);
  return rows;
}

/** The import that created the certificate. */
export async function findImportOf(
  db: Db,
  brandId: number,
  certificateId: number,
): Promise<{ id: number; file_name: string; user_id: number | null } | undefined> {
  const { rows } = await sql<{ id: number; file_name: string; user_id: number | null }>`
    select i.id, i.file_name, i.user_id from imports i
    where i.brand_id = ${brandId} and i.certificates_after < ${certificateId} and i.certificates_to >= ${certificateId}
    limit 1
  `.execute(db);
  return rows[0];
}

export interface ImportedLink {
  readonly id: number;
  readonly file_name: string;
  readonly at: Date;
  readonly user_id: number | null;
  readonly old_link: string;
  readonly new_link: string;
  readonly undone_at: Date | null;
  readonly undone_by: number | null;
}

/** Which of the brand's last imports changed the certificate's page. Newest first. */
export async function listImportedLinks(db: Db, brandId: number, certificateId: number, imports: number): Promise<ImportedLink[]> {
  const { rows } = await sql<ImportedLink>`
    with latest as materialized (
      select id, file_name, created_at, user_id, undoes_import_id from imports
      where brand_id = ${brandId} and state in ('done', 'undone') and ${IS_LISTED} order by id desc limit ${imports}
    )
    select i.id, i.file_name, i.created_at as at, i.user_id, k.old_link, k.new_link,
      undo.created_at as undone_at, undo.user_id as undone_by
    from import_certificate_links k join latest i on i.id = k.import_id left join latest undo on undo.undoes_import_id = i.id
    where k.brand_id = ${brandId} and k.certificate_id = ${certificateId} and k.import_id = any (array(select id from latest))
    order by i.id desc
  `.execute(db);
  return rows;
}
