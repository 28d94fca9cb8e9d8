import type { Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { buildApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { checkDatabase, type Db, openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { isOutage } from './db/pg-errors.ts';
import { type ChannelEmulator, createChannelEmulator } from './embedded/channel-emulator/channel-emulator.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE, listDemoPeople, loadDemoData, refuseDemoPeople } from './embedded/demo-data.ts';
import {
  createEmbeddedIdentityProvider,
  type EmbeddedIdentityProvider,
} from './embedded/identity-provider/identity-provider.ts';
import { startEmbeddedMailbox } from './embedded/mailbox/mailbox.ts';
import { startEmbeddedPostgres } from './embedded/postgres.ts';
import { StartupError } from './errors.ts';
import { checkPortIsFree } from './http/port.ts';
import { createLogger } from './http/request-log.ts';
import { CRONTAB, createTasks } from './jobs/tasks.ts';
import { migrateJobs, startWorker } from './jobs/worker.ts';
import { createMailer } from './modules/mail/mailer.ts';
import { chooseDirectory } from './modules/members/choose-directory.ts';
import type { Channel } from './modules/publishing/channel.ts';
import { readServiceAccount } from './modules/publishing/google-account.ts';
import { createGoogleChannel, GOOGLE_FIRST_CHECK_MS } from './modules/publishing/google-channel.ts';
import { createStopper, type Stopper } from './stopper.ts';

/** Between 'not ready' at `/readyz` and closing: load balancers look away, and kept connections end with their next answer. */
const PAUSE_MS = 1_000;
/** Leaves the database enough of the 5 seconds that stopping may take. */
const DRAIN_MS = 2_000;
const WEB_FOLDER = join(import.meta.dirname, '../../web/dist');

async function start(config: Config, stopper: Stopper): Promise<void> {
  const { signal } = stopper;
  const logger = createLogger(config);
  const report = (progress: string) => logger.info(progress);
  stopper.onStop(async () => report('Stopped'));
  outliveLostConnections(logger, signal);
  await checkPortIsFree(config);

  let url = config.databaseUrl;
  if (!url) {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, durable: true, report, signal });
    stopper.onStop(postgres.stop);
    url = postgres.url;
    signal.throwIfAborted();
  }
  // Its message alone: the error carries the whole connection, more than a hundred lines for each one that is lost.
  const database = openDatabase(url, ({ message }) => logger.warn(`An idle database connection was lost: ${message}`));
  stopper.onStop(database.close);
  await checkDatabase(database.db);

  const applied = await migrate(database.db);
  if (applied.length > 0) report(`Applied ${applied.length} database migrations`);
  await migrateJobs(database.pool, logger);

  signal.throwIfAborted();
  const identity = await chooseIdentityProvider(config, database.db, logger);
  const embeddedIdentity = 'createAccount' in identity ? identity : undefined;
  if (config.production && embeddedIdentity) await refuseDemoPeople(database.db);
  // For whoever looks around: its people have a password that everybody knows.
  const demoIdentity = config.databaseUrl || config.production ? undefined : embeddedIdentity;
  if (demoIdentity && (await loadDemoData(database.db, demoIdentity))) report('Loaded the demo data');
  const directory = await chooseDirectory(config, embeddedIdentity, logger);
  const { mailer, mailbox } = await chooseMail(config, database.db, logger);
  if (mailbox) stopper.onStop(mailbox.stop);
  const { channel, emulator } = await chooseChannel(config, database.db, logger);

  signal.throwIfAborted();
  const app = await buildApp({
    config,
    db: database.db,
    lists: database.lists,
    pool: database.pool,
    logger,
    identity,
    directory,
    registerMailbox: mailbox?.register,
    registerChannel: emulator?.register,
    webFolder: WEB_FOLDER,
    stopping: signal,
  });
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  const stopAnswering = async () => {
    // Where nobody is connected, a load balancer may still be about to be; whoever presses Ctrl-C need not wait.
    if (config.production || (await hasConnections(app.server))) await sleep(PAUSE_MS);
    await Promise.race([app.close(), sleep(DRAIN_MS)]);
  };
  stopper.onStop(async () => {
    report('Stopping: answering the requests under way');
    // The worker together with the requests: one after the other could take longer than stopping may.
    await Promise.all([worker?.stop(), stopAnswering()]);
    app.server.closeAllConnections();
  });
  await app.listen({ port: config.port, host: config.host });
  // Only now: jobs may call the stand-ins that this server answers for.
  worker = await startWorker({
    database,
    logger,
    crontab: CRONTAB,
    tasks: createTasks({
      db: database.db,
      mailer,
      publicUrl: config.publicUrl,
      channel,
      stopping: signal,
      logger,
      providerMailTasks: embeddedIdentity?.mailTasks,
      purgeIdentityProvider: embeddedIdentity?.purgeExpired,
    }),
  });
  // Whoever began to stop meanwhile knew nothing of it, and the database waits for its connection.
  if (signal.aborted) await worker.stop();
  report(`Brand Portal is ready at ${config.publicUrl}`);
  if (demoIdentity && (await listDemoPeople(database.db)).length > 0) {
    process.stdout.write(howToSignIn(config.publicUrl));
  }
}

function hasConnections(server: Server): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(!error && count > 0)));
}

