import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Channel } from '../channel/channel.ts';
import { createDeliveries } from '../channel/delivery.ts';
import { readServiceAccount } from '../channel/google-account.ts';
import { createGoogleChannel, GOOGLE_FIRST_CHECK_MS, type GoogleChannelOptions } from '../channel/google-channel.ts';
import { checkDatabase, type Db, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { isOutage } from '../db/pg-errors.ts';
import { createLogger } from '../http/request-log.ts';
import { type Config, listMisspelledVariables, readConfig, readLogFormat } from '../lib/config.ts';
import { StartupError } from '../lib/errors.ts';
import { createStopper, type Stopper } from '../lib/stopper.ts';
import { createMailer, type Mailer } from '../mail/mailer.ts';
import { chooseDirectory } from '../people/members/auth0-directory.ts';
import type { IdentityDirectory } from '../people/members/identity-directory.ts';
import { migrateJobs, startWorker } from '../queue/worker.ts';
import { buildApp, type IdentityProvider, type StandIn } from './app.ts';
import { CRONTAB, createTasks } from './tasks.ts';

/**
 * Between the failing `/readyz` and closing: load balancers stop sending requests, and keep-alive connections close after their next
 * response.
 */
const PAUSE_MS = 1_000;
/** Leaves the database enough of the 5 seconds that stopping may take. */
const DRAIN_MS = 2_000;
const WEB_FOLDER = join(import.meta.dirname, '../../../web/dist');

/** Starts stand-ins for services that are not configured. */
export interface Embedded {
  /** Starts a database and returns its URL. */
  startDatabase(start: Start): Promise<string>;
  /** Starts the stand-ins that this configuration needs. Creates their tables. */
  startStandIns(start: Start & { readonly db: Db }): Promise<StandIns>;
}

interface Start {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly stopper: Stopper;
}

export interface StandIns {
  readonly identity?: StandIn &
    IdentityProvider &
    IdentityDirectory & {
      /** The jobs that send its mails, by name. */
      mailTasks(mailer: Mailer): TaskList;
      /** Deletes expired rows and returns how many. */
      purgeExpired(): Promise<number>;
    };
  readonly mail?: StandIn & { readonly smtpUrl: string };
  readonly channel?: StandIn & Pick<GoogleChannelOptions, 'apiUrl' | 'account' | 'credentials' | 'firstCheckMs'>;
  /** Called when the server is ready. */
  greet?(): Promise<void>;
}

async function start(config: Config, stopper: Stopper, embedded: Embedded | undefined): Promise<void> {
  const { signal } = stopper;
  const logger = createLogger(config);
  const report = (progress: string) => logger.info(progress);
  for (const { name, meant } of listMisspelledVariables()) {
    logger.warn(`${name} is not a setting of the portal and has no effect. Did you mean ${meant}?`);
  }
  stopper.onStop(async () => report('Stopped'));
  tolerateLostConnections(logger, signal);
  await checkPortIsFree(config);

  const url = config.databaseUrl ?? (await embedded?.startDatabase({ config, logger, stopper }));
  if (!url) throw new StartupError('No database is configured: set DATABASE_URL.');
  signal.throwIfAborted();
  // Logs only the message: the error contains the whole connection, over a hundred lines for each.
  const database = openDatabase(url, ({ message }) => logger.warn(`An idle database connection was lost: ${message}`));
  stopper.onStop(database.close);
  await checkDatabase(database.db);

  const applied = await migrate(database.db);
  if (applied.length > 0) report(`Applied ${applied.length} database migrations`);
  await migrateJobs(database.pool, logger);

  signal.throwIfAborted();
  const standIns = (await embedded?.startStandIns({ config, logger, stopper, db: database.db })) ?? {};
  const identity = standIns.identity ?? chooseIdentity(config, logger);
  const directory = standIns.identity ?? (await chooseDirectory(config, logger));
  const mailer = chooseMailer(config, standIns, logger);
  const channel = chooseChannel(config, standIns, logger);

  signal.throwIfAborted();
  const app = await buildApp({
    config,
    db: database.db,
    notices: database.notices,
    lists: database.lists,
    gate: database.gate,
    pool: database.pool,
    logger,
    identity,
    directory,
    standIns: [standIns.identity, standIns.mail, standIns.channel].filter((part) => part !== undefined),
    webFolder: WEB_FOLDER,
    stopping: signal,
  });
  const deliveries = channel && createDeliveries({ db: database.jobs.db, logger, channel, stopping: signal });
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  const stopAnswering = async () => {
    // In production a load balancer may still send requests. In development, Ctrl-C without open connections stops at once.
    if (config.production || (await hasConnections(app.server))) await sleep(PAUSE_MS);
    await Promise.race([app.close(), sleep(DRAIN_MS)]);
  };
  stopper.onStop(async () => {
    report('Stopping: finishing the running requests');
    // In parallel with the requests: in sequence it could take longer than stopping may.
    const stopDelivering = () => Promise.race([deliveries?.idle(), sleep(DRAIN_MS)]);
    await Promise.all([worker?.stop(), stopDelivering(), stopAnswering()]);
    app.server.closeAllConnections();
  });
  await app.listen({ port: config.port, host: config.host });
  // Only after the server listens: jobs and deliveries may call stand-ins that this server provides.
  void deliveries?.watch();
  worker = await startWorker({
    database: database.jobs,
    heartbeats: database.gate,
    logger,
    crontab: CRONTAB,
    tasks: createTasks({
      db: database.jobs.db,
      imports: { notices: database.notices, quotas: config.quotas },
      mailer,
      publicUrl: config.publicUrl,
      historyDays: config.historyDays,
      stopping: signal,
      logger,
      providerMailTasks: standIns.identity?.mailTasks,
      purgeIdentityProvider: standIns.identity?.purgeExpired,
    }),
  });
  // A stop that began in the meantime did not know this worker, and the database would wait for its connection.
  if (signal.aborted) await worker.stop();
  report(`Brand Portal is ready at ${config.publicUrl}`);
  await standIns.greet?.();
}

function hasConnections(server: Server): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(!error && count > 0)));
}

