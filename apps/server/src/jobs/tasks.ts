import type { FastifyBaseLogger } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Db } from '../db/database.ts';
import { purgeSignIns } from '../modules/audit/audit.ts';
import { purgeBrands } from '../modules/brands/brand-deletion.ts';
import { queueCertificateMails, sendCertificateMail } from '../modules/certificates/certificate-mails.ts';
import { expireCertificates, validateCertificates } from '../modules/certificates/validation.ts';
import { purgeHistory } from '../modules/history/history.ts';
import { purgeSessions } from '../modules/identity/sessions.ts';
import { purgeImports } from '../modules/import/receipts.ts';
import type { Mailer } from '../modules/mail/mailer.ts';
import { purgeInvitations } from '../modules/members/invitations.ts';
import { sendAddedNotice, sendInvitation, sendRemovedNotice, sendRoleNotice } from '../modules/members/member-mails.ts';
import type { Channel } from '../modules/publishing/channel.ts';
import { sweepConnections } from '../modules/publishing/connections.ts';
import { deliverDue } from '../modules/publishing/delivery.ts';
import { purgeDeletions } from '../modules/variant-actions/deletions.ts';
import { indexNewVariants } from '../modules/variants/variant-search.ts';
import type { JobName, Jobs } from './queue.ts';

export interface TaskDependencies {
  readonly db: Db;
  /** Absent: mails wait. */
  readonly mailer?: Mailer | undefined;
  readonly publicUrl: string;
  /** Absent: a brand's history is kept forever. */
  readonly historyDays?: number | undefined;
  readonly logger: FastifyBaseLogger;
  /** Absent: deliveries wait. */
  readonly channel?: Channel | undefined;
  /** Long jobs begin nothing new after this. */
  readonly stopping?: AbortSignal | undefined;
  /** Of an embedded identity provider: the jobs that send its mails. */
  readonly providerMailTasks?: ((mailer: Mailer) => TaskList) | undefined;
  /** Of an embedded identity provider: deletes expired rows and returns how many. */
  readonly purgeIdentityProvider?: (() => Promise<number>) | undefined;
}

type Tasks = { readonly [Name in JobName]: (job: Jobs[Name]) => Promise<void> };

/** Every kind of job, by the name under which it is queued. A task that throws is run again later. */
export function createTasks(deps: TaskDependencies): TaskList {
  const { mailer } = deps;
  const tasks: Omit<Tasks, MailJob> = {
    index_variants: () => indexVariants(deps),
    deliver: () => deliver(deps),
    validate_certificates: (job) => validate(deps, job),
    expire_certificates: () => expire(deps),
    mail_certificates: () => mailCertificates(deps),
    purge: () => purge(deps),
  };
  return { ...tasks, ...(mailer && createMailTasks({ ...deps, mailer })) } as TaskList;
}

type MailJob = Extract<JobName, `send_${string}`>;

/**
 * Without a mail server these are unknown to the worker, which leaves jobs it does not know alone. A task that fails instead
 * would be given up after 25 tries, which is four days.
 */
function createMailTasks(deps: TaskDependencies & { readonly mailer: Mailer }): TaskList {
  const tasks: Pick<Tasks, MailJob> = {
    send_invitation: (job) => sendInvitation(deps, job),
    send_added_notice: (job) => sendAddedNotice(deps, job),
    send_role_notice: (job) => sendRoleNotice(deps, job),
    send_removed_notice: (job) => sendRemovedNotice(deps, job),
    send_certificate_notice: (job) => sendCertificateMail(deps, job),
  };
  return { ...tasks, ...deps.providerMailTasks?.(deps.mailer) } as TaskList;
}

/**
 * What runs on a schedule (UTC), wherever several servers share a database only once. One job of a kind waits, however often its time comes;
 * `preserve_run_at`, so that a server whose clock is ahead does not put it off again and again.
 */
export const CRONTAB = [
  // What was written is found before that too, only more slowly; an idle minute costs one query.
  '* * * * * index_variants ?jobKey=index_variants&jobKeyMode=preserve_run_at&max=1',
  // Whatever makes a delivery due queues its own job; this one is for what was forgotten when a server was killed.
  '* * * * * deliver ?jobKey=deliver&jobKeyMode=preserve_run_at&queue=channel&max=1',
  // Often enough that claims are withdrawn well within the hour that is left for it (LEAD_MS of expiry-days.ts).
  '*/10 * * * * expire_certificates ?jobKey=expire_certificates&jobKeyMode=preserve_run_at&max=5',
  // Once a day; made up for where no server ran at that time.
  '5 6 * * * mail_certificates ?fill=12h&jobKey=mail_certificates&jobKeyMode=preserve_run_at&max=10',
  '17 * * * * purge ?jobKey=purge&jobKeyMode=preserve_run_at&max=3',
].join('\n');

async function indexVariants({ db, logger, stopping }: TaskDependencies): Promise<void> {
  const variants = await indexNewVariants(db, stopping);
  if (variants > 0) logger.debug({ variants }, 'Put new variants into the search index');
}

async function validate({ db, logger }: TaskDependencies, { brand_id }: Jobs['validate_certificates']): Promise<void> {
  const changes = await validateCertificates(db, brand_id);
  logger.debug({ brand_id, changes }, 'Validated the certificates of a brand');
}

async function expire({ db, logger }: TaskDependencies): Promise<void> {
  const certificates = await expireCertificates(db);
  if (certificates > 0) logger.info({ certificates }, 'Certificates have expired');
}

async function mailCertificates({ db, logger }: TaskDependencies): Promise<void> {
  const mails = await queueCertificateMails(db);
  if (mails > 0) logger.info({ mails }, 'Owners and admins are told about certificates');
}

async function deliver(deps: TaskDependencies): Promise<void> {
  const calls = await deliverDue(deps);
  if (calls > 0) deps.logger.debug({ calls }, 'Delivered to the channel');
}

async function purge({ db, logger, historyDays, stopping, purgeIdentityProvider }: TaskDependencies): Promise<void> {
  const sessions = await purgeSessions(db);
  const invitations = await purgeInvitations(db);
  const rejectedRows = await purgeImports(db);
  const deletions = await purgeDeletions(db);
  const brands = await purgeBrands(db);
  const signIns = await purgeSignIns(db);
  const history = historyDays === undefined ? 0 : await purgeHistory(db, historyDays, stopping);
  await sweepConnections(db);
  const provider = (await purgeIdentityProvider?.()) ?? 0;
  logger.debug(
    { sessions, invitations, rejectedRows, deletions, brands, signIns, history, provider },
    'Deleted what is past its time',
  );
}
