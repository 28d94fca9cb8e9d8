import type { CertificateStatus } from '@brand-portal/contract/certificates';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition, Ids, Rows } from '../db/fragments.ts';
import { readIds, withSettings } from '../db/statements.ts';
import { queueJob } from '../queue/queue.ts';
import { deleteInvalidNotices, scheduleNotices } from './certificate-notices.ts';
import { outdateDeliveries } from './deliveries.ts';
import { setDueWork } from './due-work.ts';
import { beginOfDay, listCountries } from './expiry-days.ts';
import { recountLater } from './kept-counts.ts';
import { refreshStatisticsLater } from './statistics.ts';
import { findLastId, type Inserted, setHasCerts, variantsOf } from './variants.ts';

/**
 * Writes of certificates and of their links to variants, with what follows from them. Only `updateReviews` leaves that to `updateStatuses`.
 * Deleting and restoring variants writes links as well (variants.ts, deletions.ts). Call them in a transaction that has locked the brand.
 * A change sends variants again only if the channel shows the certificate before or after it, which it does while it is validated.
 */

export interface NewCertificate {
  readonly brand_id: number;
  readonly certification_id: number;
  readonly external_certificate_id: string;
  readonly id_key: string;
}

/** A job validates them. */
export async function insertCertificates(db: Db, brandId: number, rows: Rows<NewCertificate>): Promise<Inserted> {
  const after = await findLastId(db, 'certificates', brandId);
  const { numAffectedRows } = await sql`
    insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
    select r.*, search_key(r.external_certificate_id), id_sort_key(r.external_certificate_id)
    from (${rows}) r (brand_id, certification_id, external_certificate_id, id_key)
  `.execute(db);
  if (!numAffectedRows) return { count: 0, after, to: after };
  await refreshStatisticsLater(db, 'certificates', numAffectedRows);
  await queueValidation(db, brandId);
  return { count: Number(numAffectedRows), after, to: await findLastId(db, 'certificates', brandId) };
}

/** A certificate's page at its issuer. */
export interface NamedLink {
  readonly certification_id: number;
  readonly id_key: string;
  readonly link: string;
}

/**
 * The links of valid certificates are sent to the channel. An import stores the previous links for its undo: of certificates that existed
 * before, up to the id `foundTo`.
 */
export async function updateCertificateLinks(
  db: Db,
  brandId: number,
  links: Rows<NamedLink>,
  { importId, foundTo }: { readonly importId: number | null; readonly foundTo: number } = {
    importId: null,
    foundTo: 0,
  },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with named (certification_id, id_key, link) as (${links}), changing as (
      select c.id, c.link as old_link, named.link as new_link from certificates c
      join named on c.certification_id = named.certification_id and c.id_key = named.id_key and c.link <> named.link
      where c.brand_id = ${brandId}
    ), kept as (
      insert into import_certificate_links (brand_id, import_id, certificate_id, old_link, new_link)
      select ${brandId}::bigint, ${importId}::bigint, id, old_link, new_link from changing
      where ${importId}::bigint is not null and id <= ${foundTo}
    ), changed as (
      update certificates c set link = changing.new_link from changing where c.brand_id = ${brandId} and c.id = changing.id
      returning c.id, c.status
    )
    select id from changed where status = 'validated'
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await outdateVariantsOf(db, brandId, ids);
}

/** The variants with these certificates are sent to the channel again. */
function outdateVariantsOf(db: Db, brandId: number, ids: readonly number[]): Promise<void> {
  return outdateDeliveries(
    db,
    brandId,
    sql`select variant_id from variant_certificates where brand_id = ${brandId} and certificate_id = any (${ids}::bigint[])`,
  );
}

/** Replaces a queued job of the brand. A running one is followed by another. */
export function queueValidation(db: Db, brandId: number): Promise<void> {
  return queueJob(db, 'validate_certificates', { brand_id: brandId }, { key: `validate_certificates:${brandId}` });
}

/** A new link of a variant to a certificate. */
export interface NewLink {
  readonly brand_id: number;
  readonly variant_id: number;
  readonly certificate_id: number;
}