/**
 * graphile-worker leaves a rejection unhandled if it cannot record a failed job because the database is down. It reconnects by itself, so
 * this must not end the process. The same applies while stopping. Any other rejection is a bug.
 */
function tolerateLostConnections(logger: FastifyBaseLogger, stopping: AbortSignal): void {
  process.on('unhandledRejection', (error) => {
    if (!stopping.aborted && !isOutage(error)) throw error;
    logger.warn({ err: error }, 'A job lost its database connection');
  });
}

function chooseIdentity({ identity }: Config, logger: FastifyBaseLogger): IdentityProvider {
  const { domain, clientId } = identity;
  if (!domain && !clientId) {
    throw new StartupError('No identity provider is configured: set AUTH0_DOMAIN and AUTH0_CLIENT_ID.');
  }
  if (!domain || !clientId) logger.error('Missing Auth0 configuration: set both AUTH0_DOMAIN and AUTH0_CLIENT_ID');
  return identity;
}

function chooseMailer({ mail }: Config, standIns: StandIns, logger: FastifyBaseLogger): Mailer | undefined {
  const smtpUrl = mail.smtpUrl ?? standIns.mail?.smtpUrl;
  if (smtpUrl) return createMailer({ smtpUrl, from: mail.from });
  logger.warn('No mail server is configured: mails wait until SMTP_URL is set');
  return undefined;
}

function chooseChannel(config: Config, standIns: StandIns, logger: FastifyBaseLogger): Channel | undefined {
  const { account, apiUrl, ...settings } = config.channel;
  if (account) {
    const credentials = readServiceAccount(account.credentialsFile);
    const google = { apiUrl, account: account.id, credentials, firstCheckMs: GOOGLE_FIRST_CHECK_MS };
    return createGoogleChannel({ ...settings, ...google });
  }
  if (standIns.channel) return createGoogleChannel({ ...settings, ...standIns.channel });
  logger.warn('No channel is configured: deliveries wait until CHANNEL_ACCOUNT is set');
  return undefined;
}

/** The server process, from configuration to exit. Without `embedded`, services that are not configured are refused or wait. */
export async function runServer(embedded?: Embedded): Promise<void> {
  try {
    const config = readConfig();
    const stopper = createStopper({ stopWithParent: config.startedByNpm });
    try {
      await stopper.start(() => start(config, stopper, embedded));
    } catch (error) {
      // A start that is interrupted by a signal fails; that needs no message.
      if (!stopper.signal.aborted) {
        explain(error);
        await stopper.stop(1);
      }
    }
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

/** One sentence if the operator can fix it, otherwise the whole error. In the log's own format, which may be what is wrong. */
function explain(error: unknown): void {
  if (readLogFormat() === 'json') {
    const logger = createLogger({ logLevel: 'fatal', logFormat: 'json' });
    if (error instanceof StartupError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'The server could not start');
    return;
  }
  process.stderr.write(error instanceof StartupError ? `\n${error.message}\n\n` : `${(error as Error).stack}\n`);
}

/** Checked before anything starts, so that a second server exits without side effects. */
async function checkPortIsFree({ host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(`Port ${port} is already in use: stop the program that uses it, or set PORT to another.`);
  }
  if (error.code === 'EACCES') return new StartupError(`Port ${port} needs more rights than this user has: set PORT.`);
  return new StartupError(`The server cannot listen on ${host}, port ${port}: ${error.message}.`);
}
