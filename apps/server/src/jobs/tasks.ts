import type { FastifyBaseLogger } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Db } from '../db/database.ts';
import { purgeSignIns } from '../modules/audit/audit.ts';
import { expireCertificates, validateCertificates } from '../modules/certificates/validation.ts';
import { purgeSessions } from '../modules/identity/sessions.ts';
import { purgeImports } from '../modules/import/receipts.ts';
import type { Mailer } from '../modules/mail/mailer.ts';
import {
  sendAddedNotice,
  sendInvitation,
  sendRemovedNotice,
  sendRoleNotice,
} from '../modules/onboarding/member-mails.ts';
import { purgeInvitations } from '../modules/onboarding/purge.ts';
import type { Channel } from '../modules/publishing/channel.ts';
import { deliverDue } from '../modules/publishing/delivery.ts';
import { indexNewVariants } from '../modules/variants/variant-search.ts';
import type { ClockItem } from './clock.queries.ts';

export interface TaskDependencies {
  readonly db: Db;
  /** Absent: mails wait. */
  readonly mailer?: Mailer | undefined;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
  /** Absent: deliveries wait. */
  readonly channel?: Channel | undefined;
  /** Long jobs begin nothing new after this. */
  readonly stopping?: AbortSignal | undefined;
  /** Of an embedded identity provider: the jobs that send its mails. */
  readonly providerMailTasks?: ((mailer: Mailer) => TaskList) | undefined;
  /** Of an embedded identity provider: deletes what is past its time, and tells how many rows that were. */
  readonly purgeIdentityProvider?: (() => Promise<number>) | undefined;
}

interface ValidationJob {
  readonly brand_id: number;
}

/** Every kind of job, by the name under which it is queued. A task that throws is run again later. */
export function createTasks(deps: TaskDependencies): TaskList {
  return {
    ...(deps.mailer && createMailTasks({ ...deps, mailer: deps.mailer })),
    index_variants: () => indexVariants(deps),
    deliver: () => deliver(deps),
    validate_certificates: (job) => validate(deps, job as ValidationJob),
    expire_certificates: () => expire(deps),
    purge: () => purge(deps),
  };
}

/**
 * Without a mail server these are unknown to the worker, which leaves jobs it does not know alone. A task that fails instead
 * would be given up after 25 tries, which is four days.
 */
function createMailTasks(deps: TaskDependencies & { readonly mailer: Mailer }): TaskList {
  return {
    send_invitation: (job) => sendInvitation(deps, job as Parameters<typeof sendInvitation>[1]),
    send_added_notice: (job) => sendAddedNotice(deps, job as Parameters<typeof sendAddedNotice>[1]),
    send_role_notice: (job) => sendRoleNotice(deps, job as Parameters<typeof sendRoleNotice>[1]),
    send_removed_notice: (job) => sendRemovedNotice(deps, job as Parameters<typeof sendRemovedNotice>[1]),
    ...deps.providerMailTasks?.(deps.mailer),
  };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What runs by the clock, wherever several servers share a database only once. */
export const CLOCK_ITEMS: readonly ClockItem[] = [
  // What was written in bulk is found before that too, only more slowly; an idle minute costs one query.
  { task: 'index_variants', everySeconds: MINUTE, maxAttempts: 1 },
  // Publishing queues its own job; this one is for what changed elsewhere, for retries and for verdicts.
  { task: 'deliver', everySeconds: MINUTE, maxAttempts: 1, queueName: 'channel' },
  { task: 'purge', everySeconds: HOUR, afterSeconds: 17 * MINUTE, maxAttempts: 3 },
  // Right after the day has changed; a server that slept over it makes up for it.
  { task: 'expire_certificates', everySeconds: DAY, afterSeconds: MINUTE, maxAttempts: 5 },
];

async function indexVariants({ db, logger, stopping }: TaskDependencies): Promise<void> {
  const variants = await indexNewVariants(db, stopping);
  if (variants > 0) logger.debug({ variants }, 'Put new variants into the search index');
}

async function validate({ db, logger }: TaskDependencies, { brand_id }: ValidationJob): Promise<void> {
  const changes = await validateCertificates(db, brand_id);
  logger.debug({ brand_id, changes }, 'Validated the certificates of a brand');
}

async function expire({ db, logger }: TaskDependencies): Promise<void> {
  const certificates = await expireCertificates(db);
  if (certificates > 0) logger.info({ certificates }, 'Certificates have expired');
}

async function deliver(deps: TaskDependencies): Promise<void> {
  const calls = await deliverDue(deps);
  if (calls > 0) deps.logger.debug({ calls }, 'Delivered to the channel');
}

async function purge({ db, logger, purgeIdentityProvider }: TaskDependencies): Promise<void> {
  const sessions = await purgeSessions(db);
  const invitations = await purgeInvitations(db);
  const rejectedRows = await purgeImports(db);
  const signIns = await purgeSignIns(db);
  const provider = (await purgeIdentityProvider?.()) ?? 0;
  logger.debug({ sessions, invitations, rejectedRows, signIns, provider }, 'Deleted what is past its time');
}
