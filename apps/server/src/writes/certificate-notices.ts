import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Rows } from '../db/fragments.ts';
import { scheduleWork, setDueWork } from './due-work.ts';

/**
 * Notices about certificates for owners and admins. Each is mailed once (docs/decisions/0014-certificates-that-end.md). Call them in a
 * transaction that has locked the brand.
 */

/** Days before the expiry date. */
const THRESHOLDS = [60, 30, 7, 0] as const;

/** The certificates are valid again: deletes the notices that they are invalid, so that a later problem is reported. */
export async function deleteInvalidNotices(db: Db, brandId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from certificate_notices
    where brand_id = ${brandId} and certificate_id = any (${ids}::bigint[]) and notice like 'invalid:%'
  `.execute(db);
}

/** Expiry dates have changed, or certificates turned invalid: the next mail job checks all of them. */
export async function scheduleNotices(db: Db, brandId: number): Promise<void> {
  await scheduleWork(db, brandId, 'mail_certificates');
}

export interface Notice {
  readonly certificate_id: number;
  readonly notice: string;
}

/**
 * What is due on that day and has not been sent. "Has expired" and "expires today" are one notice.
 * `except`, not `not exists`: without statistics of the brand, PostgreSQL would read all its notices for each certificate.
 */
export function dueNotices(brandId: number, day: string): Rows<Notice> {
  return sql`
    select due.certificate_id, due.notice collate "C" as notice from (
      select c.id as certificate_id,
        case when c.expires_on <= ${day}::date then 0 when c.expires_on <= ${day}::date + 7 then 7
          when c.expires_on <= ${day}::date + 30 then 30 else 60 end || ':' || c.expires_on as notice
      from certificates c
      where c.brand_id = ${brandId} and c.status = 'validated' and c.expires_on <= ${day}::date + 60
      union all
      select c.id, case when c.reason like 'expired:%' then '0' || substr(c.reason, 8) else 'invalid:' || c.reason end
      from certificates c where c.brand_id = ${brandId} and c.status = 'invalid' and c.turned_invalid
    ) due
    except select certificate_id, notice from certificate_notices where brand_id = ${brandId}`;
}

/** The notices that the mail of that day contained. */
export function sentNotices(brandId: number, day: string): Rows<Notice> {
  return sql`select certificate_id, notice from certificate_notices where brand_id = ${brandId} and told_on = ${day}::date`;
}

/**
 * Marks all due notices as sent on that day and returns how many. A brand gets one mail a day, so this returns 0 after the first. The audit log
 * decides that, because notices are deleted with their certificates.
 */
export async function markNoticesSent(db: Db, brandId: number, day: string): Promise<number> {
  const { rows } = await sql`
    select from audit_log where brand_id = ${brandId} and action = 'certificates.mailed' and details->>'day' = ${day} limit 1
  `.execute(db);
  if (rows.length > 0) return 0;
  const { numAffectedRows } = await sql`
    insert into certificate_notices (brand_id, certificate_id, notice, told_on)
    select ${brandId}::bigint, told.certificate_id, told.notice, ${day}::date from (${dueNotices(brandId, day)}) told
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** After the mail of that day: schedules the next day on which a notice can be due. */
export async function setNextNotices(db: Db, brandId: number, day: string): Promise<void> {
  const perThreshold = THRESHOLDS.map(
    (days): Rows<{ day: string | null }> => sql`
      select min(c.expires_on) - ${days}::int as day from certificates c
      where c.brand_id = ${brandId} and c.status = 'validated' and c.expires_on > ${day}::date + ${days}::int`,
  );
  const { rows } = await sql<{ day: string | null; is_waiting: boolean }>`
    select min(next.day)::text as day, exists (${dueNotices(brandId, day)}) as is_waiting
    from (${sql.join(perThreshold, sql` union all `)}) next
  `.execute(db);
  const { day: next, is_waiting } = rows[0] ?? { day: null, is_waiting: false };
  const tomorrow = new Date(Date.parse(day) + 86_400_000);
  await setDueWork(db, brandId, 'mail_certificates', is_waiting ? tomorrow : next ? new Date(next) : undefined);
}

export interface NoticedCertificate {
  readonly external_certificate_id: string;
  readonly certification: string;
  readonly status: string;
  readonly reason: string;
  /** A day such as 2027-01-31. */
  readonly expires_on: string | null;
  readonly variants: number;
}

/** `notices`: `dueNotices` or `sentNotices`. Invalid certificates first, then by expiry date. */
export async function listNoticedCertificates(
  db: Db,
  brandId: number,
  notices: Rows<Notice>,
  limit: number,
): Promise<{ certificates: NoticedCertificate[]; total: number }> {
  const { rows } = await sql<NoticedCertificate & { total: number }>`
    select c.external_certificate_id, n.name as certification, c.status, c.reason, c.expires_on::text as expires_on,
      (select count(*) from variant_certificates l where l.brand_id = ${brandId} and l.certificate_id = c.id) as variants,
      count(*) over () as total
    from (${notices}) told
    join certificates c on c.brand_id = ${brandId} and c.id = told.certificate_id
    join certifications n on n.id = c.certification_id
    order by c.status = 'validated', c.expires_on, c.id limit ${limit}
  `.execute(db);
  return { certificates: rows.map(({ total: _, ...certificate }) => certificate), total: rows[0]?.total ?? 0 };
}
