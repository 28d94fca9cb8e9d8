import type { ImportKind } from '@brand-portal/contract/import';
import type { Quotas } from '@brand-portal/contract/quotas';
import type { FastifyBaseLogger } from 'fastify';
import type { TaskList } from 'graphile-worker';
import { purgeSignIns } from '../audit/audit.ts';
import { queueCertificateMails, sendCertificateMail } from '../catalog/certificates/certificate-mails.ts';
import { countCoverage } from '../catalog/certificates/coverage.ts';
import { expireCertificates, queueValidations, runValidation } from '../catalog/certificates/validation.ts';
import { indexNewVariants } from '../catalog/variants/variant-search.ts';
import { countReadyVariants } from '../catalog/variants/variants.ts';
import { sweepConnections } from '../channel/connections.ts';
import type { Db } from '../db/database.ts';
import type { Notices } from '../db/notices.ts';
import { CORRECTIONS_SOURCE } from '../imports/corrections.ts';
import { FILE_SOURCE } from '../imports/import.ts';
import { type ImportJobDependencies, runNextImport } from '../imports/import-job.ts';
import { purgeImports } from '../imports/receipts.ts';
import type { Source } from '../imports/source.ts';
import { UNDO_SOURCE } from '../imports/undo.ts';
import { purgeDeletions } from '../imports/variant-actions/deletions.ts';
import { ACTION_SOURCES } from '../imports/variant-actions/variant-actions.ts';
import type { Mailer } from '../mail/mailer.ts';
import { purgeHistory } from '../operations/history/history.ts';
import { purgeBrands } from '../people/brands/brand-deletion.ts';
import { purgeSessions } from '../people/identity/sessions.ts';
import { purgeInvitations } from '../people/members/invitations.ts';
import { sendAddedNotice, sendInvitation, sendKeysNotice, sendRemovedNotice, sendRoleNotice } from '../people/members/member-mails.ts';
import { deleteEmptyQueues, type JobName, type Jobs } from '../queue/queue.ts';
import { countLargeBrands } from '../writes/kept-counts.ts';
import { refreshStatistics } from '../writes/statistics.ts';

export interface TaskDependencies {
  readonly db: Db;
  /** Undefined: imports wait. */
  readonly imports?: { readonly notices: Notices; readonly quotas: Quotas } | undefined;
  /** Undefined: mails wait. */
  readonly mailer?: Mailer | undefined;
  readonly publicUrl: string;
  /** Undefined: history is kept forever. */
  readonly historyDays?: number | undefined;
  readonly logger: FastifyBaseLogger;
  /** Long jobs start nothing new after this. */
  readonly stopping?: AbortSignal | undefined;
  /** Embedded identity provider only: the jobs that send its mails. */
  readonly providerMailTasks?: ((mailer: Mailer) => TaskList) | undefined;
  /** Embedded identity provider only: deletes expired rows and returns how many. */
  readonly purgeIdentityProvider?: (() => Promise<number>) | undefined;
}

/** How each kind of bulk change is carried out. */
export const SOURCES: Readonly<Record<ImportKind, Source>> = {
  file: FILE_SOURCE,
  corrections: CORRECTIONS_SOURCE,
  undo: UNDO_SOURCE,
  ...ACTION_SOURCES,
};

type Tasks = { readonly [Name in JobName]: (job: Jobs[Name]) => Promise<void> };

/** Queued by servers up to version 1.0.1. A job of an unknown task would stay in the queue. */
const FORMER_TASKS: TaskList = { deliver: async () => {} };

/** Every kind of job, by the name under which it is queued. A task that throws is retried. */
export function createTasks(deps: TaskDependencies): TaskList {
  const { mailer, imports } = deps;
  const tasks: Omit<Tasks, MailJob | 'import' | 'act'> = {
    index_variants: () => indexVariants(deps),
    validate_certificates: (job) => validate(deps, job),
    revalidate_certification: (job) => queueValidations(deps.db, job.certification_id),
    count_large_brands: () => countLarge(deps),
    refresh_statistics: ({ table }) => refreshStatistics(deps.db, table),
    expire_certificates: () => expire(deps),
    mail_certificates: () => mailCertificates(deps),
    purge: () => purge(deps),
  };
  return {
    ...tasks,
    ...FORMER_TASKS,
    ...(imports && createImportTasks({ ...deps, ...imports })),
    ...(mailer && createMailTasks({ ...deps, mailer })),
  } as TaskList;
}