interface LinksOfImport {
  readonly importId: number | null;
  /** The variants that were there before. Those that the import has created were inserted as certified, and are sent anyway. */
  readonly known: Ids;
}

export async function insertLinks(
  db: Db,
  brandId: number,
  links: Rows<NewLink>,
  { importId = null, known }: Partial<LinksOfImport> = {},
): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into variant_certificates (brand_id, variant_id, certificate_id, import_id)
    select brand_id, variant_id, certificate_id, ${importId}::bigint from (${links}) l (brand_id, variant_id, certificate_id)
  `.execute(db);
  await refreshStatisticsLater(db, 'variant_certificates', numAffectedRows);
  const linked: Ids = sql`select variant_id from (${links}) l (brand_id, variant_id, certificate_id)`;
  await setHasCerts(db, brandId, true, await variantsOf(db, known ?? linked));
  const isKnown: Condition = known ? sql`variant_id = any (${await readIds(db, known)})` : sql`true`;
  await outdateDeliveries(
    db,
    brandId,
    sql`
      select variant_id from (${links}) l (brand_id, variant_id, certificate_id)
      where l.certificate_id = any (array(select id from certificates where brand_id = ${brandId} and status = 'validated')) and ${isKnown}`,
  );
  await recountLater(db, brandId);
}

/** `which` is a condition on rows of `variant_certificates`. */
export async function deleteLinks(db: Db, brandId: number, which: Condition): Promise<void> {
  const { rows } = await sql<{ variant_id: number; certificate_id: number }>`
    delete from variant_certificates where brand_id = ${brandId} and ${which} returning variant_id, certificate_id
  `.execute(db);
  const ids = [...new Set(rows.map(({ variant_id }) => variant_id))];
  const certificateIds = rows.map(({ certificate_id }) => certificate_id);
  await outdateDeliveries(
    db,
    brandId,
    sql`
      select l.variant_id from unnest(${rows.map(({ variant_id }) => variant_id)}::bigint[], ${certificateIds}::bigint[]) l (variant_id, certificate_id)
      join certificates c on c.brand_id = ${brandId} and c.id = l.certificate_id and c.status = 'validated'`,
  );
  const hasNone: Condition = sql`not exists (
    select from variant_certificates l where l.brand_id = ${brandId} and l.variant_id = variants.id
  )`;
  await setHasCerts(db, brandId, false, sql`id = any (${ids}::bigint[]) and ${hasNone}`);
  await recountLater(db, brandId);
}

/** Deletes certificates with their links. Returns how many certificates. `which` is a condition on rows of `certificates`. */
export async function deleteCertificates(db: Db, brandId: number, which: Condition): Promise<number> {
  const chosen: Ids = sql`select id from certificates where brand_id = ${brandId} and ${which}`;
  await deleteLinks(db, brandId, sql`certificate_id = any (array(${chosen}))`);
  await sql`
    delete from certificate_notices where brand_id = ${brandId} and certificate_id = any (array(${chosen}))
  `.execute(db);
  const { numAffectedRows } = await sql`
    delete from certificates where brand_id = ${brandId} and ${which}
  `.execute(db);
  await setNextExpiry(db, brandId);
  await setReviewDue(db, brandId);
  return Number(numAffectedRows ?? 0);
}

/** Replaces one certificate by another in all variants, including deleted ones that can be restored. Deletes the first one. */
export async function replaceCertificate(db: Db, brandId: number, fromId: number, toId: number): Promise<void> {
  // Read before the insert: afterwards all of them have it.
  const { rows } = await sql<{ variant_id: number }>`
    select l.variant_id from variant_certificates l
    where l.brand_id = ${brandId} and l.certificate_id = ${fromId} and not exists (
      select from variant_certificates k
      where k.brand_id = ${brandId} and k.variant_id = l.variant_id and k.certificate_id = ${toId})
  `.execute(db);
  const ids = rows.map(({ variant_id }) => variant_id);
  await insertLinks(db, brandId, sql`select ${brandId}::bigint, variant_id, ${toId}::bigint from unnest(${ids}::bigint[]) variant_id`);
  // The new link belongs to no import, so undoing the import of the old one keeps it.
  await sql`
    update deleted_variants set certificate_ids = array_replace(certificate_ids, ${fromId}::bigint, ${toId}::bigint),
      import_ids = array(
        select case when l.certificate_id <> ${fromId} then l.import_id end
        from unnest(certificate_ids, import_ids) with ordinality l (certificate_id, import_id, place) order by l.place)
    where brand_id = ${brandId} and ${fromId} = any (certificate_ids)
  `.execute(db);
  await deleteCertificates(db, brandId, sql`id = ${fromId}`);
}

export interface Review {
  readonly verdict: 'approved' | 'rejected';
  readonly note: string;
  /** The last day of an approval. */
  readonly expiresOn?: string | undefined;
}

/** Sets the review of these certificates; undefined withdraws it. `updateStatuses` follows with the effects. */
export async function updateReviews(db: Db, brandId: number, ids: readonly number[], review: Review | undefined): Promise<void> {
  await sql`
    update certificates
    set review = ${review?.verdict ?? null}, review_note = ${review?.note ?? ''},
      review_expires_on = ${review?.expiresOn ?? null}::date
    where brand_id = ${brandId} and id = any (${ids}::bigint[])
  `.execute(db);
}

interface Judgement {
  readonly brandId: number;
  /** Some, or all in a range of ids: a list of thousands would take ten times as long to look up. */
  readonly which:
    | { readonly ids: readonly number[] }
    | { readonly from: number; readonly to: number; readonly certificationId: number | undefined };
  /** Those whose id cannot be an id of their certification. */
  readonly malformedIds: readonly number[];
  readonly today: string;
}

function isJudged({ which }: Judgement): Condition {
  if ('ids' in which) return sql`c.id = any (${which.ids}::bigint[])`;
  const isOfCertification: Condition = which.certificationId === undefined ? sql`true` : sql`c.certification_id = ${which.certificationId}`;
  return sql`c.id between ${which.from} and ${which.to} and ${isOfCertification}`;
}

/** Only the columns that the update reads. */
interface KnownCertificate {
  readonly id: number;
  readonly status: CertificateStatus;
  readonly reason: string;
  readonly ends_on: string | null;
}
interface ReasonedCertificate extends KnownCertificate {
  readonly found: string;
}
interface JudgedCertificate extends ReasonedCertificate {
  readonly verdict: CertificateStatus;
}

/** `offset 0` forces one index lookup per certificate: for a batch the planner would scan a registry of a million. */
function selectKnown(judgement: Judgement): Rows<KnownCertificate> {
  return sql`
    select c.*, c.id = any (${judgement.malformedIds}::bigint[]) as malformed, registry.certification_id is not null as has_registry,
      listed.active, least(listed.expires_on, c.review_expires_on) as ends_on
    from certificates c
    left join registries registry on registry.certification_id = c.certification_id
    left join lateral (
      select r.active, r.expires_on from registry_certificates r
      where r.certification_id = c.certification_id and r.id_key = c.id_key
      offset 0
    ) listed on true
    where c.brand_id = ${judgement.brandId} and ${isJudged(judgement)}`;
}

/** From `known`: each certificate with the reason that follows from review, id and registry, the first that applies. */
function selectReasoned({ today }: Judgement): Rows<ReasonedCertificate> {
  return sql`
    select *, case
      when review = 'rejected' then 'rejected:' || review_note
      when malformed and review is null then 'pattern'
      when ends_on < ${today}::date then 'expired:' || ends_on
      when not active then 'not_active'
      when review = 'approved' then 'approved:' || review_note
      when active then 'listed' || coalesce(':' || ends_on, '')
      when has_registry then 'not_listed'
      when split_part(reason, ':', 1) = 'no_registry' then reason
      -- Members read since when it waits: not since tomorrow, where the brand's day begins before UTC's.
      else 'no_registry:' || least(${today}::date, (now() at time zone 'utc')::date)
    end as found
    from known`;
}

/** From `reasoned`. Not "case x when": Citus cannot deparse that in a statement with parameters. */
const SELECT_JUDGED: Rows<JudgedCertificate> = sql`
  select *, case
    when split_part(found, ':', 1) in ('listed', 'approved') then 'validated'
    when split_part(found, ':', 1) = 'no_registry' then 'pending'
    else 'invalid'
  end as verdict
  from reasoned`;

/** Writes what differs and returns how many statuses changed. */
export async function updateStatuses(db: Db, judgement: Judgement): Promise<number> {
  const { brandId } = judgement;
  const { rows } = await withoutNestedLoops(db, (db) =>
    sql<Change>`
    with known as (${selectKnown(judgement)}), reasoned as (${selectReasoned(judgement)}), judged as materialized (${SELECT_JUDGED}),
    changed as (
      update certificates c set status = j.verdict, reason = j.found, expires_on = j.ends_on, turned_invalid = j.verdict = 'invalid'
        and case when j.status = 'invalid' then j.turned_invalid else j.reason <> '' end
      from judged j
      where c.brand_id = ${brandId} and c.id = j.id and ${isJudged(judgement)}
        and (c.status, c.reason, c.expires_on) is distinct from (j.verdict, j.found, j.ends_on)
      returning c.id, c.reason, j.status as was, c.status, j.reason <> '' as was_judged,
        (c.status = 'validated' or j.status = 'validated') and (c.status <> j.status or c.expires_on is distinct from j.expires_on) as is_visible
    )
    ${SELECT_CHANGES}
  `.execute(db),
  );
  return handleChanges(db, brandId, rows);
}

export interface StatusChange {
  readonly from: CertificateStatus;
  readonly to: CertificateStatus;
  readonly certificates: number;
}

/** The statuses that `updateStatuses` would change, and writes nothing. */
export async function previewStatuses(db: Db, judgement: Judgement): Promise<StatusChange[]> {
  const { rows } = await withoutNestedLoops(db, (db) =>
    sql<StatusChange>`
    with known as (${selectKnown(judgement)}), reasoned as (${selectReasoned(judgement)}), judged as materialized (${SELECT_JUDGED})
    select status as from, verdict as to, count(*) as certificates from judged where status <> verdict group by status, verdict
  `.execute(db),
  );
  return rows;
}

/**
 * New certificates are not in PostgreSQL's statistics yet: it expects one row and chooses a nested loop (44 s for 5,000; 0.1 s with a hash
 * join). JIT is off, because the cost of a disabled join would trigger it for every statement, more than a second each.
 */
function withoutNestedLoops<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return withSettings(db, { enable_nestloop: 'off', jit: 'off' }, () => work(db));
}

/** Marks up to `limit` valid certificates with an expiry date before today as expired. Returns how many. */
export async function expireCertificates(
  db: Db,
  { brandId, today, limit }: { brandId: number; today: string; limit: number },
): Promise<number> {
  // By ctid, the row's place, which is found without an index. The brand's lock keeps the rows where they are.
  const { rows } = await sql<Change>`
    with due as (
      select ctid, 'expired:' || expires_on as reason from certificates
      where brand_id = ${brandId} and status = 'validated' and expires_on < ${today}::date order by expires_on limit ${limit}
    ), changed as (
      update certificates c set status = 'invalid', reason = due.reason, turned_invalid = true
      from due where c.brand_id = ${brandId} and c.ctid = due.ctid
      returning c.id, c.reason, 'validated' as was, c.status, true as was_judged, true as is_visible
    )
    ${SELECT_CHANGES}
  `.execute(db);
  // Without changes the work was due too early.
  if (rows.length === 0) await setNextExpiry(db, brandId);
  return handleChanges(db, brandId, rows);
}

/** Certificates that one statement changed in the same way. */
interface Change {
  readonly was: CertificateStatus;
  readonly status: CertificateStatus;
  readonly reason: string;
  /** False: this is its first status. The import shows it. */
  readonly was_judged: boolean;
  /** The channel shows it, or did. */
  readonly is_visible: boolean;
  readonly ids: readonly number[];
}

/** From `changed`. */
const SELECT_CHANGES: Rows<Change> = sql`
  select was, status, reason, was_judged, is_visible, json_agg(id) as ids from changed
  group by was, status, reason, was_judged, is_visible`;

/** Returns how many statuses changed: for the others, only the reason or the expiry date did. */
async function handleChanges(db: Db, brandId: number, changes: readonly Change[]): Promise<number> {
  if (changes.length === 0) return 0;
  const idsWhere = (isMeant: (change: Change) => boolean) => changes.filter(isMeant).flatMap(({ ids }) => ids);
  const isOther = ({ was, status }: Change) => was !== status;
  const visible = idsWhere(({ is_visible }) => is_visible);
  if (visible.length > 0) await outdateVariantsOf(db, brandId, visible);
  await auditStatuses(db, brandId, changes.filter(isOther));
  await deleteInvalidNotices(
    db,
    brandId,
    idsWhere((change) => isOther(change) && change.status === 'validated' && change.was_judged),
  );
  if (changes.some(({ status }) => status !== 'pending')) await scheduleNotices(db, brandId);
  await setNextExpiry(db, brandId);
  await setReviewDue(db, brandId);
  return idsWhere(isOther).length;
}

/** One entry for all certificates with the same change: the history stays readable after a registry is loaded. */
async function auditStatuses(db: Db, brandId: number, changes: readonly Change[]): Promise<void> {
  for (const alike of Map.groupBy(changes, ({ was, status }) => `${was} ${status}`).values()) {
    const firstId = Math.min(...alike.flatMap(({ ids }) => ids));
    const count = alike.reduce((sum, { ids }) => sum + ids.length, 0);
    const { rows } = await sql<{ id: number }>`
      insert into audit_log (brand_id, action, details)
      select ${brandId}::bigint, 'certificate.status_changed', jsonb_build_object('certificate_id', c.id, 'certification', n.name,
        'external_certificate_id', c.external_certificate_id, 'from', ${alike[0]?.was}::text, 'to', c.status, 'reason', c.reason,
        'changed', ${count}::int)
      from certificates c join certifications n on n.id = c.certification_id
      where c.brand_id = ${brandId} and c.id = ${firstId}
      returning id
    `.execute(db);
    const others = alike.map(({ ids, reason }) => ({
      reason,
      ids: ids.filter((id) => id !== firstId).sort((a, b) => a - b),
    }));
    await sql`
      insert into audit_certificates (brand_id, audit_id, first_id, last_id, reason, certificate_ids)
      select ${brandId}::bigint, ${rows[0]?.id}::bigint, ids[1], ids[cardinality(ids)], reason, ids
      from json_to_recordset(${JSON.stringify(others)}) alike (reason text, ids bigint[]) where ids <> '{}'
    `.execute(db);
  }
}

/** For the operator's queue: since when the brand's oldest pending certificate waits. */
async function setReviewDue(db: Db, brandId: number): Promise<void> {
  const { rows } = await sql<{ day: string | null }>`
    select split_part(min(reason), ':', 2) as day from certificates
    where brand_id = ${brandId} and status = 'pending' and reason <> ''
  `.execute(db);
  const day = rows[0]?.day;
  await setDueWork(db, brandId, 'review_certificates', day ? new Date(day) : undefined);
}

/** When the brand's next certificate expires, at the end of its last day (expiry-days.ts). */
export async function setNextExpiry(db: Db, brandId: number): Promise<void> {
  const { rows } = await sql<{ day: string | null }>`
    select (min(expires_on) + 1)::text as day from certificates
    where brand_id = ${brandId} and status = 'validated' and expires_on is not null
  `.execute(db);
  const day = rows[0]?.day;
  const dueAt = day ? beginOfDay(await listCountries(db, brandId), day) : undefined;
  await setDueWork(db, brandId, 'expire_certificates', dueAt);
}
