import type { FastifyBaseLogger } from 'fastify';
import type { CronItem, TaskList } from 'graphile-worker';
import type { Db } from '../db/database.ts';
import { purgeSessions } from '../modules/identity/sessions.ts';
import type { Mailer } from '../modules/mail/mailer.ts';
import { sendAddedNotice, sendInvitation } from '../modules/onboarding/member-mails.ts';
import { purgeInvitations } from '../modules/onboarding/purge.ts';
import { indexNewVariants } from '../modules/variants/variants.ts';

export interface TaskDependencies {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
  /** Of an embedded identity provider: deletes what is past its time, and tells how many rows that were. */
  readonly purgeIdentityProvider?: (() => Promise<number>) | undefined;
}

/** Every kind of job, by the name under which it is queued. A task that throws is run again later. */
export function createTasks(deps: TaskDependencies): TaskList {
  return {
    send_invitation: (job) => sendInvitation(deps, job as Parameters<typeof sendInvitation>[1]),
    send_added_notice: (job) => sendAddedNotice(deps, job as Parameters<typeof sendAddedNotice>[1]),
    index_variants: () => indexVariants(deps),
    purge: () => purge(deps),
  };
}

/** What runs by the clock, wherever several servers share a database only once. */
export const CRON_ITEMS: CronItem[] = [
  // What was written in bulk is found before that too, only more slowly; an idle minute costs one query.
  { task: 'index_variants', match: '* * * * *', options: { maxAttempts: 1 } },
  { task: 'purge', match: '17 * * * *', options: { maxAttempts: 3 } },
];

async function indexVariants({ db, logger }: TaskDependencies): Promise<void> {
  const variants = await indexNewVariants(db);
  if (variants > 0) logger.debug({ variants }, 'Put new variants into the search index');
}

async function purge({ db, logger, purgeIdentityProvider }: TaskDependencies): Promise<void> {
  const sessions = await purgeSessions(db);
  const invitations = await purgeInvitations(db);
  const provider = (await purgeIdentityProvider?.()) ?? 0;
  logger.debug({ sessions, invitations, provider }, 'Deleted what is past its time');
}