function createImportTasks(deps: Omit<ImportJobDependencies, 'sources'>): TaskList {
  const tasks: Pick<Tasks, 'import' | 'act'> = {
    import: ({ brand_id }) => runNextImport({ ...deps, sources: SOURCES }, brand_id, 'import'),
    act: ({ brand_id }) => runNextImport({ ...deps, sources: SOURCES }, brand_id, 'act'),
  };
  return tasks as TaskList;
}

type MailJob = Extract<JobName, `send_${string}`>;

/**
 * Without a mail server these tasks are not registered, and the worker leaves jobs of unknown tasks in the queue. A task that fails instead
 * would be abandoned after 25 attempts, which is four days.
 */
function createMailTasks(deps: TaskDependencies & { readonly mailer: Mailer }): TaskList {
  const tasks: Pick<Tasks, MailJob> = {
    send_invitation: (job) => sendInvitation(deps, job),
    send_added_notice: (job) => sendAddedNotice(deps, job),
    send_role_notice: (job) => sendRoleNotice(deps, job),
    send_keys_notice: (job) => sendKeysNotice(deps, job),
    send_removed_notice: (job) => sendRemovedNotice(deps, job),
    send_certificate_notice: (job) => sendCertificateMail(deps, job),
  };
  return { ...tasks, ...deps.providerMailTasks?.(deps.mailer) } as TaskList;
}

/**
 * The cron schedule (UTC). If several servers share a database, each run happens once. At most one job of a kind is queued.
 * `preserve_run_at` keeps a server whose clock is ahead from postponing it again and again.
 */
export const CRONTAB = [
  // Searches find new variants before that too, only slower. An idle run costs one query.
  '* * * * * index_variants ?jobKey=index_variants&jobKeyMode=preserve_run_at&max=1',
  '* * * * * count_large_brands ?jobKey=count_large_brands&jobKeyMode=preserve_run_at&max=1',
  // Often enough that claims are withdrawn well within the hour that is left for it (LEAD_MS of expiry-days.ts).
  '*/10 * * * * expire_certificates ?jobKey=expire_certificates&jobKeyMode=preserve_run_at&max=5',
  // Daily. `fill` runs it later if no server was up at that time.
  '5 6 * * * mail_certificates ?fill=12h&jobKey=mail_certificates&jobKeyMode=preserve_run_at&max=10',
  '17 * * * * purge ?jobKey=purge&jobKeyMode=preserve_run_at&max=3',
].join('\n');

async function indexVariants({ db, logger, stopping }: TaskDependencies): Promise<void> {
  const variants = await indexNewVariants(db, { logger, stopping });
  if (variants > 0) logger.debug({ variants }, 'Added new variants to the search index');
}

async function countLarge({ db, logger, stopping }: TaskDependencies): Promise<void> {
  const brands = await countLargeBrands(db, { coverage: countCoverage, readiness: countReadyVariants }, { logger, stopping });
  if (brands > 0) logger.debug({ brands }, 'Counted large brands');
}

async function validate({ db, logger }: TaskDependencies, job: Jobs['validate_certificates']): Promise<void> {
  const changes = await runValidation(db, job);
  logger.debug({ brand_id: job.brand_id, changes }, 'Validated certificates of a brand');
}

async function expire({ db, logger, stopping }: TaskDependencies): Promise<void> {
  const certificates = await expireCertificates(db, new Date(), { logger, stopping });
  if (certificates > 0) logger.info({ certificates }, 'Certificates have expired');
}

async function mailCertificates({ db, logger, stopping }: TaskDependencies): Promise<void> {
  const mails = await queueCertificateMails(db, new Date(), { logger, stopping });
  if (mails > 0) logger.info({ mails }, 'Queued certificate mails to owners and admins');
}

async function purge({ db, logger, historyDays, stopping, purgeIdentityProvider }: TaskDependencies): Promise<void> {
  const options = { logger, stopping };
  await deleteEmptyQueues(db);
  const sessions = await purgeSessions(db);
  const invitations = await purgeInvitations(db);
  const rejectedRows = await purgeImports(db, options);
  const deletions = await purgeDeletions(db, options);
  const brands = await purgeBrands(db, options);
  const signIns = await purgeSignIns(db);
  const history = historyDays === undefined ? 0 : await purgeHistory(db, historyDays, options);
  await sweepConnections(db, options);
  const provider = (await purgeIdentityProvider?.()) ?? 0;
  logger.debug({ sessions, invitations, rejectedRows, deletions, brands, signIns, history, provider }, 'Purged expired data');
}
