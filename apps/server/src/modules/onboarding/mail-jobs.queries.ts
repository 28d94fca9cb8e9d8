import type { Language } from '@brand-portal/contract/constants';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** What travels in a job; the token is not among it, because it is made when the mail is sent. */
export interface InvitationJob {
  readonly brand_id: number;
  readonly user_id: number;
}

export interface AddedNoticeJob {
  readonly brand_id: number;
  readonly user_id: number;
  readonly language: Language;
  readonly added_by: number | null;
}

export interface RoleNoticeJob {
  readonly brand_id: number;
  readonly user_id: number;
  readonly changed_by: number | null;
}

/** With the brand's name: when the mail is sent, membership and brand may be gone. */
export interface RemovedNoticeJob {
  readonly user_id: number;
  readonly brand_name: string;
  readonly removed_by: number | null;
}

/** Committed with what caused it. One that still waits for the same invitation is replaced. */
export async function queueInvitation(db: Db, job: InvitationJob): Promise<void> {
  await sql`
    select graphile_worker.add_job('send_invitation', ${JSON.stringify(job)}::json, job_key => ${invitationKey(job)})
  `.execute(db);
}

/** Without this a mail that is being tried again and again would replace the link that the operator hands over. */
export async function cancelInvitation(db: Db, job: InvitationJob): Promise<void> {
  await sql`select graphile_worker.remove_job(${invitationKey(job)})`.execute(db);
}

export async function queueAddedNotice(db: Db, job: AddedNoticeJob): Promise<void> {
  await sql`select graphile_worker.add_job('send_added_notice', ${JSON.stringify(job)}::json)`.execute(db);
}

/** By the member's and the brand's ids: a change that still waits to be told is told as the latest one. */
export async function queueRoleNotice(db: Db, job: RoleNoticeJob): Promise<void> {
  const key = `role:${job.brand_id}:${job.user_id}`;
  await sql`
    select graphile_worker.add_job('send_role_notice', ${JSON.stringify(job)}::json, job_key => ${key})
  `.execute(db);
}

export async function queueRemovedNotice(db: Db, job: RemovedNoticeJob): Promise<void> {
  await sql`select graphile_worker.add_job('send_removed_notice', ${JSON.stringify(job)}::json)`.execute(db);
}

function invitationKey({ brand_id, user_id }: InvitationJob): string {
  return `invitation:${brand_id}:${user_id}`;
}
