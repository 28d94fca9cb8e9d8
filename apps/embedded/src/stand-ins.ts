import type { Embedded, StandIns } from '@brand-portal/server/entry/start.ts';
import type { Config } from '@brand-portal/server/lib/config.ts';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import { createChannelEmulator } from './channel-emulator/channel-emulator.ts';
import { hasSchema, migrateTables } from './db/tables.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE, disconnectDemoBrands, listDemoPeople, loadDemoData, refuseDemoPeople } from './demo-data.ts';
import { createEmbeddedIdentityProvider } from './identity-provider/identity-provider.ts';
import { startEmbeddedMailbox } from './mailbox/mailbox.ts';
import { startEmbeddedPostgres } from './postgres.ts';

type StandInContext = Parameters<Embedded['startStandIns']>[0];

export const embedded: Embedded = {
  startDatabase: async ({ config: { dataDir }, logger, stopper: { signal, onStop } }) => {
    const report = (progress: string) => logger.info(progress);
    const postgres = await startEmbeddedPostgres({ dataDir, durable: true, report, signal });
    onStop(postgres.stop);
    return postgres.url;
  },

  startStandIns: async (context) => {
    const standIns = await startNeeded(context);
    await keepDemoFromRealAccount(context);
    return standIns;
  },
};

/** In production, mails and deliveries wait for the real services, and the embedded identity provider must be enabled explicitly. */
async function startNeeded(context: StandInContext): Promise<StandIns> {
  const { config, db, logger, stopper } = context;
  const { identity, mail, channel, production } = config;
  const needs = {
    identity: !identity.domain && !identity.clientId,
    mail: !mail.smtpUrl && !production,
    channel: !channel.account && !production,
  };
  if (needs.identity && production && !config.allowEmbeddedIdentity) {
    throw new StartupError(
      'No identity provider is configured: set AUTH0_DOMAIN and AUTH0_CLIENT_ID, or ALLOW_EMBEDDED_IDENTITY=true to run the embedded one in production.',
    );
  }
  if (!needs.identity && !needs.mail && !needs.channel) return {};
  const applied = await migrateTables(db);
  if (applied.length > 0) logger.info(`Applied ${applied.length} database migrations of the stand-ins`);

  const identityProvider = needs.identity ? await startIdentityProvider(context) : {};
  const mailbox = needs.mail ? await startEmbeddedMailbox({ db, publicUrl: config.publicUrl, logger }) : undefined;
  if (mailbox) stopper.onStop(mailbox.stop);
  const serverUrl = loopbackAddress(config);
  const emulator = needs.channel ? await createChannelEmulator({ db, serverUrl }) : undefined;
  return { ...identityProvider, mail: mailbox, channel: emulator };
}

/** At every start, also without stand-ins: the database may come from a start without an account. */
async function keepDemoFromRealAccount({ config, db, logger }: StandInContext): Promise<void> {
  if (!config.channel.account || !(await hasSchema(db))) return;
  await migrateTables(db);
  const brands = await disconnectDemoBrands(db);
  if (brands.length === 0) return;
  logger.warn(`Demo brands are no longer connected, because CHANNEL_ACCOUNT names a real account: ${brands.join(', ')}`);
}

async function startIdentityProvider({ config, db, logger }: StandInContext): Promise<Pick<StandIns, 'identity' | 'greet'>> {
  const { publicUrl, production, databaseUrl } = config;
  logger.warn('No identity provider is configured: using the embedded one');
  // In production without a mail server mails wait, so pages must not promise one.
  const sendsMail = config.mail.smtpUrl !== undefined || !production;
  const identity = await createEmbeddedIdentityProvider({ db, publicUrl, logger, sendsMail });
  if (production) await refuseDemoPeople(db);
  // Demo data is for development only: its accounts have a public password.
  if (production || databaseUrl) return { identity };
  if (await loadDemoData(db, identity)) logger.info('Loaded the demo data');
  return {
    identity,
    greet: async () => {
      if ((await listDemoPeople(db)).length > 0) process.stdout.write(signInHint(publicUrl));
    },
  };
}

function signInHint(publicUrl: string): string {
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

export function loopbackAddress({ host, port }: Config): string {
  const name = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