/**
 * The job queue lets the failure to note a failed job go unhandled when the database is gone. It begins anew by itself; that
 * must not end the server for everybody else. Likewise for what is cut off while stopping. Anything else is a defect of ours.
 */
function outliveLostConnections(logger: FastifyBaseLogger, stopping: AbortSignal): void {
  process.on('unhandledRejection', (error) => {
    if (!stopping.aborted && !isOutage(error)) throw error;
    logger.warn({ err: error }, 'A job lost the database');
  });
}

function howToSignIn(publicUrl: string): string {
  const people = Object.entries(DEMO_PEOPLE).map(([role, { email }]) => `    ${email.padEnd(30)}${role}`);
  return [
    '',
    `  Open ${publicUrl} and sign in with the password ${DEMO_PASSWORD} as one of`,
    ...people,
    `  Mails that it sends are at ${publicUrl}/mailbox`,
    '',
    '',
  ].join('\n');
}

async function chooseIdentityProvider(
  config: Config,
  db: Db,
  logger: FastifyBaseLogger,
): Promise<Config['identity'] | EmbeddedIdentityProvider> {
  const { domain, clientId } = config.identity;
  if (domain || clientId) {
    if (!domain || !clientId) logger.error('Missing Auth0 configuration: set both AUTH0_DOMAIN and AUTH0_CLIENT_ID');
    return config.identity;
  }
  if (config.production && !config.allowEmbeddedIdentity) {
    throw new StartupError(
      'No identity provider is configured: set AUTH0_DOMAIN and AUTH0_CLIENT_ID, or ALLOW_EMBEDDED_IDENTITY=true to run the embedded one in production.',
    );
  }
  logger.warn('No identity provider is configured: people sign in at the embedded one');
  // In production without a mail server mails wait, and nobody should be told to look for one.
  const sendsMail = config.mail.smtpUrl !== undefined || !config.production;
  return createEmbeddedIdentityProvider({ db, publicUrl: config.publicUrl, logger, sendsMail });
}

async function chooseMail(config: Config, db: Db, logger: FastifyBaseLogger) {
  const { smtpUrl, from } = config.mail;
  if (smtpUrl) return { mailer: createMailer({ smtpUrl, from }), mailbox: undefined };
  if (config.production) {
    logger.warn('No mail server is configured: mails wait until SMTP_URL is set');
    return { mailer: undefined, mailbox: undefined };
  }
  const mailbox = await startEmbeddedMailbox({ db, publicUrl: config.publicUrl, logger });
  return { mailer: createMailer({ smtpUrl: mailbox.smtpUrl, from }), mailbox };
}

async function chooseChannel(
  config: Config,
  db: Db,
  logger: FastifyBaseLogger,
): Promise<{ channel?: Channel; emulator?: ChannelEmulator }> {
  const { account, apiUrl, ...settings } = config.channel;
  if (account) {
    const credentials = readServiceAccount(account.credentialsFile);
    const google = { apiUrl, account: account.id, credentials, firstCheckMs: GOOGLE_FIRST_CHECK_MS };
    return { channel: createGoogleChannel({ ...settings, ...google }) };
  }
  if (config.production) {
    logger.warn('No channel is configured: deliveries wait until CHANNEL_ACCOUNT is set');
    return {};
  }
  const emulator = await createChannelEmulator({ db, serverUrl: loopbackAddress(config) });
  return { channel: createGoogleChannel({ ...settings, ...emulator }), emulator };
}

function loopbackAddress({ host, port }: Config): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

try {
  const config = readConfig();
  const stopper = createStopper({ stopWithParent: config.startedByNpm });
  try {
    await stopper.start(() => start(config, stopper));
  } catch (error) {
    // A start that was asked to stop fails in its own way; that is no news.
    if (!stopper.signal.aborted) {
      explain(error);
      await stopper.stop(1);
    }
  }
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

/** One sentence where the operator can mend it, the whole story where only we can. */
function explain(error: unknown): void {
  process.stderr.write(error instanceof StartupError ? `\n${error.message}\n\n` : `${(error as Error).stack}\n`);
}
