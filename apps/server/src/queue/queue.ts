import type { Language } from '@brand-portal/contract/constants';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition } from '../db/fragments.ts';

/** Every kind of job with its payload. tasks.ts implements them. */
export interface Jobs {
  /** Works on the brand's next import, if that is a file, corrected rows or an undo. */
  readonly import: { readonly brand_id: number };
  /** The same, if that is an action on variants: these wait for no other brand's files. */
  readonly act: { readonly brand_id: number };
  readonly index_variants: Record<string, never>;
  readonly count_large_brands: Record<string, never>;
  /** After a bulk change, without its lock. */
  readonly refresh_statistics: { readonly table: 'variants' | 'certificates' | 'variant_certificates' | 'deliveries' };
  readonly expire_certificates: Record<string, never>;
  /** Decides which brands get a mail about their certificates today. */
  readonly mail_certificates: Record<string, never>;
  readonly purge: Record<string, never>;
  /** `after`: the id of the last certificate that an earlier job validated. */
  readonly validate_certificates: { readonly brand_id: number; readonly after?: number };
  /** Queues `validate_certificates` for each brand that has certificates of the certification. */
  readonly revalidate_certification: { readonly certification_id: number };
  /** Without the token of the link, which is created when the mail is sent. */
  readonly send_invitation: { readonly brand_id: number; readonly user_id: number };
  readonly send_added_notice: {
    readonly brand_id: number;
    readonly user_id: number;
    readonly language: Language;
    readonly added_by: number | null;
  };
  readonly send_role_notice: {
    readonly brand_id: number;
    readonly user_id: number;
    readonly changed_by: number | null;
  };
  /** Contains the brand's name: membership and brand may be deleted when the mail is sent. */
  readonly send_removed_notice: {
    readonly user_id: number;
    readonly brand_name: string;
    readonly removed_by: number | null;
  };
  /** To an owner: a person who created API keys or the feed URL may no longer do so. Without the person's name, which may be deleted. */
  readonly send_keys_notice: {
    readonly brand_id: number;
    readonly user_id: number;
    readonly member_id: number;
    readonly change: 'removed' | 'left' | 'demoted';
    /** The first keys by name, and how many there are. */
    readonly names: readonly string[];
    readonly count: number;
    readonly feed: boolean;
    readonly revoked: boolean;
    readonly changed_by: number | null;
  };
  /** The content of the brand's mail of that day is read when it is sent. */
  readonly send_certificate_notice: { readonly brand_id: number; readonly user_id: number; readonly day: string };
}

export type JobName = keyof Jobs;

interface JobOptions {
  /** Replaces a queued job with the same key. If one is running, a second is queued. */
  readonly key?: string;
  /** Jobs of a queue run one after the other. */
  readonly queue?: string;
  readonly afterMs?: number;
  /** Keeps the place of a queued job with the same key. */
  readonly preserveRunAt?: boolean;
}

/** Call it in the transaction that causes the job, so that both commit together. */
export async function queueJob<Name extends JobName>(
  db: Db,
  name: Name,
  payload: Jobs[Name],
  { key, queue, afterMs, preserveRunAt = false }: JobOptions = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      job_key => ${key ?? null}, job_key_mode => ${preserveRunAt ? 'preserve_run_at' : 'replace'}, queue_name => ${queue ?? null},
      run_at => ${afterMs === undefined ? sql`null` : sql`now() + ${afterMs} * interval '1 millisecond'`})
  `.execute(db);
}

export async function cancelJob(db: Db, key: string): Promise<void> {
  await sql`select graphile_worker.remove_job(${key})`.execute(db);
}

export interface FailedJob {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly last_error: string;
  readonly created_at: Date;
  readonly run_at: Date;
}

/** Has failed at least once and is not running now. */
const IS_FAILING: Condition = sql`attempts > 0 and last_error is not null and locked_at is null`;

/** Oldest first. */
export async function listFailingJobs(db: Db, limit: number): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select id::text, task_identifier as task, attempts, max_attempts, left(last_error, 2000) as last_error, created_at, run_at
    from graphile_worker.jobs where ${IS_FAILING} order by created_at, id limit ${limit}
  `.execute(db);
  return rows;
}

async function findFailingTask(db: Db, jobId: number): Promise<string | undefined> {
  const { rows } = await sql<{ task: string }>`
    select task_identifier as task from graphile_worker.jobs where id = ${jobId} and ${IS_FAILING}
  `.execute(db);
  return rows[0]?.task;
}

/** Returns the name of its task. Undefined if no such job is failing, or a worker has just locked it. */
export async function retryFailingJob(db: Db, jobId: number): Promise<string | undefined> {
  const task = await findFailingTask(db, jobId);
  if (task === undefined) return undefined;
  const { rows } = await sql`
    select id from graphile_worker.reschedule_jobs(array[${jobId}::bigint], run_at => now(), attempts => 0)
  `.execute(db);
  return rows.length > 0 ? task : undefined;
}

/** Returns the same as `retryFailingJob`. */
export async function deleteFailingJob(db: Db, jobId: number): Promise<string | undefined> {
  const task = await findFailingTask(db, jobId);
  if (task === undefined) return undefined;
  const { rows } = await sql`select id from graphile_worker.complete_jobs(array[${jobId}::bigint])`.execute(db);
  return rows.length > 0 ? task : undefined;
}

/** Every queue that was ever used has a row, which each look for a job reads. */
export async function deleteEmptyQueues(db: Db): Promise<void> {
  await sql`
    delete from graphile_worker._private_job_queues where id in (
      select id from graphile_worker._private_job_queues q
      where locked_at is null and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id)
      for update skip locked
    )
  `.execute(db);
}

/** Tasks that are queued only with a key. */
const KEYED: readonly JobName[] = [
  'import',
  'act',
  'index_variants',
  'expire_certificates',
  'mail_certificates',
  'purge',
  'count_large_brands',
  'refresh_statistics',
  'validate_certificates',
  'revalidate_certification',
  'send_invitation',
  'send_role_notice',
];

/**
 * A job whose key was queued again while it ran has lost its key and its further attempts. If it fails or its server stops, it would stay
 * as failed, although the new one does its work.
 */
export async function deleteReplacedJobs(db: Db): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where task_identifier = any (${KEYED}::text[]) and key is null and locked_at is null and attempts >= max_attempts
    ))
  `.execute(db);
}
