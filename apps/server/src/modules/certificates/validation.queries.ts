import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { setForTransaction } from '../../db/statements.ts';

export interface LockedCertificate {
  readonly id: number;
  readonly certification_id: number;
  readonly external_certificate_id: string;
}

/** Of a brand that is there; whoever deletes it waits, so that neither ends in a deadlock. */
export async function shareBrand(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`select from brands where id = ${brandId} for key share`.execute(db);
  return rows.length > 0;
}

/** The brand's next certificates by id. In that order for everyone, so that two workers take turns. */
export async function lockCertificates(
  db: Db,
  brandId: number,
  { after, limit }: { after: number; limit: number },
): Promise<LockedCertificate[]> {
  const { rows } = await sql<LockedCertificate>`
    select id, certification_id, external_certificate_id from certificates
    where brand_id = ${brandId} and id > ${after}
    order by id limit ${limit} for no key update
  `.execute(db);
  return rows;
}

export async function listIdPatterns(db: Db): Promise<{ id: number; id_pattern: string }[]> {
  return db
    .selectFrom('certifications')
    .select(['id', 'id_pattern'])
    .where('id_pattern', 'is not', null)
    .$narrowType<{ id_pattern: string }>()
    .execute();
}

/** One row per change of a status. `changed` has brand_id, id, certification_id, external_certificate_id, was, status, reason. */
const auditOfChanges = sql`
  insert into audit_log (brand_id, action, details)
  select changed.brand_id, 'certificate.status_changed', jsonb_build_object(
    'certificate_id', changed.id, 'certification', n.name, 'external_certificate_id', changed.external_certificate_id,
    'from', changed.was, 'to', changed.status, 'reason', changed.reason)
  from changed join certifications n on n.id = changed.certification_id
  where changed.was <> changed.status
  order by changed.brand_id, changed.id`;

interface Judgement {
  readonly brandId: number;
  /** By id, and locked by an earlier statement: what is read here is not older than the lock. */
  readonly certificates: readonly { readonly id: number; readonly isMalformed: boolean }[];
  readonly today: string;
}

/**
 * Gives each certificate the status and reason that follow from review, id and registry, the first that applies; writes what differs.
 * `offset 0` makes it one look-up per certificate: for a batch PostgreSQL would rather read a registry of a million from end to end.
 */
export async function updateStatuses(db: Db, { brandId, certificates, today }: Judgement): Promise<number> {
  await useNestedLoops(db, false);
  const range = sql`between ${certificates[0]?.id ?? 0} and ${certificates.at(-1)?.id ?? 0}`;
  const { rows } = await sql<{ changes: number }>`
    with known as (
      select c.*, batch.malformed, registry.certification_id is not null as has_registry,
        listed.active, least(listed.expires_on, c.review_expires_on) as ends_on
      from unnest(
        ${certificates.map(({ id }) => id)}::bigint[], ${certificates.map(({ isMalformed }) => isMalformed)}::boolean[]
      ) batch (id, malformed)
      join certificates c on c.brand_id = ${brandId} and c.id = batch.id and c.id ${range}
      left join registries registry on registry.certification_id = c.certification_id
      left join lateral (
        select r.active, r.expires_on from registry_certificates r
        where r.certification_id = c.certification_id and r.external_certificate_id = c.external_certificate_id
        offset 0
      ) listed on true
    ), reasoned as (
      select *, case
        when review = 'rejected' then 'rejected:' || review_note
        when malformed and review is null then 'pattern'
        when ends_on < ${today}::date then 'expired:' || ends_on
        when not active then 'not_active'
        when review = 'approved' then 'approved:' || review_note
        when active then 'listed' || coalesce(':' || ends_on, '')
        when has_registry then 'not_listed'
        else 'no_registry'
      end as found
      from known
    ), judged as (
      select *, case split_part(found, ':', 1)
        when 'listed' then 'validated'
        when 'approved' then 'validated'
        when 'no_registry' then 'pending'
        else 'invalid'
      end as verdict
      from reasoned
    ), changed as (
      update certificates c set status = j.verdict, reason = j.found, expires_on = j.ends_on
      from judged j
      where c.brand_id = ${brandId} and c.id = j.id and c.id ${range}
        and (c.status, c.reason, c.expires_on) is distinct from (j.verdict, j.found, j.ends_on)
      returning c.brand_id, c.id, c.certification_id, c.external_certificate_id, j.status as was, c.status, c.reason
    ), audited as (${auditOfChanges})
    select count(*) as changes from changed where was <> status
  `.execute(db);
  await useNestedLoops(db, true);
  return rows[0]?.changes ?? 0;
}

/**
 * Certificates that have just been imported are not in PostgreSQL's statistics yet: it takes a batch for one row and compares each
 * with each (44 s for 5,000; 0.1 with a hash).
 */
async function useNestedLoops(db: Db, isAllowed: boolean): Promise<void> {
  await setForTransaction(db, { enable_nestloop: String(isAllowed) });
}

/** Of all brands, so many at the most; tells how many it found. Locks the brand of each before it: see `shareBrand`. */
export async function expireStatuses(db: Db, { today, limit }: { today: string; limit: number }): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    with due as materialized (
      select c.brand_id, c.id from certificates c join brands b on b.id = c.brand_id
      where c.status = 'validated' and c.expires_on < ${today}::date
      order by c.brand_id, c.id limit ${limit} for key share of b for no key update of c
    ), changed as (
      update certificates c set status = 'invalid', reason = 'expired:' || c.expires_on
      from due where c.brand_id = due.brand_id and c.id = due.id
      returning c.brand_id, c.id, c.certification_id, c.external_certificate_id, 'validated' as was, c.status, c.reason
    ), audited as (${auditOfChanges})
    select count(*) as changes from changed
  `.execute(db);
  return rows[0]?.changes ?? 0;
}
